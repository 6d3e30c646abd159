import { join } from "node:path";
import { expect, it } from "vitest";
import { handReference } from "../../src/scenario/index.js";
import { openRecording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { type ServedLab, serving } from "./served.js";
import { parse } from "./support.js";

type Hand = ReturnType<typeof handReference>[number];

const verbs = handReference();

/** Verbs whose example names phones or people act on these only; the others act on the whole lab. */
const isOfGroup = ({ example }: Hand): boolean => /clinic|farmers/.test(JSON.stringify(example));

/** The group of a verb's own phones or people. The names sort as the verbs do. */
const own = (group: "clinic" | "farmers", verb: string): string => `${group}-of-${verb}`;

/** The example of a verb, for the verb's own phones and people. */
function exampleFor({ name, example }: Hand): object {
  const text = JSON.stringify(example).replaceAll(/"(clinic|farmers)\b/g, (_, group) => `"${own(group, name)}`);
  const args = JSON.parse(text) as { of?: string };
  const telling = tellingArguments[name];
  return telling === undefined ? args : { of: args.of, ...telling };
}

/** Arguments instead of those of an example that changes nothing at phones that are as usual. */
const tellingArguments: Readonly<Record<string, object>> = {
  credit: { units: 0 },
  delivery: { "answers-lost": true, for: "20m" },
  service: { "fails-after": 0, for: "20m" },
};

/** Verbs that act only on what has happened at a phone before. */
const needsHistory = ["call-log"];

/** The day of the examples: their phone texts, is texted and calls people. Each verb has its own groups; random draws are a group's own. */
function day(): string {
  const each = (line: (verb: string, nth: string) => string): string =>
    verbs.map(({ name }, index) => `  ${line(name, String(index).padStart(2, "0"))}`).join("\n");
  return `seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 3h
place: { lat: -1.95, lon: 30.06 }
handsets:
${each((verb, nth) => `${own("clinic", verb)}: { count: 20, phone: "+25078${nth}000{00}", battery: 60%, mains: ${verb === "solar" ? "off" : "on"} }`)}
people:
${each((verb, nth) => `${own("farmers", verb)}: { count: 20, phone: "+25079${nth}000{00}", of: ${own("clinic", verb)}, picks-up: 100% }`)}
traffic:
${each((verb) => `- { texts: { from: ${own("farmers", verb)}, to: ${own("clinic", verb)}/3, body: hello }, rate: 12/h }`)}
${each((verb) => `- { calls: { from: ${own("clinic", verb)}/3, to: ${own("farmers", verb)} }, rate: 12/h }`)}
${each((verb) => `- { sends: { via: ${own("clinic", verb)}/3, to: ${own("farmers", verb)}, body: hi }, rate: 60/h }`)}
`;
}

/**
 * What is in the database of a lab in which hands were done over the control API, without the records of the requests:
 * by the verb whose phones it is about, and under "" what is about no phone.
 */
async function tracesOf(act: (lab: ServedLab) => Promise<unknown>): Promise<ReadonlyMap<string, string>> {
  const database = join(temporaryFolder(), "lab.db");
  const lab = await serving({ scenario: parse(day()), database, receiver: "bundled" });
  await act(lab);
  // What lasts 40 minutes shows in between.
  await lab.step("30m");
  const handsets = (await lab.lab.done("GET", "/handsets")) as Record<string, unknown>[];
  await lab.step("40m");
  await lab.served.close();
  const reader = openRecording(database);
  const traces = new Map<string, unknown[]>([["", []], ...verbs.map(({ name }): [string, unknown[]] => [name, []])]);
  const groupOf = (channel: number): string =>
    /-of-(.*)\//.exec(String(handsets[channel - 1]?.["selector"]))?.[1] ?? "";
  const add = (channel: number, ...row: unknown[]): void => void traces.get(groupOf(channel))?.push(row);
  handsets.forEach((one, index) => add(index + 1, one["power_source"], one["power_level"]));
  for (const { channel, type, atMs, body } of reader.events()) add(channel, type, atMs, body);
  for (const { channel, outcome } of reader.attempts()) add(channel, outcome);
  for (const { channel, text, status } of reader.messages()) add(channel, text, status);
  for (const { id, lastSeenMs, device } of reader.channels()) add(id, lastSeenMs, device);
  for (const { atMs, kind, text } of reader.notes()) add(0, atMs, kind, text);
  reader.close();
  return new Map([...traces].map(([verb, rows]) => [verb, JSON.stringify(rows)]));
}

const doing =
  (hand: Hand) =>
  ({ lab }: ServedLab): Promise<unknown> =>
    lab.done("POST", `/do/${hand.name}`, exampleFor(hand));

it("every verb of the registry, done over the control API, leaves a trace beside the record of the request", async () => {
  const untouched = await tracesOf(async ({ lab }) => {
    const offered = (await lab.done("GET", "/verbs")) as { name: string }[];
    expect(offered.map(({ name }) => name)).toEqual(verbs.map(({ name }) => name));
  });
  const acted = await tracesOf(async (lab) => {
    for (const hand of verbs.filter(isOfGroup)) await doing(hand)(lab);
  });
  const names = (of: readonly Hand[]): string[] =>
    of.map(({ name }) => name).filter((name) => !needsHistory.includes(name));
  const changed = names(verbs).filter((group) => acted.get(group) !== untouched.get(group));
  // The groups of the verbs that were not done show that what happens at other phones changes nothing.
  expect(changed).toEqual(names(verbs.filter(isOfGroup)));
  for (const hand of verbs.filter((one) => !isOfGroup(one))) {
    const traces = await tracesOf(doing(hand));
    expect([hand.name, [...traces.values()].join()]).not.toEqual([hand.name, [...untouched.values()].join()]);
  }
});
