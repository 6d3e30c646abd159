import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runScenario } from "../../src/lab/index.js";
import { handReference, parseScenario } from "../../src/scenario/index.js";
import { openRecording } from "../../src/store/index.js";
import { newFolder } from "./support.js";

/** A day on which every verb changes something: its examples name these groups. */
const text = `seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 3h
receiver: bundled
handsets: { clinic: { count: 20, phone: "+2507880000{00}", battery: 60% } }
people: { farmers: { count: 20, phone: "+2507881000{00}", picks-up: 50% } }
traffic:
  - { texts: { from: farmers, to: clinic, body: hello }, rate: 100/h }
  - { sends: { via: clinic, to: farmers, body: hi }, rate: 100/h }
`;

/** What is in the recording of a run in which a verb was done by hand, without the record of the hand itself. */
async function traceOf(verb?: string, args?: object): Promise<string> {
  const recording = join(newFolder(), "run.db");
  const { scenario } = parseScenario(text, { file: "day.yaml", nowMs: 0 });
  if (scenario === undefined) throw new Error("the scenario is not sound");
  await runScenario(scenario, {
    recording,
    onStart: ({ hands }) => {
      if (verb !== undefined) hands?.perform(verb, args);
    },
  });
  const reader = openRecording(recording);
  const trace = {
    events: [...reader.events()].map(({ channel, type, atMs, body }) => [channel, type, atMs, body]),
    attempts: [...reader.attempts()].map(({ channel, number, outcome, status }) => [channel, number, outcome, status]),
    messages: [...reader.messages()].map(({ text: body, status }) => [body, status]),
    samples: [...reader.samples()],
    notes: [...reader.notes()],
  };
  reader.close();
  return JSON.stringify(trace, (key, value: unknown) => (key === "wallMs" ? undefined : value));
}

describe("every verb of the table", { timeout: 300_000 }, () => {
  it("done by hand leaves a trace beside the record of the hand", async () => {
    const untouched = await traceOf();
    expect(await traceOf()).toBe(untouched);
    const without: string[] = [];
    for (const { name, example } of handReference()) {
      if ((await traceOf(name, example)) === untouched) without.push(name);
    }
    expect(without).toEqual([]);
  });
});
