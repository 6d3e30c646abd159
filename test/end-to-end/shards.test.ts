import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  LabError,
  openRecording,
  type RunOptions,
  type RunResult,
  runScenario,
  type Scenario,
} from "../../src/index.js";
import { mergeRecordings, type MergeOutcome } from "../../src/fleet/index.js";
import { temporaryFolder } from "../support/folder.js";
import { parse, receiverThat, smallDay } from "./support.js";
import { runs } from "../support/effort.js";

/** Number of random fleets. Those that cross parts are refused, so there are more of them. */
const numRuns = runs(3, 50);

interface Told {
  readonly atMs: number;
  readonly channel: number;
  readonly number: number;
  readonly body: string;
}

function eventsIn(path: string): Told[] {
  const reader = openRecording(path);
  const events = [...reader.events()].map(({ atMs, channel, number, body }) => ({ atMs, channel, number, body }));
  reader.close();
  return events;
}

/** Plays a scenario whole and in parts, and joins the parts. */
async function both(
  scenario: Scenario,
  count: number,
  options: RunOptions = { receiver: "none" },
): Promise<{
  whole: Awaited<ReturnType<typeof runScenario>>;
  wholePath: string;
  paths: string[];
  merged: MergeOutcome;
}> {
  const folder = temporaryFolder();
  const wholePath = join(folder, "whole.db");
  const whole = await runScenario(scenario, { ...options, recording: wholePath });
  const paths: string[] = [];
  for (let index = 1; index <= count; index++) {
    const recording = join(folder, `part-${index}.db`);
    await runScenario(scenario, { ...options, recording, shard: { index, count } });
    paths.push(recording);
  }
  const merged = mergeRecordings(paths.toReversed(), { output: join(folder, "all.db") });
  return { whole, wholePath, paths, merged };
}

/** In the order of time, channel and number, as a single run's events are read. */
function union(paths: readonly string[]): Told[] {
  return paths.flatMap(eventsIn).sort((a, b) => a.atMs - b.atMs || a.channel - b.channel || a.number - b.number);
}

const arrivals = fc.constantFrom("poisson", "even", "burst");
const traffic = fc.oneof(
  fc.record({ kind: fc.constant("texts, { from: $people, to: $handsets, body: { pick: [join, HELP] } }"), arrivals }),
  fc.record({ kind: fc.constant("sends, { via: $handsets, to: $people, body: { fake: lorem.words } }"), arrivals }),
  fc.record({ kind: fc.constant("calls, { from: $people, to: $handsets }"), arrivals }),
  fc.record({ kind: fc.constant("calls, { from: $handsets, to: $people, rings: 5s..40s }"), arrivals }),
);
const verbs = [
  "network: { of: $handsets, type: none, for: 12m }",
  "power: { of: 50% of $handsets, mains: off, for: 20m }",
  "coverage: { of: $handsets/0, state: none, for: 5m }",
  "reboot: { of: $handsets, down: 2m }",
  "text: { from: $people, to: $handsets, body: hello }",
  "send: { via: $handsets, to: 30% of $people, body: are you well? }",
  "flow: { of: $handsets, person: $people/0, flow: 7, name: Visit, language: eng, values: [] }",
  "event: { of: $handsets, type: custom, fields: { note: hi } }",
  "note: half past",
];

