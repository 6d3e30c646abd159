/** The command as its users start it, playing a thousand phones that take in texts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CONNECTIONS } from "./peers.js";

export const program: string = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
const scenario = fileURLToPath(new URL("../../bench/load.yaml", import.meta.url));

/** What the command says of a run with `--json`, and what it took. */
export interface Played {
  readonly wallMs: number;
  readonly attempts: { readonly accepted: number };
  readonly latenessMs?: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly lost: number;
  readonly maxRssMiB: number;
  /** From the command's start to its end. */
  readonly commandMs: number;
}

/** Runs the command with `--json`. @throws Error when it fails, or when its ledger does not close */
async function handset(args: readonly string[]): Promise<Played> {
  const startedAt = performance.now();
  const command = spawn("/usr/bin/env", ["time", "-f", "%M", process.execPath, program, ...args]);
  const [said, problems] = [textOf(command.stdout), textOf(command.stderr)];
  const [status] = (await once(command, "close")) as [number | null];
  const stderr = (await problems).trim();
  if (status !== 0) throw new Error(`handset ${args.join(" ")} ended with ${status}: ${stderr.slice(-500)}`);
  const result = JSON.parse(await said) as Omit<Played, "maxRssMiB" | "commandMs">;
  if (result.lost !== 0) throw new Error("the ledger does not close");
  const maxRssMiB = Number(stderr.split("\n").at(-1)) / 1024;
  return { ...result, maxRssMiB, commandMs: performance.now() - startedAt };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const piece of stream) text += String(piece);
  return text;
}

/** How a run or a replay is played, beside what the bench varies. */
function playedBy(connections: number): string[] {
  return ["--connections", String(connections), "--overwrite", "--json", "--quiet"];
}

/** Plays the scenario. @param more - further options of the command */
export function play(
  url: string,
  recording: string,
  more: readonly string[],
  connections: number = CONNECTIONS,
): Promise<Played> {
  const where = ["--receiver", url, "--recording", recording, "--no-report"];
  return handset(["run", scenario, ...where, ...playedBy(connections), ...more]);
}

/** Plays a recording again, as fast as it goes, and records that. */
export function replay(
  source: string,
  url: string,
  recording: string,
  connections: number = CONNECTIONS,
): Promise<Played> {
  const where = ["--receiver", url, "--recording", recording, "--pace", "max"];
  return handset(["replay", source, ...where, ...playedBy(connections)]);
}

export function eventsPerSecond({ attempts, wallMs }: Pick<Played, "attempts" | "wallMs">): number {
  return (attempts.accepted * 1000) / wallMs;
}
