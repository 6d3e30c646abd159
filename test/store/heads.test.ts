import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { Connection } from "../../src/store/sqlite/connection.js";
import { joinRecordings, openRecording, Recording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { attemptRow, eventRow, meta } from "./samples.js";

/** The header lines of each attempt in a recording. */
function headersIn(path: string): (string | null)[] {
  const reader = openRecording(path);
  try {
    return [...reader.attempts()].map(({ headers }) => headers);
  } finally {
    reader.close();
  }
}

function write(recording: Recording, headers: readonly (string | null)[], firstNumber = 1): void {
  headers.forEach((one, index) => recording.attempt(attemptRow({ number: firstNumber + index, headers: one }), index));
}

function headRows(path: string): number {
  const database = new Connection(path, { readonly: true });
  onTestFinished(() => database.close());
  return database.prepare<[], number>("SELECT count(*) FROM head", "value").get() ?? 0;
}

/** Header lines of a run's answers: often equal to earlier ones, sometimes none. */
const runs = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: fc.constantFrom("server: a", "server: b\nx-id: 2", "") },
    { weight: 1, arbitrary: fc.string() },
  ),
  { maxLength: 40 },
);

describe("header lines of answers", () => {
  it("are read as they were written, by either writer, also after the recording was reopened", async () => {
    await fc.assert(
      fc.asyncProperty(runs, runs, fc.boolean(), async (before, after, isThreaded) => {
        const path = join(temporaryFolder(), "run.db");
        const first = Recording.create(path, meta);
        if (isThreaded) await first.writeInThread(() => expect.unreachable());
        write(first, before);
        first.close();
        const second = Recording.reopen(path);
        write(second, after, 1 + before.length);
        second.close();
        expect(headersIn(path)).toEqual([...before, ...after]);
      }),
      { numRuns: 12 },
    );
  });

  it("are stored once when they repeat, and in the row of their attempt when they do not", () => {
    const path = join(temporaryFolder(), "run.db");
    const recording = Recording.create(path, meta);
    write(recording, ["a: 1", "a: 1", "a: 1", "b: 2", "c: 3", null, "d: 4", "d: 4"]);
    recording.close();
    expect(headRows(path)).toBe(2);
  });

  it("keep their attempts in a joined recording", () => {
    const folder = temporaryFolder();
    const parts = [
      ["a: 1", "a: 1", null],
      ["b: 2", "b: 2", "c: 3", "c: 3"],
      ["d: 4", "d: 4"],
    ].map((headers, index) => {
      const path = join(folder, `${index}.db`);
      const recording = Recording.create(path, meta);
      recording.event(eventRow());
      write(recording, headers, 1 + 10 * index);
      recording.close();
      return { path, wallOffsetMs: 0 };
    });
    const path = join(folder, "all.db");
    joinRecordings(parts, path, { meta, overwrite: false });
    expect(headersIn(path)).toEqual(["a: 1", "a: 1", null, "b: 2", "b: 2", "c: 3", "c: 3", "d: 4", "d: 4"]);
  });
});