/** Plain scenarios: everybody has to do with the home handset only. Each handset has a person, so that none writes to others'. */
const scenarios = fc
  .record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    groups: fc.array(
      fc.record({
        handsets: fc.integer({ min: 1, max: 7 }),
        each: fc.integer({ min: 1, max: 3 }),
        traffic: fc.array(traffic, { minLength: 1, maxLength: 2 }),
        verbs: fc.array(fc.constantFrom(...verbs), { maxLength: 3 }),
        profile: fc.constantFrom("plain", "2017", "2024"),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    spelling: fc.constantFrom("both", "historic"),
  })
  .map(({ seed, groups, spelling }) => {
    const of = (text: string, index: number): string =>
      text.replaceAll("$people", `people${index}`).replaceAll("$handsets", `phones${index}`);
    const entries = groups.flatMap(({ traffic: all }, index) =>
      all.map((one) => {
        const [, kind = "", rest = ""] = /^(\w+), (.*)$/.exec(one.kind) ?? [];
        return `  - ${kind}: ${of(rest, index)}\n    rate: 90/h\n    arrivals: ${one.arrivals}`;
      }),
    );
    const steps = groups.flatMap(({ verbs: all }, index) =>
      all.map((verb) => `  - at: ${10 + index * 5}m\n    ${of(verb, index)}`),
    );
    return [
      `name: Random\nseed: ${seed}\nstarts: 2026-03-04T06:00:00.000Z\nlasts: 1h`,
      `service: { preset: documented, spelling: ${spelling} }`,
      "handsets:",
      ...groups.map(
        ({ handsets, profile }, index) =>
          `  phones${index}: { count: ${handsets}, phone: "+25078${index}{0000}", battery: 24%..90%, profile: ${profile}, picks-up: 50% }`,
      ),
      "people:",
      ...groups.map(
        ({ handsets, each }, index) =>
          `  people${index}: { count: ${handsets * each}, of: phones${index}, phone: "+25079${index}{0000}", picks-up: 30%, replies: { chance: 60%, after: 5s..5m, with: [yes, no] } }`,
      ),
      "traffic:",
      ...entries,
      ...(steps.length === 0 ? [] : ["story:", ...steps]),
    ].join("\n");
  });

/** Handsets and people of any group, with any homes: many of these would cross. */
const phones = fc.constantFrom("a", "b", "a/0", "a/0..1", "b/1..2", "50% of a");
const folk = fc.constantFrom("x", "y", "x/0", "y/1..3", "50% of x");
const tangled = fc
  .record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    counts: fc.tuple(fc.integer({ min: 3, max: 6 }), fc.integer({ min: 3, max: 6 })),
    homes: fc.tuple(fc.constantFrom("a", "a/0..1"), fc.constantFrom("b", "a", "b/1..2")),
    traffic: fc.array(
      fc.oneof(
        fc.tuple(folk, phones).map(([x, a]) => `texts: { from: ${x}, to: ${a}, body: hi }`),
        fc.tuple(folk, phones).map(([x, a]) => `calls: { from: ${x}, to: ${a}, talks: 20s }`),
        fc.tuple(folk, phones).map(([x, a]) => `calls: { from: ${a}, to: ${x} }`),
        fc.tuple(folk, phones).map(([x, a]) => `sends: { via: ${a}, to: ${x}, body: hi }`),
      ),
      { minLength: 1, maxLength: 2 },
    ),
    story: fc.array(
      fc.oneof(
        fc.tuple(folk, phones).map(([x, a]) => `text: { from: ${x}, to: ${a}, body: hi }`),
        fc.tuple(folk, phones).map(([x, a]) => `call: { from: ${a}, to: ${x}, talks: 5s }`),
        fc.tuple(folk, phones).map(([x, a]) => `send: { via: ${a}, to: ${x}, body: hi }`),
        phones.map((a) => `coverage: { of: ${a}, state: none, for: 3m }`),
      ),
      { maxLength: 1 },
    ),
  })
  .map(({ seed, counts, homes, traffic: entries, story }) =>
    [
      `name: Tangled\nseed: ${seed}\nstarts: 2026-03-04T06:00:00.000Z\nlasts: 40m`,
      `handsets:\n  a: { count: ${counts[0]}, phone: "+250781{0000}" }\n  b: { count: ${counts[1]}, phone: "+250782{0000}" }`,
      `people:\n  x: { count: 7, of: ${homes[0]}, phone: "+250791{0000}", replies: { chance: 70%, after: 1s..2m, with: yes } }`,
      `  y: { count: 5, of: ${homes[1]}, phone: "+250792{0000}", replies: { chance: 70%, after: 1s..2m, with: yes } }`,
      `traffic:`,
      ...entries.map((entry) => `  - ${entry}\n    rate: 60/h`),
      ...story.map((step) => `story:\n  - at: 10m\n    ${step}`),
    ].join("\n"),
  );

