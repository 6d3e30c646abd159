import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Database } from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { Connection } from "../../src/store/sqlite/connection.js";
import {
  lockRecording,
  joinRecordings,
  openRecording,
  Recording,
  type RecordingReader,
} from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { attemptRow, channelRow, eventRow, messageRow, meta } from "./samples.js";

/** The native object behind a better-sqlite3 Database. */
interface Native {
  prepare: (this: Native, ...given: unknown[]) => object;
  exec: (this: Native, ...given: unknown[]) => void;
}

/** Collects weak references to all native objects that better-sqlite3 creates until the test ends. */
function trackNativeObjects(): { readonly made: WeakRef<object>[] } {
  const database = new Connection(":memory:");
  const own = database.prepare("SELECT 1") as unknown as { readonly database: Database };
  const [key] = Object.getOwnPropertySymbols(own.database);
  const inner = (own.database as unknown as Record<symbol, object>)[key as symbol];
  const native = Object.getPrototypeOf(inner) as Native;
  const made: WeakRef<object>[] = [];
  const known = new WeakSet<object>();
  const note = (one: object): void => {
    if (!known.has(one)) made.push(new WeakRef(one));
    known.add(one);
  };
  const { prepare, exec } = native;
  native.prepare = function (...given) {
    note(this);
    const statement = prepare.apply(this, given);
    note(statement);
    return statement;
  };
  native.exec = function (...given) {
    note(this);
    exec.apply(this, given);
  };
  onTestFinished(() => {
    Object.assign(native, { prepare, exec });
    database.close();
  });
  return { made };
}

async function collect(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  // A WeakRef that was read keeps its target alive until the turn ends.
  for (let n = 0; n < 3; n++) {
    await turn();
    gc();
  }
}

function readAll(reader: RecordingReader): void {
  reader.meta();
  reader.end();
  reader.counts();
  reader.eventFates({ attempts: 3, flowAttempts: 3 });
  reader.lastAtMs();
  reader.wallEnds();
  reader.attemptsOf(1, 1);
  reader.eventOf(1, 1);
  for (const list of ["events", "attempts", "messages", "channels", "contacts", "notes", "eventTimes"] as const) {
    expect([...reader[list]()].length, list).toBeGreaterThanOrEqual(0);
  }
}

function write(recording: Recording): void {
  recording.channel(channelRow());
  recording.message(messageRow());
  recording.event(eventRow());
  recording.attempt(attemptRow());
  recording.input({ atMs: 0, kind: "api", json: "{}" });
}

/** Uses everything in the store that opens a database. A separate function, so that no local variable stays alive. */
async function useAll(folder: string): Promise<void> {
  const [path, other, joined] = ["run.db", "other.db", "joined.db"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const recording = Recording.create(path, meta);
  write(recording);
  const { lists, log } = recording.prepareToServe();
  lists.messages.page({ order: "created", filters: [["kept"]], size: 250 });
  lists.messages.get(1);
  log.scan({ by: "all", above: 0, below: 9, direction: "older" });
  log.attemptsOf({ channel: 1, number: 1 });
  recording.undelivered({ attempts: 3, flowAttempts: 3 });
  recording.readGatewayState();
  readAll(recording.reader());
  expect(recording.bytes).toBeGreaterThan(0);
  Recording.copyOf(recording.snapshot()).close();
  expect(() => Recording.create(path, meta)).toThrow("exists");
  recording.finish({ digest: "", resultJson: "{}", endedWallMs: 0 });
  recording.close();
  const threaded = Recording.create(other, meta);
  await threaded.writeInThread(() => undefined);
  write(threaded);
  threaded.reexecute();
  threaded.close();
  Recording.reopen(path).close();
  Recording.copyOf(path).close();
  const reader = openRecording(path);
  readAll(reader);
  reader.close();
  const parts = [path, other].map((part) => ({ path: part, wallOffsetMs: 0 }));
  joinRecordings(parts, joined, { meta, overwrite: false });
  lockRecording(path)();
  writeFileSync(
    joined,
    "not a database, and longer than the header of a database, which has 100 bytes, so that SQLite reads on",
  );
  expect(() => openRecording(joined)).toThrow("not a recording");
}

describe("a native object of better-sqlite3", () => {
  it("is never garbage collected: that would crash the process on Node 24", async () => {
    const { made } = trackNativeObjects();
    await useAll(temporaryFolder());
    await collect();
    expect(made.length).toBeGreaterThan(300);
    expect(made.filter((one) => one.deref() === undefined)).toHaveLength(0);
  });

  it("is created once for repeated queries", () => {
    const recording = Recording.create(":memory:", meta);
    onTestFinished(() => recording.close());
    write(recording);
    const { lists, log } = recording.prepareToServe();
    const query = (n: number): void => {
      lists.messages.page({ order: "created", filters: [["contact", n], ["kept"]], size: 250 });
      lists.contacts.get(n);
      log.scan({ by: "type", value: `type-${n}`, above: 0, below: n + 1, direction: "older" });
      log.firstRowFrom(n);
      readAll(recording.reader());
      recording.keep(`key-${n}`, String(n));
      recording.settleEvents();
      recording.readGatewayState();
      expect(recording.bytes).toBeGreaterThan(0);
    };
    // One page of each size that has a prepared statement.
    for (const n of [0, 40, 200]) query(n);
    const { made } = trackNativeObjects();
    for (let n = 0; n < 500; n++) query(n);
    expect(made.filter((one) => (one.deref() as { readonly source?: string } | undefined)?.source)).toHaveLength(0);
  });
});

describe("a connection", () => {
  function opened(): Connection {
    const database = new Connection(":memory:");
    onTestFinished(() => database.close());
    database.exec("CREATE TABLE pair (a, b); INSERT INTO pair VALUES (1, 2), (3, 4)");
    return database;
  }

  it("prepares one statement for each pair of SQL and row shape", () => {
    const database = opened();
    const select = "SELECT a, b FROM pair WHERE a > ? ORDER BY a";
    expect(database.prepare(select)).toBe(database.prepare(select, "row"));
    expect(database.prepare(select, "value").all(0)).toEqual([1, 3]);
    expect(database.prepare(select, "tuple").all(0)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(database.prepare(select).all(2)).toEqual([{ a: 3, b: 4 }]);
    expect(database.prepare(select, "value").get(2)).toBe(3);
  });

  it("reads the current value of a setting", () => {
    const database = opened();
    expect(database.setting("user_version")).toBe(0);
    database.exec("PRAGMA user_version = 3");
    expect(database.setting("user_version")).toBe(3);
  });

  it("rolls back a transaction with the nested ones in it", () => {
    const database = opened();
    const rows = (): unknown => database.prepare("SELECT count(*) FROM pair", "value").get();
    const add = (): void => database.exec("INSERT INTO pair VALUES (5, 6)");
    const fail = (): void =>
      database.transaction(() => {
        database.transaction(add);
        throw new Error("rolled back");
      });
    expect(fail).toThrow("rolled back");
    expect([rows(), database.inTransaction]).toEqual([2, false]);
    expect(database.transaction(() => (database.transaction(add), rows()))).toBe(3);
    expect([rows(), database.inTransaction]).toEqual([3, false]);
  });
});
