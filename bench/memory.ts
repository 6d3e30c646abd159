import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { command } from "./command.js";
import { formatCount } from "./rates.js";
import { printTable } from "./table.js";

const scenario = fileURLToPath(new URL("../../bench/memory.yaml", import.meta.url));
const WEEKS = 6;
const WEEK_MS = 7 * 86_400_000;
/** How often memory is read: wall milliseconds. */
const SAMPLE_MS = 250;
/** The last week may exceed the second one by this much: what is bounded has filled by then. */
const GROWTH_MAX_MIB = 20;

/** A served lab, as its first lines say. */
interface ServedLab {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
}

/** Memory of a process, MiB. */
interface Memory {
  /** Heap, buffers and SQLite's cache. */
  readonly ownMiB: number;
  /** Pages of files, which the operating system may reclaim. */
  readonly filesMiB: number;
}

/**
 * Six virtual weeks of a served lab with a page's live stream open: its memory in each week, in memory and with `--db`.
 *
 * @param speed - default 10000x, the highest: 12 minutes. At 600x the same weeks take 100 minutes each way, and as many events
 */
export async function benchMemory(speed = process.argv[3] ?? "10000x"): Promise<void> {
  console.log(`Six virtual weeks of a served lab at ${speed}, with a page's live stream open\n`);
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  try {
    for (const where of [[], ["--db", join(folder, "account.db")]]) await measure(speed, where);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(speed: string, where: readonly string[]): Promise<void> {
  const lab = await serveLab(["--speed", speed, ...where]);
  const page = new WebSocket(`${lab.url.replace("http", "ws")}/console/stream`);
  let frames = 0;
  page.on("open", () => page.send(JSON.stringify({ token: lab.token })));
  page.on("message", () => frames++);
  try {
    const rows: { readonly own: number; readonly cells: string[] }[] = [];
    for (let week = 1; week <= WEEKS; week++) {
      const { memory, events } = await leastUntil(lab, week * WEEK_MS);
      const { ownMiB, filesMiB } = memory;
      const cells = [String(week), formatCount(events), `${ownMiB.toFixed(0)} MiB`, `${filesMiB.toFixed(0)} MiB`];
      rows.push({ own: ownMiB, cells });
    }
    console.log(where.length === 0 ? "In memory" : "With --db");
    printTable(
      ["week", "events", "its own memory, least", "mapped files"],
      rows.map(({ cells }) => cells),
    );
    const growthMiB = (rows.at(-1)?.own ?? NaN) - (rows[1]?.own ?? NaN);
    const verdict = growthMiB <= GROWTH_MAX_MIB ? "bounded" : "it grows";
    console.log(`Week 6 against week 2: ${growthMiB.toFixed(0)} MiB, target at most ${GROWTH_MAX_MIB}: ${verdict}`);
    console.log(`${formatCount(frames)} frames of the live stream came\n`);
  } finally {
    page.terminate();
    lab.child.kill("SIGINT");
    await once(lab.child, "exit");
  }
}

/** Plays until a virtual time. @returns the least memory since, which garbage raises the least */
async function leastUntil(lab: ServedLab, untilMs: number): Promise<{ memory: Memory; events: number }> {
  let least: Memory = { ownMiB: Infinity, filesMiB: 0 };
  for (;;) {
    await wait(SAMPLE_MS);
    const memory = memoryOf(lab.child);
    if (memory.ownMiB < least.ownMiB) least = memory;
    const { clock, events } = (await ask(lab)) as { clock: { now: string }; events: number };
    if (Date.parse(clock.now) - startsAtMs() >= untilMs) return { memory: least, events };
  }
}

/** The scenario's start. */
function startsAtMs(): number {
  return Date.parse(/^starts: (\S+)$/m.exec(readFileSync(scenario, "utf8"))?.[1] ?? "");
}

async function ask({ url, token }: ServedLab): Promise<unknown> {
  const answer = await fetch(`${url}/lab/`, { headers: { authorization: `Token ${token}` } });
  return answer.json();
}

function memoryOf({ pid }: ChildProcess): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
  return { ownMiB: mebibytes("RssAnon"), filesMiB: mebibytes("RssFile") };
}

async function serveLab(options: readonly string[]): Promise<ServedLab> {
  const args = ["serve", scenario, "--starts", "scenario", "--port", "0", "--quiet", ...options];
  const child = spawn(process.execPath, [command, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url, token] = /(https?:\S+)\/console\/#token=(\S+)/.exec(line) ?? [];
    if (url === undefined || token === undefined) continue;
    child.stdout.resume();
    return { child, url, token };
  }
  throw new Error("the lab did not start");
}
