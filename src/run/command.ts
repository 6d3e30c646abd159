import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { LabError } from "../base/index.js";

/** How long a command may take to end after it was asked to. */
const STOP_PATIENCE_MS = 5000;

/** A receiver that was started for a run. */
export interface RunningCommand {
  /**
   * Aborts with a LabError when the command ends before it was asked to: a receiver that is gone cannot be played
   * against.
   */
  readonly hasEnded: AbortSignal;
  /** Ends the command and what it started; may be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the command that is the receiver. What it prints goes to our stderr, so that stdout stays the result's.
 *
 * @param environment - variables that it gets beside our own
 * @throws LabError `command-failed` when it cannot be started
 */
export async function startCommand(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningCommand> {
  const [program, ...args] = command;
  // A process group of its own, so that a shell's children end with it.
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { stdio: ["ignore", 2, 2], detached: true, env });
  let isStopping = false;
  const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const exited = exit.catch(() => undefined);
  try {
    await once(child, "spawn");
  } catch (error) {
    throw new LabError("command-failed", `cannot start '${program}'`, {
      hint: "the words after -- are the command that starts your receiver",
      cause: error,
    });
  }
  const ended = new AbortController();
  void exited.then((how) => {
    if (isStopping) return;
    const [code, signal] = how ?? [null, null];
    ended.abort(new LabError("command-failed", `'${command.join(" ")}' ended by itself (${signal ?? `exit ${code}`})`));
  });
  return {
    hasEnded: ended.signal,
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      signalGroup(child, "SIGTERM");
      const late = await Promise.race([exited, sleep(STOP_PATIENCE_MS, "late", { ref: false })]);
      if (late === "late") signalGroup(child, "SIGKILL");
      await exited;
    },
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}
