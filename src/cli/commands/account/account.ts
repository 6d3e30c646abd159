import { Command } from "commander";
import type { ExitCode, Io } from "../../terminal/io.js";
import { pullCommand } from "./pull.js";

/** `handset account`: accounts of real services. */
export function accountCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("account")
    .description("Reads accounts of real services.")
    .showHelpAfterError("(handset account --help lists its commands)")
    .helpCommand(false)
    .addCommand(pullCommand(io, end));
}
