import { existsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Connection } from "../../src/store/connection.js";
import { hold, openRecording, Recording } from "../../src/store/index.js";
import { RowEncoder } from "../../src/store/writer/row-codec.js";
import { eventRow, meta, temporaryFolder } from "./samples.js";

const EVENTS = 20_000;

/** A recording whose rows are packed and on disk. */
function packedRecording(events = EVENTS): Recording {
  const recording = Recording.create(join(temporaryFolder(), "run.db"), meta);
  onTestFinished(() => recording.close());
  recording.pack();
  for (let row = 1; row <= events; row++) recording.event(eventRow({ row, number: row, atMs: row, body: `n=${row}` }));
  recording.flush();
  return recording;
}

/** What a kill would have left of a recording. */
function cutOff({ path }: Recording): string {
  const cut = join(temporaryFolder(), "cut.db");
  const database = new Connection(path, { readonly: true });
  writeFileSync(cut, database.serialize());
  database.close();
  return cut;
}

/** A row of a table, as it lies in the file. */
function inFile<T>(path: string, sql: string): T | undefined {
  const database = new Connection(path);
  try {
    return database.prepare<[], T>(sql, "value").get();
  } finally {
    database.close();
  }
}

const batchesIn = (path: string): number | undefined => inFile(path, "SELECT count(*) FROM batch");
const eventsIn = (path: string): number | undefined => inFile(path, "SELECT count(*) FROM event");

/** Reads what there is, in order. */
function numbersIn(path: string): number[] {
  const reader = openRecording(path);
  try {
    return [...reader.eventRows()].map(({ number }) => number);
  } finally {
    reader.close();
  }
}

const all = Array.from({ length: EVENTS }, (_, index) => index + 1);

describe("rows that are packed", () => {
  it("come to their tables when the recording is finished", async () => {
    const recording = packedRecording();
    expect(batchesIn(recording.path)).toBeGreaterThan(3);
    expect(eventsIn(recording.path)).toBe(0);
    recording.finish({ digest: "d", resultJson: "{}", endedWallMs: 1 });
    recording.close();
    expect(batchesIn(recording.path)).toBe(0);
    expect(numbersIn(recording.path)).toEqual(all);
    expect(inFile(recording.path, "PRAGMA integrity_check")).toBe("ok");
  });

  it("come there step by step, with turns for others in between", async () => {
    const recording = packedRecording(200_000);
    const seen: [number, number][] = [];
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await recording.unpack(({ done, of }) => seen.push([done, of]));
    clearInterval(timer);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toEqual([seen[0]?.[1], seen[0]?.[1]]);
    expect(turns).toBeGreaterThan(0);
    expect(eventsIn(recording.path)).toBe(200_000);
    // And it goes on from there.
    recording.event(eventRow({ row: 200_001, number: 200_001, atMs: 200_001 }));
    expect(recording.reader().counts().events).toBe(200_001);
  });

  it("are seen by whoever asks the recording itself", async () => {
    const recording = packedRecording();
    recording.serve();
    expect(recording.reader().counts().events).toBe(EVENTS);
  });

  it("count for the recording's size with what they will take", async () => {
    const recording = packedRecording();
    const before = recording.bytesOnDisk;
    await recording.unpack();
    // Nothing is left to come, and the log may hold a page of each table twice.
    expect(before).toBeGreaterThan(0.9 * statSync(recording.path).size);
  });
});

describe("a recording that was cut off with packed rows", () => {
  it("is brought in order by whoever opens it, once", async () => {
    const path = cutOff(packedRecording());
    expect(numbersIn(path)).toEqual(all);
    expect(batchesIn(path)).toBe(0);
    expect(inFile(path, "SELECT value FROM run WHERE key = 'rows'")).toBe(String(EVENTS));
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(numbersIn(path)).toEqual(all);
  });

  it("is gone on with", async () => {
    const path = cutOff(packedRecording());
    const recording = Recording.reopen(path);
    onTestFinished(() => recording.close());
    recording.event(eventRow({ row: EVENTS + 1, number: EVENTS + 1, atMs: EVENTS + 1 }));
    expect(recording.reader().counts().events).toBe(EVENTS + 1);
    expect(recording.resume().rows.events).toBe(EVENTS + 1);
  });

  it("is copied with all its rows", async () => {
    const path = cutOff(packedRecording());
    const copy = Recording.copyOf(path);
    onTestFinished(() => copy.close());
    expect(copy.reader().counts().events).toBe(EVENTS);
    expect(eventsIn(path)).toBe(0);
  });

  it("is shown as it is now while somebody writes it, and is not touched", async () => {
    const recording = packedRecording();
    const letGo = hold(recording.path);
    onTestFinished(letGo);
    expect(numbersIn(recording.path)).toEqual(all);
    recording.event(eventRow({ row: EVENTS + 1, number: EVENTS + 1, atMs: EVENTS + 1 }));
    recording.flush();
    expect(numbersIn(recording.path)).toHaveLength(EVENTS + 1);
    expect(eventsIn(recording.path)).toBe(0);
  });

  it("is not shown while somebody writes it where a copy would take too much memory", () => {
    const path = cutOff(packedRecording());
    const letGo = hold(path);
    // A hole at its end: it takes no room on the disk, and SQLite looks at what its first page says.
    truncateSync(path, 2 ** 30 + 4096);
    try {
      expect(() => openRecording(path)).toThrow(expect.objectContaining({ code: "recording-unsorted", path }));
    } finally {
      letGo();
    }
    expect(numbersIn(path)).toEqual(all);
  });

  it("has all of what belonged together, or nothing", () => {
    const recording = packedRecording(10);
    const input = { atMs: 11, kind: "world", json: "{}" };
    let path = "";
    const write = (): void => {
      for (let row = 11; row <= 2000; row++)
        recording.event(eventRow({ row, number: row, atMs: row, body: `${row}`.padEnd(5000) }));
      path = cutOff(recording);
    };
    const fail = (): void => {
      recording.event(eventRow({ row: 11, number: 11, atMs: 11 }));
      throw new Error("taken back");
    };
    expect(() => recording.apply(input, fail)).toThrow("taken back");
    recording.apply(input, write);
    expect(numbersIn(path)).toEqual(all.slice(0, 10));
    expect(numbersIn(cutOff(recording))).toEqual(all.slice(0, 2000));
  });

  it("is told to be damaged where it is, and stays as it was", async () => {
    const path = cutOff(packedRecording());
    const database = new Connection(path);
    database.exec("UPDATE batch SET bytes = zeroblob(100) WHERE row = 3");
    database.close();
    expect(() => openRecording(path)).toThrow(expect.objectContaining({ code: "recording-damaged", path }));
    expect(batchesIn(path)).toBeGreaterThan(3);
  });

  it("makes nothing happen but changes of rows, whatever the file says", async () => {
    const path = cutOff(packedRecording(1));
    const elsewhere = join(temporaryFolder(), "elsewhere.db");
    const bytes = new ArrayBuffer(1000);
    const encoder = new RowEncoder(bytes);
    const attach = new Connection(":memory:").prepare(`ATTACH '${elsewhere}' AS other`);
    const end = encoder.row(encoder.numberOf(attach), [], 0);
    const database = new Connection(path);
    database.prepare("INSERT INTO batch VALUES (NULL, ?)").run(Buffer.from(bytes, 0, end));
    database.close();
    expect(() => openRecording(path)).toThrow(expect.objectContaining({ code: "recording-damaged" }));
    expect(existsSync(elsewhere)).toBe(false);
  });
});
