import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "./browser.js";
import { command } from "./command.js";
import { countFrames, framesOf, type PageFigures, percent } from "./count-frames.js";
import { medianOf, printTable } from "./table.js";

const scenario = fileURLToPath(new URL("../../bench/console.yaml", import.meta.url));

/** Runs of each kind at --pace max, alternating. */
const ROUNDS = 5;
/** Seconds in which the frames of the page are counted. */
const PAGE_SECONDS = 15;

/** A run, and what its process used. */
interface Run {
  readonly wallMs: number;
  readonly events: number;
  readonly cpuMs: number;
  readonly page: PageFigures | undefined;
}

/**
 * The console with 10,000 handsets and 2,000 events a second, in a real Chromium: its frames per second, and what a
 * page that is attached takes of a run at --pace max. Server and browser have a core each (Linux: `taskset`).
 */
export async function benchConsole(): Promise<void> {
  // Browsers that this process starts inherit its core. On two shared cores the browser would take the server's time.
  execFileSync("taskset", ["-cp", "1", String(process.pid)], { stdio: "ignore" });
  const paced = await play("1x", true);
  const rounds: (readonly [without: Run, attached: Run])[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push([await play("max", false), await play("max", true)]);
  const perSecond = ({ events, wallMs }: Run): number => (1000 * events) / wallMs;
  const cpu = ({ events, cpuMs }: Run): number => (1000 * cpuMs) / events;
  const row = (name: string, run: (round: readonly [Run, Run]) => Run): string[] => [
    name,
    Math.round(medianOf(rounds.map((round) => perSecond(run(round))))).toLocaleString("en"),
    `${medianOf(rounds.map((round) => cpu(run(round)))).toFixed(0)} µs`,
    framesOf(run(rounds[0] as readonly [Run, Run]).page),
  ];
  printTable(
    ["10,000 handsets", "events/s", "CPU an event", "page"],
    [
      [
        "1x, 2,000 events/s, attached",
        Math.round(perSecond(paced)).toLocaleString("en"),
        `${cpu(paced).toFixed(0)} µs`,
        framesOf(paced.page),
      ],
      row("max, no page", ([without]) => without),
      row("max, attached", ([, attached]) => attached),
    ],
  );
  const lost = rounds.map(([without, attached]) => 1 - perSecond(attached) / perSecond(without));
  const lostCpu = rounds.map(([without, attached]) => cpu(attached) / cpu(without) - 1);
  console.log(
    `An attached page takes ${percent(medianOf(lost))} of the throughput, ${percent(medianOf(lostCpu))} more CPU time\n`,
  );
}

/** Plays the scenario on a core of its own. @param isAttached - a Chromium shows the fleet meanwhile */
async function play(pace: string, isAttached: boolean): Promise<Run> {
  const run = ["run", scenario, "--pace", pace, "--api", "0", "--recording", "none", "--json", "--connections", "20"];
  const child = spawn("taskset", [
    "-c",
    "0",
    "/usr/bin/env",
    "time",
    "-f",
    "cpu %U %S",
    process.execPath,
    command,
    ...run,
  ]);
  let cpuMs = 0;
  let page: Promise<PageFigures> | undefined;
  let output = "";
  child.stdout.on("data", (part: Buffer) => (output += String(part)));
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url, token] = /^Control API at (\S+)\/lab\/, token (\S+)/.exec(line) ?? [];
    if (isAttached && url !== undefined) page = watchPage(`${url}/console/#token=${token}`);
    const [, user, system] = /^cpu ([\d.]+) ([\d.]+)/.exec(line) ?? [];
    if (user !== undefined) cpuMs = 1000 * (Number(user) + Number(system));
  }
  if (child.exitCode === null) await once(child, "exit");
  const result = JSON.parse(output) as { wallMs: number; attempts: { accepted: number }; lost: number };
  if (result.lost !== 0) throw new Error(`the ledger does not close: ${result.lost} lost`);
  return { wallMs: result.wallMs, events: result.attempts.accepted, cpuMs, page: await page };
}

/** Counts the frames of the fleet's view. */
async function watchPage(link: string): Promise<PageFigures> {
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await tab.goto(link);
    await tab.locator("main").waitFor();
    await tab.evaluate("location.hash = '#/fleet'");
    await tab.locator("canvas").first().waitFor();
    return await countFrames(tab, 1000 * PAGE_SECONDS);
  } finally {
    await browser.close();
  }
}
