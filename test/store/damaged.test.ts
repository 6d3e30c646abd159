import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Connection } from "../../src/store/sqlite/connection.js";
import { reportFormats } from "../../src/report/index.js";
import { startReceiver } from "../../src/receiver/index.js";
import { handset } from "../cli/terminal.js";
import { play } from "../end-to-end/support.js";
import { findFault, openRecording, Recording } from "../../src/store/index.js";
import { runs } from "../support/effort.js";
import { temporaryFolder } from "../support/folder.js";
import { channelRow, eventRow, meta } from "./samples.js";

const text = `
name: Small
seed: 7
starts: 2026-03-04T06:00:00.000Z
lasts: 8m
handsets: { clinic: { count: 2, phone: "+2507880{00000}" } }
people:
  farmers: { count: 6, of: clinic, phone: "+2507811{00000}" }
traffic:
  - { texts: { from: farmers, to: clinic, body: join }, rate: 3/m }
  - { calls: { from: farmers, to: clinic, talks: { exp: 60s } }, rate: 60/h }
story: [{ at: 5m, note: begins }]
`;

/** The recordings of both parts of a run, with answers, replies and a hand. */
interface Sample {
  readonly folder: string;
  readonly part: string;
  readonly other: string;
}

async function sample(): Promise<Sample> {
  const folder = temporaryFolder();
  const receiver = await startReceiver({ reply: "{text}", answers: { answers: "reply" } });
  for (const index of [1, 2]) {
    await play(text, {
      receiver: receiver.url,
      recording: join(folder, `${index}.db`),
      shard: { index, count: 2 },
      onStart: ({ hands }) => hands?.perform("battery", { of: "clinic", level: "50%" }),
    });
  }
  await receiver.close();
  return { folder, part: join(folder, "1.db"), other: join(folder, "2.db") };
}

type Damage = readonly [name: string, change: (path: string) => void];

function edited(sql: string): Damage {
  return [sql, (path) => edit(path, sql)];
}

function edit(path: string, sql: string): void {
  const database = new Connection(path);
  database.exec(sql);
  database.close();
}

const PAGE = 4096;

/** Fills the first page of a table or an index. @param byteAt - the byte at an offset */
function filled(name: string, byteAt: (at: number) => number): Damage {
  return [
    `a page of ${name} is overwritten`,
    (path) => {
      const database = new Connection(path);
      const page = database.prepare<[string], number>("SELECT rootpage FROM sqlite_schema WHERE name = ?", "value");
      const first = ((page.get(name) ?? 0) - 1) * PAGE;
      database.close();
      const bytes = readFileSync(path);
      for (let at = first; at < first + PAGE; at++) bytes[at] = byteAt(at);
      writeFileSync(path, bytes);
    },
  ];
}

/** Pseudo-random bytes, the same in each run. */
function noise(at: number): number {
  return Math.imul(at + 1, 0x9e3779b1) >>> 13;
}

const fact = (key: string, value: string): Damage => edited(`UPDATE run SET value = '${value}' WHERE key = '${key}'`);

const damages: readonly Damage[] = [
  ...[0, 1, 2, 40].map((pages): Damage => [`cut off at page ${pages}`, (path) => truncateSync(path, pages * PAGE)]),
  ...["run", "event", "attempt", "event_number"].map((name) => filled(name, noise)),
  ...["run", "channel", "call", "token", "contact_urn"].map((name) => filled(name, () => 0)),
  ...["{}", "null", "nonsense", '{"name":"x"}'].map((value) => fact("result", value)),
  ...["options", "preset", "lastsMs", "startsAtMs", "startedWallMs"].map((key) => fact(key, "null")),
  ...["{}", "[1]"].map((value) => fact("story", value)),
  ...["part", "worldEnd", "position"].map((key) => fact(key, "{}")),
  fact("scenario", "{}"),
  edited("DROP TABLE attempt"),
  edited("DELETE FROM event"),
  ...["0", "3", "9", "99"].map((version) => edited(`PRAGMA user_version = ${version}`)),
  edited("PRAGMA application_id = 1"),
  ...[
    "channel SET pending",
    "channel SET forwards",
    "attempt SET redirects",
    "input SET json",
    "contact SET urns",
  ].flatMap((column) => ["nonsense", "7"].map((value) => edited(`UPDATE ${column} = '${value}'`))),
  edited("UPDATE event SET body = 'nonsense', type = 'nonsense'"),
  edited("UPDATE event SET at_ms = -1"),
  edited("UPDATE event SET number = 99999999999999 - row"),
  edited("UPDATE attempt SET channel = 99999999999999"),
  edited("UPDATE attempt SET target = NULL"),
  edited("UPDATE attempt SET sent_wall_ms = 9007199254740993"),
  edited("UPDATE message SET created_at_ms = 9007199254740993"),
];

