import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command } from "./command.js";
import { medianOf, printTable } from "./table.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 7);

const firstDay = fileURLToPath(new URL("../../scenarios/first-day.yaml", import.meta.url));

/** Wall time of each kind of start in one round, milliseconds. */
interface Round {
  readonly node: number;
  readonly version: number;
  readonly firstDay: number;
  readonly serve: number;
}

/** How long a user waits: `--version`, the first scenario from start to end, and `serve` until it answers. */
export async function benchStart(): Promise<void> {
  console.log(`Starts of the bundled command, wall time, ${ROUNDS} rounds in turns\n`);
  const folder = mkdtempSync(join(tmpdir(), "handset-bench-"));
  try {
    // Not counted: it brings the files into the page cache.
    await measureRound(folder);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(folder));
    const row = (what: string, targetMs: number | undefined, of: (round: Round) => number): string[] => {
      const median = medianOf(rounds.map(of));
      const target = targetMs === undefined ? "" : `${targetMs} ms${median <= targetMs ? "" : " MISSED"}`;
      return [what, `${median.toFixed(0)} ms`, `${Math.min(...rounds.map(of)).toFixed(0)} ms`, target];
    };
    printTable(
      ["what", "median", "fastest", "target"],
      [
        row("node -e 0", undefined, ({ node }) => node),
        row("handset --version, beyond node -e 0", 100, ({ version, node }) => version - node),
        row("handset run scenarios/first-day.yaml -q", 600, (round) => round.firstDay),
        row("handset serve, to its first answer", 700, ({ serve }) => serve),
      ],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureRound(folder: string): Promise<Round> {
  return {
    node: runToEnd(["-e", "0"], folder),
    version: runToEnd([command, "--version"], folder),
    firstDay: runToEnd([command, "run", firstDay, "-q"], folder),
    serve: await serveToFirstAnswer(folder),
  };
}

/** Runs Node in a folder, where `run` leaves its recording. @returns wall time from start to exit, milliseconds */
function runToEnd(args: readonly string[], folder: string): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const wallMs = performance.now() - startedAt;
  if (status !== 0) throw new Error(`node ${args.join(" ")} exited with ${status}: ${stderr.slice(-500)}`);
  return wallMs;
}

/** Starts `serve` with the ready account and requests its contacts. @returns wall time to the response, milliseconds */
async function serveToFirstAnswer(folder: string): Promise<number> {
  const token = "0123456789abcdef";
  const startedAt = performance.now();
  const child = spawn(process.execPath, [command, "serve", "--port", "0", "--token", token], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const address = /REST API +(\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once("exit", () => reject(new Error(`handset serve exited: ${output}${errors}`)));
  });
  const response = await fetch(`${url}contacts.json`, { headers: { authorization: `Token ${token}` } });
  const wallMs = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`the first answer has status ${response.status}, expected 200`);
  await response.arrayBuffer();
  const exited = once(child, "exit");
  child.kill("SIGINT");
  await exited;
  return wallMs;
}
