import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handReference } from "../../src/scenario/index.js";
import { openRecording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { type ServedLab, serving } from "./served.js";
import { parse } from "./support.js";

/** A day on which every verb changes something: its examples name these groups. */
const text = `seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 3h
handsets: { clinic: { count: 20, phone: "+2507880000{00}", battery: 60% } }
people: { farmers: { count: 20, phone: "+2507881000{00}", picks-up: 50% } }
traffic:
  - { texts: { from: farmers, to: clinic, body: hello }, rate: 100/h }
  - { sends: { via: clinic, to: farmers, body: hi }, rate: 100/h }
`;

/** What is in the database of a lab in which something was done over the control API, without the record of the request itself. */
async function traceOf(act: (lab: ServedLab) => Promise<void>): Promise<string> {
  const database = join(temporaryFolder(), "lab.db");
  const lab = await serving({ scenario: parse(text), database, receiver: "bundled" });
  await act(lab);
  // What lasts 40 minutes shows in between.
  await lab.step("30m");
  const handsets = (await lab.lab.done("GET", "/handsets")) as Record<string, unknown>[];
  await lab.step("40m");
  await lab.served.close();
  const reader = openRecording(database);
  const trace = {
    batteries: handsets.map((one) => [one["power_source"], one["power_level"]]),
    events: [...reader.events()].map(({ channel, type, atMs, body }) => [channel, type, atMs, body]),
    failures: [...reader.attempts()].filter(({ outcome }) => outcome !== "accepted").length > 0,
    messages: [...reader.messages()].map(({ text: body, status }) => [body, status]),
    channels: [...reader.channels()].map(({ id, lastSeenMs, device }) => [id, lastSeenMs, device]),
    notes: [...reader.notes()].map(({ atMs, kind, text: note }) => [atMs, kind, note]),
  };
  reader.close();
  return JSON.stringify(trace);
}

describe("every verb of the registry", { timeout: 120_000 }, () => {
  it("done over the control API leaves a trace beside the record of the request", async () => {
    const untouched = await traceOf(async ({ lab }) => {
      const verbs = (await lab.done("GET", "/verbs")) as { name: string }[];
      expect(verbs.map(({ name }) => name)).toEqual(handReference().map(({ name }) => name));
    });
    expect((await traceOf(() => Promise.resolve())) === untouched).toBe(true);
    const without: string[] = [];
    for (const { name, example } of handReference()) {
      const trace = await traceOf(({ lab }) => lab.done("POST", `/do/${name}`, example).then(() => undefined));
      if (trace === untouched) without.push(name);
    }
    expect(without).toEqual([]);
  });
});
