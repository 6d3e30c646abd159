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

/** The cells of the rows under a heading. */
function rowsUnder(heading: string): string[][] {
  const section = page.split(`\n${heading}\n`)[1]?.split("\n#")[0] ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim())); // prettier-ignore
}

/** What stands in backticks. */
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
    const rows = rowsUnder(headingOf(type));
    expect(rows.map(([property]) => codeIn(property)[0])).toEqual(eventFields[type].map(({ property }) => property));
    for (const [index, { property, codec, alias = [] }] of eventFields[type].entries()) {
      const [, meaning = "", value = ""] = rows[index] ?? [];
      expect(meaning, `${property}: meaning`).not.toBe("");
      if (codec.words === undefined) {
        const kind = codec.expected.replace(/ such as .*/, "");
        expect(kind.startsWith(`a ${value.split(/[:,]/, 1)[0]}`), `${property}: '${value}' is ${kind}`).toBe(true);
      } else if (property === "event") expect(codeIn(value)).toContain(type);
      else expect(codeIn(value).toSorted(), `${property}: words`).toEqual(codec.words.map(String).toSorted());
      // A name that another spelling of the type writes needs no "also read as".
      for (const name of alias) expect(codeIn(rows[index]?.slice(1).join(" ")), `${property}: alias`).toContain(name);
    }
  });

  it.each(eventTypes)("names each field of %s as the encoder writes it, in every spelling", (type) => {
    const event = wholeEvent(type);
    for (const [column, spelling] of spellings.entries()) {
      const always = keysWritten(event, spelling, false);
      const onRequest = keysWritten(event, spelling, true);
      for (const row of rowsUnder(headingOf(type))) {
        const [property = ""] = codeIn(row[0]);
        const cell = row[3 + column] ?? "";
        const where = `${property} in ${spelling}`;
        expect(codeIn(cell).toSorted(), where).toEqual((onRequest.get(property) ?? []).toSorted());
        expect(cell.startsWith("("), `${where}: in brackets`).toBe(onRequest.has(property) && !always.has(property));
        if (!onRequest.has(property)) expect(cell, where).toBe("–");
      }
    }
  });

  it("names the keys of a flow's values as the encoder writes them", () => {
    const value = { label: "a", category: "b", value: "c", text: "d", time: 0, node: "e", ruleValue: "f" };
    const event = { ...(wholeEvent("flow") as FlowEvent), values: [value] };
    const rows = rowsUnder("### Keys of `values`");
    expect(rows.flatMap(([property]) => codeIn(property))).toEqual(Object.keys(value));
    for (const spelling of spellings) {
      const text = new Map(parseForm(encodeEvent(event, { spelling }))).get("values") ?? "";
      const [written = {}] = JSON.parse(text) as object[];
      const names = rows.flatMap((row) => codeIn(row[spelling === "historic" ? 4 : 3]));
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
