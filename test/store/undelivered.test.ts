import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AttemptRow, openRecording, Recording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { attemptRow, eventRow, meta } from "./samples.js";

/** A recording of events, each with the outcomes of its attempts. */
function recordingOf(outcomes: readonly (readonly AttemptRow["outcome"][])[]): Recording {
  const recording = Recording.create(":memory:", meta);
  onTestFinished(() => recording.close());
  recording.prepareToServe();
  for (const [index, tries] of outcomes.entries()) add(recording, index + 1, tries);
  return recording;
}

function add(recording: Recording, number: number, tries: readonly AttemptRow["outcome"][]): void {
  recording.event(eventRow({ row: number, number, body: `n=${number}` }));
  for (const [index, outcome] of tries.entries()) recording.attempt(attemptRow({ number, try: index + 1, outcome }));
}

function undelivered(recording: Recording): [number: number, tries: number][] {
  return recording.undelivered({ attempts: 3, flowAttempts: 3 }).map(({ number, tries }) => [number, tries]);
}

describe("events that were not delivered", () => {
  it("are events that wait for another attempt, or had none", () => {
    const recording = recordingOf([
      ["accepted"],
      [],
      ["retried"],
      ["retried", "accepted"],
      ["refused"],
      ["timeout"],
      ["connection", "retried"],
      ["retried", "retried", "failed"],
      ["timeout", "timeout", "timeout"],
      ["connection", "connection", "connection"],
    ]);
    expect(undelivered(recording)).toEqual([
      [2, 0],
      [3, 1],
      [6, 1],
      [7, 2],
    ]);
    expect(recording.undelivered({ attempts: 3, flowAttempts: 3 })[0]).toMatchObject({
      row: 2,
      channel: 1,
      type: "mo_sms",
      body: "n=2",
    });
  });

  it("exclude events that were not to be posted", () => {
    const recording = recordingOf([]);
    recording.event(eventRow({ row: 1, number: 1 }), false);
    recording.event(eventRow({ row: 2, number: 2 }), true);
    expect(undelivered(recording)).toEqual([[2, 0]]);
  });

  it("exclude events that `settleEvents` has settled, but not later ones", () => {
    const recording = recordingOf([[], ["retried"]]);
    expect(undelivered(recording)).toHaveLength(2);
    // Reading them does not settle them.
    expect(undelivered(recording)).toHaveLength(2);
    recording.settleEvents();
    expect(undelivered(recording)).toEqual([]);
    add(recording, 3, []);
    add(recording, 4, ["accepted"]);
    expect(undelivered(recording)).toEqual([[3, 0]]);
  });
});

describe("a recording after commitOnFlush", () => {
  it("commits all rows at the next flush, and none before", () => {
    const path = join(temporaryFolder(), "run.db");
    const recording = Recording.create(path, meta);
    const reader = openRecording(path);
    for (const one of [reader, recording]) onTestFinished(() => one.close());
    recording.commitOnFlush();
    for (let n = 1; n <= 1000; n++) recording.event(eventRow({ row: n, number: n }));
    expect(reader.counts().events).toBe(0);
    recording.flush();
    expect(reader.counts().events).toBe(1000);
  });
});
