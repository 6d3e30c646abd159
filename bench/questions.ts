import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, createReadStream, createWriteStream, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { command, playFile } from "./command.js";
import { formatCount, formatRatio } from "./rates.js";
import { medianOf, printTable } from "./table.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const scenario = fileURLToPath(new URL("../../bench/questions.yaml", import.meta.url));
const scan = fileURLToPath(new URL("./scan-events.js", import.meta.url));

/** Of these attempts one has no answer. */
const UNANSWERED = 1000;

/** Most rows that `handset reconcile` reads. */
const LOG_ROWS = 1_000_000;

/** A question to a recording, and how long its answer may take: in plain scans, or in seconds. */
interface Question {
  readonly name: string;
  readonly args: (at: Files) => readonly string[];
  readonly target: { readonly scans: number } | { readonly seconds: number };
}

interface Files {
  readonly recording: string;
  readonly log: string;
  readonly page: string;
}

const events = (name: string, ...filters: readonly string[]): Question => ({
  name: `events ${name}`,
  args: ({ recording }) => ["events", recording, ...filters],
  target: { scans: filters.length === 0 ? 6 : 1 },
});

const questions: readonly Question[] = [
  events("--person, a number", "--person", "+250790005118"),
  events("--person, 16 people", "--person", "people/5..20"),
  events("--person, two far apart", "--person", "people/5,people/9999"),
  events("--outcome timeout", "--outcome", "timeout"),
  events("--outcome untried", "--outcome", "untried"),
  events("--of, one handset", "--of", "fleet/7"),
  events("--of, one handset's minute", "--of", "fleet/7", "--from", "10m", "--to", "11m"),
  events("--type alarm", "--type", "alarm"),
  events("--from, the last second", "--from", "34m59s"),
  events("--person --type --outcome", "--person", "people/5118", "--type", "mo_sms", "--outcome", "accepted"),
  events("(the whole dump)"),
  {
    name: "reconcile, a million rows",
    args: ({ recording, log }) => ["reconcile", recording, log],
    target: { scans: 6 },
  },
  {
    name: "report --format html",
    args: ({ recording, page }) => ["report", recording, "--format", "html", "-o", page],
    target: { scans: 1 },
  },
  { name: "report", args: ({ recording }) => ["report", recording], target: { seconds: 1 } },
  { name: "why", args: ({ recording }) => ["why", recording, "8/3"], target: { seconds: 1 } },
];

/** Questions to a recording of a million events, as ratios to a plain scan of the event table in the same round. */
export async function benchQuestions(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  try {
    const files = { recording: join(folder, "run.db"), log: join(folder, "log.csv"), page: join(folder, "run.html") };
    const count = await makeRecording(files.recording);
    const lines = join(folder, "events.jsonl");
    secondsOf([command, "events", files.recording], lines);
    await writeLog(lines, files.log);
    const megabytes = statSync(files.recording).size / 1e6;
    console.log(`Questions to ${formatCount(count)} events (${megabytes.toFixed(0)} MB), ${ROUNDS} rounds\n`);
    const scans: number[] = [];
    const taken = questions.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      scans.push(secondsOf([scan, files.recording], lines));
      for (const [index, { args }] of questions.entries()) {
        taken[index]?.push(secondsOf([command, ...args(files)], lines));
      }
    }
    printTable(
      ["question", "seconds", "of a scan", "target"],
      [
        ["plain scan", medianOf(scans).toFixed(2), "1.00x", ""],
        ...questions.map(({ name, target }, index) => {
          const seconds = taken[index] ?? [];
          const ratio = medianOf(seconds.map((one, round) => one / (scans[round] ?? NaN)));
          const isMet = "scans" in target ? ratio <= target.scans : medianOf(seconds) <= target.seconds;
          const allowed = "scans" in target ? formatRatio(target.scans) : `${target.seconds} s`;
          return [name, medianOf(seconds).toFixed(2), formatRatio(ratio), `${allowed}${isMet ? "" : " MISSED"}`];
        }),
      ],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Plays the scenario against a receiver that leaves some attempts unanswered. @returns the number of events */
async function makeRecording(recording: string): Promise<number> {
  let requests = 0;
  const receiver = createServer((request, response) => {
    request.resume();
    if (++requests % UNANSWERED !== 0) response.end("{}");
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  try {
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/events`;
    const { attempts } = await playFile(scenario, url, recording, ["--pace", "max"]);
    return attempts.accepted;
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

/** Runs Node on a script with its output in a file. Exit code 1 is an answer: what was compared differs. */
function secondsOf(args: readonly string[], output: string): number {
  const file = openSync(output, "w");
  try {
    const startedAt = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", file, "pipe"] });
    if (status !== 0 && status !== 1) throw new Error(`${args.join(" ")} exited with ${status}: ${String(stderr)}`);
    return (performance.now() - startedAt) / 1000;
  } finally {
    closeSync(file);
  }
}

/** Writes what a receiver would have in its log: a row for each event, up to the limit of `reconcile`. */
async function writeLog(lines: string, path: string): Promise<void> {
  const log = createWriteStream(path);
  log.write("id,type,phone,text,time\n");
  let rows = 0;
  for await (const line of createInterface({ input: createReadStream(lines) })) {
    const { id, type, fields } = JSON.parse(line) as { id: string; type: string; fields: Record<string, string> };
    const { phone = "", text = "", time = "" } = fields;
    if (!log.write(`${id},${type},${phone},"${text}",${time}\n`)) await once(log, "drain");
    if (++rows === LOG_ROWS) break;
  }
  log.end();
  await once(log, "finish");
}
