import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Connection } from "../src/store/connection.js";
import { artillery, autocannon, CONNECTIONS, installPeers, type Peers, startNginx, wrk } from "./peers.js";
import { medianOf, printTable } from "./table.js";
import { timerLateness } from "./timer-lateness.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 4);
const SECONDS = 8;

/** A body of the scenario, so that the peers send the same. */
const body =
  "event=mo_sms&relayer=512&relayer_phone=%2B250780000511&phone=%2B250790005118&text=maize+12kg%2C+road+open" +
  "&time=1772582400000&sms=536870913&direction=I&status=D&channel=512&occurred=2026-03-04T00%3A00%3A00.000Z&x=1234567890123456";

const program = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
const scenario = fileURLToPath(new URL("../../bench/load.yaml", import.meta.url));
const installed = fileURLToPath(new URL("../peers", import.meta.url));

interface Result {
  readonly wallMs: number;
  readonly attempts: { readonly accepted: number };
  readonly latenessMs?: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly lost: number;
}

/** Plays the scenario, or something else of the command, with `--json`. */
function handset(args: readonly string[]): Result & { readonly maxRssMiB: number; readonly commandMs: number } {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(
    "/usr/bin/env",
    ["time", "-f", "%M", process.execPath, program, ...args],
    {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  if (status !== 0) throw new Error(`handset ${args.join(" ")} ended with ${status}: ${stderr.slice(-500)}`);
  const result = JSON.parse(stdout) as Result;
  if (result.lost !== 0) throw new Error("the ledger does not close");
  const maxRssMiB = Number(stderr.trim().split("\n").at(-1)) / 1024;
  return { ...result, maxRssMiB, commandMs: performance.now() - startedAt };
}

function play(url: string, recording: string, more: readonly string[] = []): ReturnType<typeof handset> {
  const options = ["--receiver", url, "--recording", recording, "--overwrite", "--no-report", "--json", "--quiet"];
  return handset(["run", scenario, "--connections", String(CONNECTIONS), ...options, ...more]);
}

function eventsPerSecond({ attempts, wallMs }: Result): number {
  return (attempts.accepted * 1000) / wallMs;
}

/** The whole way of an event, everything recorded, beside tools that send one body again and again. */
export async function benchLoad(): Promise<void> {
  console.log(
    `Events a second, closed model, ${CONNECTIONS} connections, nginx answering 200 {}; ${ROUNDS} rounds in turns\n`,
  );
  installPeers(installed);
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  const nginx = await startNginx(folder);
  const peers: Peers = { folder: installed, url: nginx.url, body };
  const recording = join(folder, "load.db");
  const rates: Record<string, number[]> = {};
  const note = (name: string, rate: number): void => void (rates[name] ??= []).push(rate);
  /** The machine's speed changes within minutes: what is measured is compared with a peer just before and just after it. */
  const beside = (peer: string, name: string, rate: number, again: () => number): void => {
    const before = rates[peer]?.at(-1) ?? NaN;
    const after = again();
    note(peer, after);
    note(`${name} / ${peer}`, (2 * rate) / (before + after));
  };
  const besideAutocannon = (name: string, rate: number): void => {
    note(name, rate);
    beside("autocannon", name, rate, () => autocannon(peers, SECONDS));
  };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      note("artillery", artillery(peers, SECONDS));
      note("autocannon", autocannon(peers, SECONDS));
      const ours = play(nginx.url, recording, ["--pace", "max"]);
      besideAutocannon("ours", eventsPerSecond(ours));
      beside("artillery", "ours", eventsPerSecond(ours), () => artillery(peers, SECONDS));
      note("whole command", eventsPerSecond({ ...ours, wallMs: ours.commandMs }));
      const again = handset([
        "replay", recording, "--receiver", nginx.url, "--recording", join(folder, "again.db"), "--overwrite",
        "--pace", "max", "--connections", String(CONNECTIONS), "--json", "--quiet",
      ]); // prettier-ignore
      besideAutocannon("replay", eventsPerSecond(again));
      besideAutocannon("unrecorded", eventsPerSecond(play(nginx.url, "none", ["--pace", "max"])));
      note("wrk", wrk(peers, SECONDS));
    }
    const rate = (name: string): number => medianOf(rates[name] ?? []);
    const row = (what: string, ours: string, peer: string, must: string, aim: string): string[] => {
      const paired = rates[`${ours} / ${peer}`];
      return [
        what,
        Math.round(rate(ours)).toLocaleString("en"),
        Math.round(rate(peer)).toLocaleString("en"),
        `${(paired === undefined ? rate(ours) / rate(peer) : medianOf(paired)).toFixed(2)}x`,
        must,
        aim,
      ];
    };
    printTable(
      ["what", "ours/s", "peer/s", "ratio", "must", "aim"],
      [
        row("max against autocannon", "ours", "autocannon", "1.1x", "1.5x"),
        row("max against wrk", "ours", "wrk", "0.25x", "0.5x"),
        row("replay against autocannon", "replay", "autocannon", "1.4x", "2x"),
        row("max against Artillery", "ours", "artillery", "20x", "30x"),
        row("with full recording / without", "ours", "unrecorded", "0.70x", "0.85x"),
      ],
    );
    for (const name of ["ours / autocannon", "replay / autocannon", "ours / artillery"]) {
      console.log(`${name}, by rounds: ${(rates[name] ?? []).map((ratio) => `${ratio.toFixed(2)}x`).join(" ")}`);
    }
    console.log(
      `max, from the command's start to its end, with the recording's tables filled and indexed: ` +
        `${Math.round(rate("whole command")).toLocaleString("en")} events a second\n`,
    );
    await lateness(nginx.url, recording);
  } finally {
    nginx.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Paced: how late requests leave, beside a loop that does nothing but watch the time. */
async function lateness(url: string, recording: string): Promise<void> {
  console.log("Lateness of sending at 5,000 events a second, paced 1x, 20 s, everything recorded\n");
  const set = ["--set", "traffic.0.rate=5000/s", "--set", "lasts=20s", "--pace", "1x"];
  const { latenessMs } = play(url, recording, set);
  const bare = await timerLateness({ ratePerSecond: 5000, seconds: 10 });
  const ms = (value: number | undefined): string => `${(value ?? NaN).toFixed(2)} ms`;
  printTable(
    ["what", "p50", "p99", "max", "must", "aim"],
    [
      ["handset run", ms(latenessMs?.p50), ms(latenessMs?.p99), ms(latenessMs?.max), "p99 2 ms", "1 ms"],
      ["bare timer loop", ms(bare.p50), ms(bare.p99), ms(bare.max), "", ""],
    ],
  );
}

/** 100,000 phones that live, and a recording of a million events reported. */
export async function benchSize(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  const nginx = await startNginx(folder);
  try {
    const recording = join(folder, "size.db");
    const many = ["--set", "handsets.fleet.count=100000", "--set", "people.people.count=100000", "--set", "lasts=10m"];
    const { maxRssMiB } = play("none", recording, [...many, "--set", "traffic.0.rate=200/s"]);
    const million = play(nginx.url, recording, ["--pace", "max", "--set", "lasts=2020s"]);
    const page = join(folder, "size.html");
    const startedAt = performance.now();
    spawnSync(process.execPath, [program, "report", recording, "--format", "html", "-o", page]);
    const seconds = (performance.now() - startedAt) / 1000;
    printTable(
      ["what", "measured", "must", "aim"],
      [
        ["resident memory, 100,000 live handsets", `${maxRssMiB.toFixed(0)} MiB`, "1,024 MiB", "512 MiB"],
        [
          `HTML report of ${million.attempts.accepted.toLocaleString("en")} events`,
          `${seconds.toFixed(1)} s`,
          "10 s",
          "3 s",
        ],
      ],
    );
  } finally {
    nginx.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Ten million events in one run: does it slow down? */
export async function benchLong(): Promise<void> {
  console.log("Ten million events in one run, everything recorded\n");
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  const nginx = await startNginx(folder);
  try {
    const recording = join(folder, "long.db");
    const { attempts, maxRssMiB } = play(nginx.url, recording, [
      "--pace",
      "max",
      "--set",
      "lasts=20200s",
      "--max-size",
      "60GiB",
    ]);
    const database = new Connection(recording, { readonly: true });
    const rateOf = (from: number, to: number): number => {
      const seconds = database
        .prepare<[number, number], number>(
          "SELECT count(*) FROM attempt WHERE row > ? AND row <= ? GROUP BY cast(sent_wall_ms / 1000 AS INTEGER) ORDER BY 1",
          "value",
        )
        .all(from, to);
      return medianOf(seconds);
    };
    const early = rateOf(500_000, 1_500_000);
    const late = rateOf(9_000_000, 10_000_000);
    database.close();
    printTable(
      ["what", "measured", "must", "aim"],
      [
        ["events", attempts.accepted.toLocaleString("en"), "", ""],
        ["median a second, events 0.5-1.5 M", Math.round(early).toLocaleString("en"), "", ""],
        ["median a second, events 9-10 M", Math.round(late).toLocaleString("en"), "", ""],
        ["ratio", (late / early).toFixed(2), "0.9", "1"],
        ["resident memory", `${maxRssMiB.toFixed(0)} MiB`, "", ""],
      ],
    );
  } finally {
    nginx.stop();
    rmSync(folder, { recursive: true });
  }
}
