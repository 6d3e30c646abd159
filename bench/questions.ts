import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command, playFile } from "./command.js";
import { formatCount, formatRatio } from "./rates.js";
import { medianOf, printTable } from "./table.js";
import { secondsOf, secondsOfScan } from "./timed.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const scenario = fileURLToPath(new URL("../../bench/questions.yaml", import.meta.url));

/** One attempt in this many gets no answer. */
const UNANSWERED = 1000;

/** A question to a recording, and how long its answer may take: in plain scans, or in seconds. */
interface Question {
  readonly name: string;
  readonly args: (at: Files) => readonly string[];
  readonly target: { readonly scans: number } | { readonly seconds: number };
}

interface Files {
  readonly recording: string;
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
    const files = { recording: join(folder, "run.db"), page: join(folder, "run.html") };
    const count = await makeRecording(files.recording);
    const output = join(folder, "output");
    const megabytes = statSync(files.recording).size / 1e6;
    console.log(`Questions to ${formatCount(count)} events (${megabytes.toFixed(0)} MB), ${ROUNDS} rounds\n`);
    const scans: number[] = [];
    const taken = questions.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      scans.push(secondsOfScan(files.recording));
      for (const [index, { args }] of questions.entries()) {
        taken[index]?.push(secondsOf([command, ...args(files)], output));
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
