/** Runs the built command, by default with the thousand phones of `bench/load.yaml`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CONNECTIONS } from "./peers.js";

/** The bundle, which `npm run bench` builds first. */
export const command: string = fileURLToPath(new URL("../../dist/bin/handset.js", import.meta.url));
const scenario = fileURLToPath(new URL("../../bench/load.yaml", import.meta.url));

/** The result that the command prints with `--json`, its memory and its wall time. */
export interface CommandResult {
  /** From the first event to the last answer. */
  readonly wallMs: number;
  readonly attempts: { readonly accepted: number };
  readonly latenessMs?: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Of a paced replay. */
  readonly spacing?: { readonly p50: number; readonly p99: number; readonly p999: number; readonly drift: number };
  readonly lost: number;
  readonly maxRssMiB: number;
  /** From the command's start to its exit. */
  readonly commandMs: number;
}

/** Runs the command with `--json`. @throws Error when it fails, or when its ledger does not close */
async function runCommand(args: readonly string[]): Promise<CommandResult> {
  const startedAt = performance.now();
  const child = spawn(...timedCommand(args));
  const [output, errors] = [textOf(child.stdout), textOf(child.stderr)];
  const [status] = (await once(child, "close")) as [number | null];
  const commandMs = performance.now() - startedAt;
  const stderr = (await errors).trim();
  if (status !== 0) throw new Error(`handset ${args.join(" ")} exited with ${status}: ${stderr.slice(-500)}`);
  const result = JSON.parse(await output) as Omit<CommandResult, "maxRssMiB" | "commandMs">;
  if (result.lost !== 0) throw new Error(`the ledger does not close: ${result.lost} lost`);
  return { ...result, maxRssMiB: maxRssMiBOf(stderr), commandMs };
}

/** Program and arguments that run the command and print its memory as the last line of stderr. */
export function timedCommand(args: readonly string[]): [string, string[]] {
  return ["/usr/bin/env", ["time", "-f", "%M", process.execPath, command, ...args]];
}

/** The memory that `timedCommand` has printed. */
export function maxRssMiBOf(stderr: string): number {
  return Number(stderr.trim().split("\n").at(-1)) / 1024;
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

function sharedOptions(connections: number): string[] {
  return ["--connections", String(connections), "--overwrite", "--json", "--quiet"];
}

/** Plays the scenario. @param more - further options of `handset run` */
export function play(
  url: string,
  recording: string,
  more: readonly string[],
  connections: number = CONNECTIONS,
): Promise<CommandResult> {
  return playFile(scenario, url, recording, more, connections);
}

/** Plays another scenario. */
export function playFile(
  file: string,
  url: string,
  recording: string,
  more: readonly string[],
  connections: number = CONNECTIONS,
): Promise<CommandResult> {
  const where = ["--receiver", url, "--recording", recording, "--no-report"];
  return runCommand(["run", file, ...where, ...sharedOptions(connections), ...more]);
}

/** Replays a recording at `--pace max` into another recording. */
export function replay(
  source: string,
  url: string,
  recording: string,
  connections: number = CONNECTIONS,
): Promise<CommandResult> {
  const where = ["--receiver", url, "--recording", recording, "--pace", "max"];
  return runCommand(["replay", source, ...where, ...sharedOptions(connections)]);
}

/** Replays a recording or a log at a pace, and keeps the rows in memory only. */
export function replayPaced(source: string, url: string, pace: string): Promise<CommandResult> {
  return runCommand(["replay", source, "-r", url, "--recording", "none", "--pace", pace, "--json", "--quiet"]);
}

/** Rate from the first event to the last answer. */
export function eventsPerSecond({ attempts, wallMs }: CommandResult): number {
  return (attempts.accepted * 1000) / wallMs;
}

/** Rate from the command's start to its exit, so with Node's start and with filling and indexing the recording. */
export function eventsPerSecondOfCommand({ attempts, commandMs }: CommandResult): number {
  return (attempts.accepted * 1000) / commandMs;
}
