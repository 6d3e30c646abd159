import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeEvent,
  encodeEvent,
  eventFields,
  eventTypes,
  type EventType,
  type FlowEvent,
  type KnownEvent,
  parseForm,
  type Spelling,
  spellings,
} from "../../src/wire/index.js";
import { anyEventOf } from "../wire/arbitraries.js";

const page = readFileSync("docs/events.md", "utf8");

const sectionUnder = (heading: string): string => page.split(`\n${heading}\n`)[1]?.split("\n#")[0] ?? "";

/** The cells of the table rows under a heading. */
function rowsUnder(heading: string): string[][] {
  const lines = sectionUnder(heading)
    .split("\n")
    .filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim())); // prettier-ignore
}

/** The items of the list under a heading, such as: - `sms` (whole number): id of the message. */
function fieldsUnder(heading: string): { property: string; value: string; meaning: string }[] {
  const items = sectionUnder(heading).matchAll(/^- `(\w+)` \(([^)]+)\): (.+(?:\n {2}.+)*)$/gm);
  return [...items].map(([, property = "", value = "", meaning = ""]) => ({ property, value, meaning }));
}

/** The texts in backticks. */
function codeIn(cell = ""): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

const headings = page.match(/^## Fields of .*$/gm) ?? [];
const headingOf = (type: EventType): string => headings.find((heading) => codeIn(heading).includes(type)) ?? "none";

/** An event with all its fields, and values that differ. */
function wholeEvent(type: EventType): KnownEvent {
  const [event] = fc.sample(anyEventOf(type, { isWhole: true }), { seed: 1, numRuns: 1 });
  if (event === undefined) throw new Error(`no event of type ${type}`);
  return event;
}

/** The keys that the encoder writes for each property. */
function keysWritten(event: KnownEvent, spelling: Spelling, sampleStatus: boolean): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const { key, property } of decodeEvent(encodeEvent(event, { spelling, sampleStatus })).pairs) {
    if (property === undefined) throw new Error(`${key} is not read`);
    keys.set(property, [...(keys.get(property) ?? []), key]);
  }
  return keys;
}

describe("docs/events.md", () => {
  it("lists every type once, and nothing else", () => {
    expect(rowsUnder("## Types").flatMap(([type]) => codeIn(type))).toEqual([...eventTypes]);
    expect(headings.flatMap(codeIn).toSorted()).toEqual([...eventTypes].toSorted());
  });

  it("lists every spelling", () => {
    expect(rowsUnder("## Spellings").flatMap(([name]) => codeIn(name))).toEqual([...spellings]);
  });

  it.each(eventTypes)("lists every field of %s, each with a meaning and its kind of value", (type) => {
    const fields = fieldsUnder(headingOf(type));
    const rows = rowsUnder(headingOf(type));
    const properties = eventFields[type].map(({ property }) => property);
    expect(fields.map(({ property }) => property)).toEqual(properties);
    expect(rows.map(([property]) => codeIn(property)[0])).toEqual(properties);
    for (const [index, { property, codec, alias = [] }] of eventFields[type].entries()) {
      const { meaning = "", value = "" } = fields[index] ?? {};
      expect(meaning, `${property}: meaning`).not.toBe("");
      if (codec.words === undefined) {
        const kind = codec.expected.replace(/ such as .*/, "");
        expect(kind.startsWith(`a ${value.split(/[:,]/, 1)[0]}`), `${property}: '${value}' is ${kind}`).toBe(true);
      } else if (property === "event") expect(codeIn(value)).toContain(type);
      else expect(codeIn(value).toSorted(), `${property}: words`).toEqual(codec.words.map(String).toSorted());
      // A name that another spelling of the type writes needs no "also read as".
      for (const name of alias)
        expect([...codeIn(meaning), ...codeIn(rows[index]?.slice(1).join(" "))], `${property}: alias`).toContain(name);
    }
  });

  it.each(eventTypes)("names each field of %s as the encoder writes it, in every spelling", (type) => {
    const event = wholeEvent(type);
    const header = page.split("\n").find((line) => line.startsWith("| property ") && line.includes(" sample ")) ?? "";
    const columns = header.split("|").map((cell) => cell.trim());
    for (const spelling of spellings.filter((name) => name !== "both")) {
      const always = keysWritten(event, spelling, false);
      const onRequest = keysWritten(event, spelling, true);
      for (const row of rowsUnder(headingOf(type))) {
        const [property = ""] = codeIn(row[0]);
        const cell = row[columns.indexOf(spelling) - 1] ?? "";
        const where = `${property} in ${spelling}`;
        expect(codeIn(cell).toSorted(), where).toEqual((onRequest.get(property) ?? []).toSorted());
        expect(cell.startsWith("("), `${where}: in brackets`).toBe(onRequest.has(property) && !always.has(property));
        if (!onRequest.has(property)) expect(cell, where).toBe("–");
      }
    }
  });

  it.each(eventTypes)("writes each field of %s in the spelling 'both' under its names in table and sample", (type) => {
    const event = wholeEvent(type);
    const [table, sample, both] = (["table", "sample", "both"] as const).map((name) => keysWritten(event, name, true));
    for (const { property } of eventFields[type]) {
      const names = new Set([...(table?.get(property) ?? []), ...(sample?.get(property) ?? [])]);
      expect(new Set(both?.get(property)), property).toEqual(names);
    }
  });

  it("names the keys of a flow's values as the encoder writes them", () => {
    const value = { label: "a", category: "b", value: "c", text: "d", time: 0, node: "e", ruleValue: "f" };
    const event = { ...(wholeEvent("flow") as FlowEvent), values: [value] };
    const rows = rowsUnder("### Keys of `values`");
    expect(fieldsUnder("### Keys of `values`").map(({ property }) => property)).toEqual(Object.keys(value));
    expect(rows.flatMap(([property]) => codeIn(property))).toEqual(Object.keys(value));
    for (const spelling of spellings) {
      const text = new Map(parseForm(encodeEvent(event, { spelling }))).get("values") ?? "";
      const [written = {}] = JSON.parse(text) as object[];
      const names = rows.flatMap((row) => codeIn(row[spelling === "historic" ? 2 : 1]));
      expect(names.toSorted(), spelling).toEqual(Object.keys(written).toSorted());
    }
  });

  it("gives the words of power as the encoder writes them", () => {
    const alarm = wholeEvent("alarm");
    for (const [codes, words] of rowsUnder("## Values").filter(([first]) => first?.startsWith("`") === true)) {
      for (const code of codeIn(codes)) {
        const isStatus = ["CHA", "FUL", "DIS", "NOT", "UNK"].includes(code);
        const event = { ...alarm, [isStatus ? "powerStatus" : "powerSource"]: code } as KnownEvent;
        const pairs = new Map(parseForm(encodeEvent(event, { spelling: "table" })));
        expect(pairs.get(isStatus ? "power_status" : "power_source"), code).toBe(codeIn(words)[0] ?? code);
      }
    }
  });
});
