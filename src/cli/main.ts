import { createInterface } from "node:readline";
import { supportsColor, supportsColorStderr } from "chalk";
import type { Io } from "./terminal/io.js";
import { listenToKeys } from "./terminal/key-input.js";
import { isReaderGone, processOutput, type ProcessOutput } from "./terminal/output.js";
import { runCommandLine } from "./program.js";

const interrupts = new Set<() => void>();

const stdout = processOutput(process.stdout, {
  colours: supportsColor === false ? 0 : supportsColor.level,
  failed() {
    reportOutputFailure("stdout", stdout, stderr);
    // A running command stops as on Ctrl-C, so its recording is complete. A command that only prints exits here.
    if (interrupts.size === 0) process.exit(isReaderGone(stdout) ? 0 : 3);
    for (const interrupt of interrupts) interrupt();
  },
});

// A failure of stderr does not stop a running command.
const stderr = processOutput(process.stderr, {
  colours: supportsColorStderr === false ? 0 : supportsColorStderr.level,
  failed() {
    if (stdout.isTTY) reportOutputFailure("stderr", stderr, stdout);
  },
});

function reportOutputFailure(name: string, { failure }: ProcessOutput, to: ProcessOutput): void {
  if (failure !== undefined && failure.code !== "EPIPE")
    to.write(`handset: cannot write to ${name}: ${failure.message}\n`);
}

const io: Io = {
  stdout,
  stderr,
  exit: (code) => process.exit(code),
  lines: () => createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }),
  onKey: listenToKeys,
  onInterrupt(callback) {
    interrupts.add(callback);
    process.on("SIGINT", callback);
    process.on("SIGTERM", callback);
    return () => {
      interrupts.delete(callback);
      process.off("SIGINT", callback);
      process.off("SIGTERM", callback);
    };
  },
};

const exitCode = await runCommandLine(process.argv.slice(2), io);
// A stream emits its error in a later turn.
await new Promise(setImmediate);
const isUnwritten = [stdout, stderr].some((output) => output.failure !== undefined && !isReaderGone(output));
process.exitCode = isUnwritten ? 3 : exitCode;
