import type { LegacyFlow, RuleSet } from "../legacy-flow.js";
import { legacyResultKey } from "../result-key.js";
import { rewriteMessages } from "./references.js";

/** The types of contact fields by key: `datetime`, `state`, `district`, `ward`; others do not matter. */
export type FieldTypes = ReadonlyMap<string, string>;

const formats: Readonly<Record<string, string>> = {
  D: "format_date",
  datetime: "format_date",
  date: "format_date",
  date_before: "format_date",
  date_after: "format_date",
  date_equal: "format_date",
  S: "format_location",
  I: "format_location",
  W: "format_location",
  state: "format_location",
  district: "format_location",
  ward: "format_location",
};

/**
 * Formats dates and locations in messages. Before version 11 they printed formatted; since then `@contact.birthday` prints
 * the full datetime, and `@contact.home` the path of the location.
 *
 * @see docs/reference/flows.md#legacy-versions
 */
export function formatDatesAndLocations(flow: LegacyFlow, fieldTypes: FieldTypes): void {
  const functions = new Map<string, string>([
    ["date", "format_date"],
    ["date.now", "format_date"],
  ]);
  const set = (path: string, type: string): void => {
    if (Object.hasOwn(formats, type)) functions.set(path, formats[type] ?? "");
  };
  for (const [key, type] of fieldTypes) set(`contact.${key}`, type);
  for (const ruleSet of flow.ruleSets) {
    const key = legacyResultKey(ruleSet.label);
    if (key === "") continue;
    set(`flow.${key}.time`, "date");
    set(`flow.${key}`, testedType(ruleSet));
  }
  // A path ends before a full stop, unless a name follows it.
  const path = /(?<!@)@(\w+(?:\.\w+)*)(?!\w|\.[\w.])/g;
  rewriteMessages(flow, ["reply", "send", "say"], (text) =>
    text.replaceAll(path, (match, name: string) => {
      const format = functions.get(name);
      return format === undefined ? match : `@(${format}(${name}))`;
    }),
  );
}

/** The type that all tests of a rule set share, besides the one for all other answers; empty: they differ. */
function testedType({ rules }: RuleSet): string {
  const types = new Set(rules.map(({ test }) => test["type"]).filter((type) => type !== "true"));
  const [type] = types;
  return types.size === 1 && typeof type === "string" ? type : "";
}
