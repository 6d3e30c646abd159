import type { TriggerData } from "../../wire/index.js";
import { mentionOf } from "./dependency-collector.js";
import { mapOf, type JsonCursor, describeJson, textOf } from "./json-cursor.js";
import type { ExportContents } from "./export-contents.js";

/** The types of triggers except schedules, which exports leave out (docs/reference/flows.md#triggers). */
const types = ["K", "C", "M", "V", "N", "R", "T", "F", "U"] as const;

/**
 * Reads a trigger of an export (docs/reference/flows.md#triggers; docs/reference/service-api.md#definitions); undefined
 * when it has problems.
 */
export function readTrigger(trigger: JsonCursor, contents: ExportContents): TriggerData | undefined {
  if (trigger.neededMap() === undefined) return undefined;
  const typePart = trigger.at("trigger_type");
  if (typePart.value === "S") return typePart.addProblem("is a schedule, which exports do not carry: it is left out");
  const type = typePart.oneOf(types);
  if (typePart.isAbsent) typePart.neededText();
  const mention = mentionOf(trigger.at("flow").value);
  const flow = mention === undefined ? undefined : contents.flow(mention);
  if (flow === undefined) trigger.at("flow").addProblem("names no flow of the export that could be read");
  const keyword = type === "K" ? readKeyword(trigger.at("keyword")) : null;
  if (type === undefined || flow === undefined || keyword === undefined) return undefined;
  return {
    type,
    keyword,
    matchType: trigger.at("match_type").value === "O" ? "O" : "F",
    flow,
    groups: readGroups(trigger.at("groups"), contents),
    excludeGroups: readGroups(trigger.at("exclude_groups"), contents),
    channel: readChannel(trigger.at("channel")),
  };
}

/**
 * One word of letters and digits, or one emoji, at most 16 characters; kept in lower case
 * (docs/reference/flows.md#triggers).
 */
function readKeyword(part: JsonCursor): string | undefined {
  const keyword = part.neededText()?.trim().toLowerCase();
  if (keyword === undefined) return undefined;
  if (isKeyword(keyword)) return keyword;
  return part.addProblem(
    `must be one word of at most 16 letters and digits, or an emoji, got ${describeJson(keyword)}`,
  );
}

/** Whether a text in lower case can be a keyword. */
function isKeyword(text: string): boolean {
  return /^([\p{L}\p{M}\p{N}_]{1,16}|\p{Extended_Pictographic}\p{M}*)$/u.test(text);
}

function readGroups(list: JsonCursor, contents: ExportContents): string[] {
  return list.items().flatMap((group) => {
    const mention = mentionOf(group.value);
    return (mention === undefined ? undefined : contents.group(mention)) ?? group.addProblem("must name a group") ?? [];
  });
}

/** Reads a UUID, also as `{uuid, name}`. A number is an id of the exporting database, and is a problem. */
function readChannel(part: JsonCursor): string | null {
  if (part.isAbsent) return null;
  const { value } = part;
  const uuid = typeof value === "string" ? value : textOf(mapOf(value)?.["uuid"]);
  if (uuid === undefined) part.addProblem("names no channel by UUID: the trigger applies to any");
  return uuid ?? null;
}