/** Every command that reads a recording. The last two also write to it. */
function commands(path: string, { folder, other }: Sample): string[][] {
  const log = join(folder, "log.jsonl");
  writeFileSync(log, '{"id":"1/1"}\n');
  return [
    ...reportFormats.map(({ name }) => ["report", path, "--format", name, "-o", join(folder, "out")]),
    ["report", other, "--compare", path],
    ["events", path],
    ["why", path, "1/1"],
    ["reconcile", path, log],
    ["replay", path, "-r", "http://127.0.0.1:9/", "--recording", "none", "--give-up-after", "20ms"],
    ["merge", path, other, "-o", join(folder, "merged.db"), "--overwrite"],
    ["run", "--resume", path],
    ["serve", "--db", path, "--port", "0"],
  ];
}

/** In the suite a damage meets a third of the commands, and a command a third of the damages. */
const SHARE = runs(3, 1);

/** Commands that report a damaged recording wrongly, with their output. @param which - selects the share of the commands */
async function wrongReports(damaged: string, made: Sample, which: number): Promise<string[]> {
  const found: string[] = [];
  const path = `${damaged}-copy`;
  const meets = (_argv: string[], index: number): boolean => (index + which) % SHARE === 0;
  for (const argv of commands(path, made).filter(meets)) {
    // Commands that write to the recording get a fresh copy.
    if (argv[0] === "report" || argv[0] === "run" || argv[0] === "serve") copyFileSync(damaged, path);
    const { code, stderr } = await handset(argv, { interrupts: (press) => setTimeout(press, 10) });
    const isSaid = code < 2 || /^handset: /m.test(stderr);
    const isShort = stderr.trim().split("\n").length <= 6 && !/^ {4}at |defect of handset-lab/m.test(stderr);
    if (!isSaid || !isShort || ![0, 1, 2, 3].includes(code)) found.push(`${argv.join(" ")}: ${code} ${stderr}`);
  }
  return found;
}

describe("a damaged recording", () => {
  it("makes every command exit with a message of at most 6 lines and a documented exit code", async () => {
    const made = await sample();
    for (const [index, [name, change]] of damages.entries()) {
      const damaged = join(made.folder, `damaged-${index}.db`);
      copyFileSync(made.part, damaged);
      // Every second recording is that of a run that was cut off.
      if (index % 2 === 1) edit(damaged, "DELETE FROM run WHERE key IN ('result', 'digest', 'endedWallMs')");
      change(damaged);
      expect(await wrongReports(damaged, made, index), name).toEqual([]);
    }
  });

  it("does so when its write-ahead log is missing", async () => {
    const made = await sample();
    const whole = join(made.folder, "whole.db");
    const recording = Recording.create(whole, meta);
    recording.channel(channelRow());
    for (let row = 1; row <= 100; row++) recording.event(eventRow({ row, number: row }));
    recording.flush();
    const damaged = join(made.folder, "without-log.db");
    copyFileSync(whole, damaged);
    recording.close();
    for (let which = 0; which < SHARE; which++) expect(await wrongReports(damaged, made, which)).toEqual([]);
  });

  it("ends each reading of an attempt whose target is missing", async () => {
    const { part } = await sample();
    edit(part, "DELETE FROM target");
    const reader = openRecording(part);
    for (const read of [() => reader.events(), () => reader.attempts()])
      expect(() => [...read()]).toThrowError(expect.objectContaining({ code: "recording-damaged" }));
    reader.close();
    expect(await handset(["events", part])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("the file is damaged"),
    });
  });

  it("is distinguished from a sound one, where an unexpected error is our defect", async () => {
    expect(findFault((await sample()).part)).toBeUndefined();
  });
});
