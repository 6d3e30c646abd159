import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { Connection } from "../src/store/sqlite/connection.js";
import { parseForm } from "../src/wire/index.js";
import { maxRssMiBOf, timedCommand } from "./command.js";
import { millionRecording } from "./million.js";
import { formatCount, formatRatio } from "./rates.js";
import { medianOf, printTable } from "./table.js";
import { secondsOfScan } from "./timed.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const TARGET = 6;

/** Rows that `handset reconcile` reads at most. */
const ROWS_MAX = 1_000_000;

/** The columns of each log, by what its rows are matched by. */
const logs: Readonly<Record<string, readonly string[]>> = {
  "by id": ["id", "phone", "text", "time"],
  "by number": ["sms", "phone", "text", "time"],
  "by phone, text and time": ["phone", "text", "time"],
};

/** `handset reconcile` of a million rows with a million events, as ratios to a plain scan of the event table. */
export async function benchReconcile(): Promise<void> {
  const recording = await millionRecording();
  const path = (name: string): string => recording.replace(/\.db$/, `-${name.replaceAll(/\W+/g, "-")}.csv`);
  try {
    const rows = writeLogs(recording, path);
    console.log(`A log of ${formatCount(rows)} rows, ${ROUNDS} rounds\n`);
    const scans: number[] = [];
    const taken = new Map(Object.keys(logs).map((name) => [name, [] as { seconds: number; mib: number }[]]));
    for (let round = 0; round < ROUNDS; round++) {
      scans.push(secondsOfScan(recording));
      for (const [name, list] of taken) list.push(reconcile(recording, path(name)));
    }
    printTable(
      ["reconcile", "seconds", "of a scan", "target", "memory"],
      [
        ["plain scan", medianOf(scans).toFixed(2), "1.00x", "", ""],
        ...Array.from(taken, ([name, list]) => {
          const ratio = medianOf(list.map(({ seconds }, round) => seconds / (scans[round] ?? NaN)));
          return [
            name,
            medianOf(list.map(({ seconds }) => seconds)).toFixed(2),
            formatRatio(ratio),
            `${formatRatio(TARGET)}${ratio <= TARGET ? "" : " MISSED"}`,
            `${medianOf(list.map(({ mib }) => mib)).toFixed(0)} MiB`,
          ];
        }),
      ],
    );
  } finally {
    for (const name of Object.keys(logs)) rmSync(path(name), { force: true });
  }
}

/** Writes what a receiver would have in its log, in each layout. @returns the number of rows */
function writeLogs(recording: string, path: (name: string) => string): number {
  const files = Object.entries(logs).map(([name, columns]) => ({ columns, file: openSync(path(name), "w") }));
  for (const { columns, file } of files) writeSync(file, `${columns.join()}\n`);
  let rows = 0;
  for (const { channel, number, body } of eventsOf(recording)) {
    if (rows === ROWS_MAX) break;
    const id = `${channel}/${number}`;
    const values = new Map([...parseForm(body), ["id", id]]);
    for (const { columns, file } of files) {
      writeSync(file, `${columns.map((column) => `"${values.get(column)?.replaceAll('"', '""') ?? ""}"`).join()}\n`);
    }
    rows++;
  }
  for (const { file } of files) closeSync(file);
  return rows;
}

interface EventRow {
  readonly row: number;
  readonly channel: number;
  readonly number: number;
  readonly body: string;
}

/** The events of a recording, in their order. */
function* eventsOf(recording: string): Generator<EventRow> {
  const database = new Connection(recording, { readonly: true });
  const page = database.prepare<[number], EventRow>(
    "SELECT row, channel, number, body FROM event WHERE row > ? ORDER BY row LIMIT 1000",
  );
  try {
    for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.row ?? Infinity)) yield* rows;
  } finally {
    database.close();
  }
}

/** Exit code 1 is an outcome: the recording has a few events more than the log has rows. */
function reconcile(recording: string, log: string): { readonly seconds: number; readonly mib: number } {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(...timedCommand(["reconcile", recording, log]), { encoding: "utf8" });
  if (status !== 0 && status !== 1) throw new Error(`handset reconcile exited with ${status}: ${stderr}`);
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, mib: maxRssMiBOf(stderr) };
}
