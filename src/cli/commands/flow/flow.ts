import { Command } from "commander";
import type { ExitCode, Io } from "../../terminal/io.js";
import { chatCommand } from "./chat.js";
import { checkFlowsCommand } from "./check.js";
import { coverageCommand } from "./coverage.js";
import { diffFlowsCommand } from "./diff.js";
import { evalCommand } from "./eval.js";
import { fireCommand } from "./fire.js";
import { migrateCommand } from "./migrate.js";
import { playCommand } from "./play.js";
import { recordCommand } from "./record.js";
import { walkCommand } from "./walk.js";

/** `handset flow`: the flows of the service, without a lab. */
export function flowCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("flow")
    .description("Evaluates templates and runs flows without a lab: JSON in, JSON out.")
    .showHelpAfterError("(handset flow --help lists its commands)")
    .helpCommand(false)
    .addCommand(chatCommand(io, end))
    .addCommand(checkFlowsCommand(io, end))
    .addCommand(coverageCommand(io, end))
    .addCommand(diffFlowsCommand(io, end))
    .addCommand(evalCommand(io))
    .addCommand(fireCommand(io))
    .addCommand(migrateCommand(io))
    .addCommand(playCommand(io))
    .addCommand(recordCommand(io))
    .addCommand(walkCommand(io, end));
}
