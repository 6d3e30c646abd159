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
import type { UsedMemory } from "./heap-probe.js";
import { formatCount } from "./rates.js";

const scenario = fileURLToPath(new URL("../../bench/memory.yaml", import.meta.url));
const probe = new URL("heap-probe.js", import.meta.url).href;
const WEEKS = 6;
const WEEK_MS = 7 * 86_400_000;
/** How often the clock and the resident memory are read: wall milliseconds. */
const POLL_MS = 500;
/** The week with which the last one is compared: what is bounded has filled by then. */
const BASE_WEEK = 3;
/** By how much the last week may exceed that one. Resident memory has fragments and garbage, too. */
const GROWTH_MAX_MIB = { used: 6, resident: 24 } as const;

/** A served lab, as its first lines say. */
interface ServedLab {
  readonly name: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
}

/** Resident memory, MiB. */
interface Resident {
  /** Heap, buffers, SQLite's cache, stacks. */
  readonly ownMiB: number;
  /** Pages of files, which the operating system may reclaim. */
  readonly filesMiB: number;
}

/** A virtual week. */
interface Week {
  readonly week: number;
  /** By its end. */
  readonly events: number;
  /** At its end. */
  readonly used: UsedMemory;
  /** When it was least: V8 collects garbage late and returns pages late, which says nothing about growth. */
  readonly resident: Resident;
}

/**
 * Six virtual weeks of two served labs, in memory and with `--db`, each with a page's live stream open: what each uses
 * at the end of each week, after garbage collection. They play at once, so the bench lasts as long as one.
 *
 * @param speed - default 10000x, the highest: 6 minutes and a half. At 600x the same weeks take 100 minutes
 */
export async function benchMemory(speed = process.argv[3] ?? "10000x"): Promise<void> {
  console.log(
    `Six virtual weeks of two served labs at ${speed}, a page's live stream open: MiB after garbage collection\n`,
  );
  console.log(columns.map(([title]) => title).join("  "));
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  try {
    const verdicts = await Promise.all([
      measure("in memory", ["--speed", speed]),
      measure("with --db", ["--speed", speed, "--db", join(folder, "account.db")]),
    ]);
    console.log(`\n${verdicts.join("\n")}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Plays the weeks, prints each. @returns the verdict */
async function measure(name: string, options: readonly string[]): Promise<string> {
  const lab = await serveLab(name, options);
  const page = new WebSocket(`${lab.url.replace("http", "ws")}/console/stream`);
  let frames = 0;
  page.on("open", () => page.send(JSON.stringify({ token: lab.token })));
  page.on("message", () => frames++);
  try {
    const weeks: Week[] = [];
    for (let week = 1; week <= WEEKS; week++) {
      const played = await playUntil(lab, week * WEEK_MS);
      const measured = { week, ...played, used: await measureUsed(lab) };
      weeks.push(measured);
      printWeek(lab, measured);
    }
    return `${verdictOf(lab, weeks)}, ${formatCount(frames)} frames of the live stream came`;
  } finally {
    page.terminate();
    lab.child.kill("SIGINT");
    if (lab.child.exitCode === null) await once(lab.child, "exit");
  }
}

const columns: readonly (readonly [title: string, cell: (lab: ServedLab, week: Week) => string])[] = [
  ["account  ", ({ name }) => name],
  ["week", (_lab, { week }) => String(week)],
  ["   events", (_lab, { events }) => formatCount(events)],
  [" heap", (_lab, { used }) => used.heapMiB.toFixed(1)],
  ["buffers", (_lab, { used }) => used.buffersMiB.toFixed(1)],
  ["resident, least", (_lab, { resident }) => resident.ownMiB.toFixed(0)],
  ["mapped files", (_lab, { resident }) => resident.filesMiB.toFixed(0)],
];

/** Each week is printed when it ends: a bench that is cut short has said what it measured. */
function printWeek(lab: ServedLab, week: Week): void {
  console.log(columns.map(([title, cell]) => cell(lab, week).padStart(title.length)).join("  "));
}

function verdictOf({ name }: ServedLab, weeks: readonly Week[]): string {
  const [base, last] = [weeks[BASE_WEEK - 1], weeks[WEEKS - 1]];
  if (base === undefined || last === undefined) throw new Error(`${name}: not all weeks were measured`);
  const used = inUse(last) - inUse(base);
  const resident = last.resident.ownMiB - base.resident.ownMiB;
  const isBounded = used <= GROWTH_MAX_MIB.used && resident <= GROWTH_MAX_MIB.resident;
  return [
    `${name}, week ${WEEKS} against week ${BASE_WEEK}: heap and buffers ${signed(used)} MiB (at most ${GROWTH_MAX_MIB.used})`,
    `resident ${signed(resident)} MiB (at most ${GROWTH_MAX_MIB.resident}): ${isBounded ? "bounded" : "it grows"}`,
  ].join(", ");
}

function inUse({ used: { heapMiB, buffersMiB } }: Week): number {
  return heapMiB + buffersMiB;
}

function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${value.toFixed(1)}`;
}

/** Waits until a virtual time. @returns the count of events by then, and the least resident memory until then */
async function playUntil(lab: ServedLab, untilMs: number): Promise<Pick<Week, "events" | "resident">> {
  let least = residentOf(lab.child);
  for (;;) {
    const { clock, events } = (await ask(lab)) as { clock: { now: string }; events: number };
    const resident = residentOf(lab.child);
    if (resident.ownMiB < least.ownMiB) least = resident;
    if (Date.parse(clock.now) - startsAtMs() >= untilMs) return { events, resident: least };
    await wait(POLL_MS);
  }
}

function residentOf({ pid }: ChildProcess): Resident {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
  return { ownMiB: mebibytes("RssAnon"), filesMiB: mebibytes("RssFile") };
}

/** Asks the probe in the lab's process. The clock is paused until no answer is awaited: a backlog is no growth. */
async function measureUsed(lab: ServedLab): Promise<UsedMemory> {
  await ask(lab, "clock", { paused: true });
  while (((await ask(lab)) as { in_flight: number }).in_flight > 0) await wait(POLL_MS);
  lab.child.send("measure");
  const [used] = (await once(lab.child, "message")) as [UsedMemory];
  await ask(lab, "clock", { paused: false });
  return used;
}

/** The scenario's start. */
function startsAtMs(): number {
  return Date.parse(/^starts: (\S+)$/m.exec(readFileSync(scenario, "utf8"))?.[1] ?? "");
}

/** @param change - a POST with this body; absent: a GET */
async function ask({ url, token }: ServedLab, path = "", change?: object): Promise<unknown> {
  const headers = { authorization: `Token ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/lab/${path}`, {
    headers,
    ...(change !== undefined && { method: "POST", body: JSON.stringify(change) }),
  });
  if (!answer.ok) throw new Error(`/lab/${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function serveLab(name: string, options: readonly string[]): Promise<ServedLab> {
  const args = ["serve", scenario, "--starts", "scenario", "--port", "0", "--quiet", ...options];
  const child = spawn(process.execPath, ["--expose-gc", "--import", probe, command, ...args], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error("the lab has no output");
  for await (const line of createInterface({ input: stdout })) {
    const [, url, token] = /(https?:\S+)\/console\/#token=(\S+)/.exec(line) ?? [];
    if (url === undefined || token === undefined) continue;
    stdout.resume();
    return { name, child, url, token };
  }
  throw new Error("the lab did not start");
}