/** One that nothing of crosses parts, so that one is played whatever comes up. */
const plain = `name: Plain
seed: 1
starts: 2026-03-04T06:00:00.000Z
lasts: 40m
handsets:
  a: { count: 4, phone: "+250781{0000}" }
people:
  x: { count: 7, of: a, phone: "+250791{0000}", replies: { chance: 70%, after: 1s..2m, with: yes } }
traffic:
  - texts: { from: x, to: a, body: hi }
    rate: 60/h
`;

/** A result without what depends on the wall clock and the file. */
function judged({ result }: { readonly result: RunResult }): object {
  return without(without(without(result, "warnings"), "recording"), "wallMs");
}

describe("a fleet that is played in parts", () => {
  it("gives the events of the whole, byte for byte, and joins into the same digest, ledger and tables", async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.integer({ min: 1, max: 5 }), async (text, count) => {
        const { whole, wholePath, paths, merged } = await both(parse(text), count);
        const events = eventsIn(wholePath);
        expect(union(paths)).toEqual(events);
        expect(eventsIn(merged.result.recording as string)).toEqual(events);
        expect(judged(merged)).toEqual(judged(whole));
        expect(merged.exitCode).toBe(whole.exitCode);
        expect(rowsOf(merged.result.recording as string)).toEqual(rowsOf(wholePath));
      }),
      { numRuns },
    );
  });

  it("does so wherever it is not refused, for any contacts between members", async () => {
    let played = 0;
    await fc.assert(
      fc.asyncProperty(tangled, fc.integer({ min: 2, max: 3 }), async (text, count) => {
        try {
          const { whole, wholePath, paths, merged } = await both(parse(text), count);
          played++;
          expect(union(paths)).toEqual(eventsIn(wholePath));
          expect(judged(merged)).toEqual(judged(whole));
        } catch (error) {
          if (!(error instanceof LabError && error.code === "crosses-parts")) throw error;
        }
      }),
      { numRuns: 2 * numRuns, examples: [[plain, 2]] },
    );
    expect(played).toBeGreaterThan(0);
  });

  it("does so against a receiver that replies", async () => {
    const receiver = await receiverThat((body, response) => {
      const fields = new URLSearchParams(body);
      const isText = fields.get("event") === "mo_sms";
      response.end(isText ? JSON.stringify({ urn: [`tel:${fields.get("phone")}`], text: "thanks" }) : "{}");
    });
    const { whole, wholePath, paths, merged } = await both(parse(smallDay, ["lasts=40m"]), 3, {
      receiver: receiver.url,
    });
    expect(whole.result.replies.valid).toBeGreaterThan(100);
    expect(union(paths)).toEqual(eventsIn(wholePath));
    expect(merged.result.digest).toBe(whole.result.digest);
    expect(merged.result.ledger).toEqual(whole.result.ledger);
    expect(merged.result.replies).toEqual(whole.result.replies);
    expect(merged.result.attempts).toEqual(whole.result.attempts);
    expect(merged.result.latencyMs.p99).toBeGreaterThan(0);
    expect(rowsOf(merged.result.recording as string)).toEqual(rowsOf(wholePath));
  });
});

/** The tables without what the wall clock and the order within an instant decide. */
function rowsOf(path: string): unknown {
  const reader = openRecording(path);
  const uuids = new Map([...reader.contacts()].map(({ row, uuid }) => [row, uuid]));
  const named = (row: { readonly row: number; readonly contact: number }): object => ({
    ...without(row, "contact"),
    by: uuids.get(row.contact),
  });
  const sorted = (rows: Iterable<{ readonly row: number }>): string[] =>
    [...rows].map((row) => JSON.stringify(without(row, "row"))).sort();
  const tables = {
    channels: [...reader.channels()].map((channel) => without(channel, "url")),
    contacts: sorted(reader.contacts()),
    messages: [...reader.messages()].map((row) => JSON.stringify(without(named(row), "row"))).sort(),
    calls: [...reader.calls()].map((row) => JSON.stringify(without(named(row), "row"))).sort(),
    attempts: [...reader.attempts()]
      .map((row) => [row.channel, row.number, row.try, row.dueAtMs, row.effectAtMs, row.status].join())
      .sort(),
    replies: sorted(reader.replies()),
    notes: sorted(reader.notes()),
  };
  reader.close();
  return tables;
}

function without(row: object, key: string): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== key));
}
