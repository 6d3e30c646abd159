#!/usr/bin/env node
import { once } from "node:events";
import { supportsColor, supportsColorStderr } from "chalk";
import type { Io, Output } from "./io.js";
import { listenToKeys } from "./key-input.js";
import { runCommandLine } from "./program.js";

function outputOf(stream: NodeJS.WriteStream, colours: Output["colours"]): Output {
  return {
    write: (text) => void stream.write(text),
    async drained() {
      if (stream.writableNeedDrain) await once(stream, "drain");
    },
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns ?? 80;
    },
    colours,
  };
}

const io: Io = {
  stdout: outputOf(process.stdout, supportsColor === false ? 0 : supportsColor.level),
  stderr: outputOf(process.stderr, supportsColorStderr === false ? 0 : supportsColorStderr.level),
  exit: (code) => process.exit(code),
  onKey: listenToKeys,
  onInterrupt(callback) {
    process.on("SIGINT", callback);
    process.on("SIGTERM", callback);
    return () => {
      process.off("SIGINT", callback);
      process.off("SIGTERM", callback);
    };
  },
};

// `handset events … | head` closes our stdout early: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), io);
