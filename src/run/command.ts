import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { LabError } from "../base/index.js";

/** Time between SIGTERM and SIGKILL: wall milliseconds. */
const STOP_PATIENCE_MS = 5000;

/** How long the last output of an ended process may take to arrive: wall milliseconds. */
const OUTPUT_PATIENCE_MS = 500;

/** How a command ended by itself: either the exit code or the signal is null. */
export interface CommandExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What a command has written, the last 64 KiB of each stream. */
export interface CommandOutput {
  readonly stderr: string;
  readonly stdout: string;
}

/** A receiver that was started for a run. */
export interface RunningCommand {
  /** The command as it was given. */
  readonly words: string;
  /** Aborts with a LabError when the command ends by itself. */
  readonly hasEnded: AbortSignal;
  /** How it ended by itself; undefined while it runs, and after `stop` ended it. */
  readonly exit: CommandExit | undefined;
  /** Resolves with its output so far; once it has ended, with all of it. */
  output(): Promise<CommandOutput>;
  /** Ends the command and its children; a second call does nothing. */
  stop(): Promise<void>;
}

/** How to treat a command. */
export interface CommandOptions {
  /** Keeps the tail of its output and shows nothing of it. */
  readonly isSilent?: boolean;
  /** Time between SIGTERM and SIGKILL: wall milliseconds. Default 5,000. */
  readonly stopPatienceMs?: number;
}

/**
 * Starts the receiver's command. Its output goes to our stderr, because stdout is for the result; its tail is kept.
 *
 * @param environment - variables in addition to our own
 * @throws LabError `command-failed` when it cannot be started
 */
export async function startCommand(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
  { isSilent = false, stopPatienceMs = STOP_PATIENCE_MS }: CommandOptions = {},
): Promise<RunningCommand> {
  const [program, ...args] = command;
  // Python buffers what it writes to a pipe, and a killed process loses its buffer.
  const env = { PYTHONUNBUFFERED: "1", ...process.env, ...environment };
  // A separate process group, so that signals reach a shell's children, too.
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], detached: true, env });
  const tails = { stdout: tailOf(child.stdout, isSilent), stderr: tailOf(child.stderr, isSilent) };
  let isStopping = false;
  let ownExit: CommandExit | undefined;
  const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const exited = exit.catch(() => undefined);
  const isClosed = once(child, "close").catch(() => undefined);
  // A second Ctrl-C exits without `stop`.
  const endAtExit = (): void => signalGroup(child, "SIGKILL");
  process.once("exit", endAtExit);
  try {
    await once(child, "spawn");
  } catch (error) {
    process.off("exit", endAtExit);
    throw new LabError("command-failed", `cannot start '${program}'`, {
      hint: "the words after -- are the command that starts your receiver",
      cause: error,
    });
  }
  const words = command.join(" ");
  const ended = new AbortController();
  void exited.then((how) => {
    if (isStopping) return;
    const [exitCode, signal] = how ?? [null, null];
    ownExit = { exitCode, signal };
    ended.abort(new LabError("command-failed", `'${words}' ended by itself (${signal ?? `exit ${exitCode}`})`));
  });
  return {
    words,
    hasEnded: ended.signal,
    get exit() {
      return ownExit;
    },
    async output() {
      if (ownExit !== undefined) await Promise.race([isClosed, sleep(OUTPUT_PATIENCE_MS, undefined, { ref: false })]);
      return { stderr: tails.stderr.text(), stdout: tails.stdout.text() };
    },
    async stop() {
      if (isStopping) return;
      isStopping = true;
      // Signals the whole group, because the command's children may outlive it.
      signalGroup(child, "SIGTERM");
      if (child.exitCode === null && child.signalCode === null) {
        const late = await Promise.race([exited, sleep(stopPatienceMs, "late", { ref: false })]);
        if (late === "late") signalGroup(child, "SIGKILL");
        await exited;
      }
      process.off("exit", endAtExit);
      // A process that left the group may hold the streams open.
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

/** Keeps the tail of a stream and writes it to our stderr, unless it is silent. */
function tailOf(stream: Readable, isSilent: boolean): OutputTail {
  const tail = new OutputTail();
  stream.on("data", (chunk: Buffer) => {
    tail.add(chunk);
    if (isSilent) return;
    try {
      process.stderr.write(chunk);
    } catch {
      // Our stderr is closed: nobody reads it any more.
    }
  });
  return tail;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process has ended already.
  }
}

/** Bytes that are kept of each stream. */
const TAIL_BYTES = 64 * 1024;

/** The last 64 KiB of what a process writes. */
class OutputTail {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #isCut = false;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    for (let first = this.#chunks[0]; first !== undefined; first = this.#chunks[0]) {
      if (this.#bytes - first.length < TAIL_BYTES) return;
      this.#chunks.shift();
      this.#bytes -= first.length;
      this.#isCut = true;
    }
  }

  /** The output as text without colours. When it was cut, it begins with a whole line. */
  text(): string {
    const all = Buffer.concat(this.#chunks);
    const isCut = this.#isCut || all.length > TAIL_BYTES;
    const kept = new TextDecoder().decode(all.subarray(Math.max(0, all.length - TAIL_BYTES)));
    return stripVTControlCharacters(isCut ? kept.slice(kept.indexOf("\n") + 1) : kept);
  }
}
