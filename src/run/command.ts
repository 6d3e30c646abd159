import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { LabError } from "../base/index.js";

/** Time between SIGTERM and SIGKILL: wall milliseconds. */
const STOP_PATIENCE_MS = 5000;

/** A receiver that was started for a run. */
export interface RunningCommand {
  /**
   * Aborts with a LabError when the command ends by itself: the run has no receiver then.
   */
  readonly hasEnded: AbortSignal;
  /** Ends the command and its children; a second call does nothing. */
  stop(): Promise<void>;
}

/**
 * Starts the receiver's command. Its output goes to our stderr: stdout is for the result.
 *
 * @param environment - variables in addition to our own
 * @throws LabError `command-failed` when it cannot be started
 */
export async function startCommand(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningCommand> {
  const [program, ...args] = command;
  // A separate process group, so that signals reach a shell's children, too.
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
    // It has ended already.
  }
}
