import { Command } from "commander";
import { type HandEntry, handReference } from "../../scenario/index.js";
import { argumentOption, argumentsIn, exampleOf } from "../options/hand-options.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { askAndPrint, doneIn, type LabFlags, withLabOptions, withSharedLabOptions } from "../lab-request.js";
import { clockCommand, labCommands } from "./do-lab.js";
import { storyCommands } from "./do-story.js";

/** `handset do`: one command for each verb of stories and each operation of the control API, on a served lab. */
export function doCommand(io: Io, end: (code: ExitCode) => void): Command {
  const command = withSharedLabOptions(new Command("do"))
    .description(
      "Acts on a lab that 'handset serve' has started. The verbs and their arguments are those of stories. clinic/3 is " +
        "the handset with index 3 of the group clinic, farmers/7 the person with index 7; the first has index 0.",
    )
    .showHelpAfterError("(handset do --help lists what can be done)")
    .addHelpText("after", after)
    .configureOutput({ outputError: (text, write) => write(text + placeHint(text, command)) })
    .helpCommand(false)
    .commandsGroup("Verbs:");
  for (const verb of handReference())
    command.addCommand(verb.name === "clock" ? clockCommand(verb, io) : verbCommand(verb, io));
  command.commandsGroup("The lab:");
  for (const one of [...labCommands(io, end), ...storyCommands(io)]) command.addCommand(one);
  return command;
}

/** A hint for an option of a verb that was given before the verb. Options of the lab may be on either side. */
function placeHint(error: string, parent: Command): string {
  const name = /^error: unknown option '(--[\w-]+)'/.exec(error)?.[1];
  const owners = parent.commands.filter(({ options }) => options.some(({ long }) => long === name));
  if (name === undefined || owners.length === 0) return "";
  return `${name} belongs after its verb: handset do ${owners.length === 1 ? owners[0]?.name() : "VERB"} ${name} …\n`;
}

const after = `
Examples:
  handset do text --from farmers/3 --to clinic/3 --body "are you there?"
  handset do power --of clinic --mains off --for 40m
  handset do clock --pause
  handset do clock --step 10m
  handset do --port 8081 reboot --of clinic/0     the lab at that port

Exit codes: 0 done, 2 the lab refuses it or wrong usage, 3 the lab cannot be
reached.`;

function verbCommand(verb: HandEntry, io: Io): Command {
  const command = new Command(verb.name).summary(verb.about.replace(/\.$/, "")).description(verb.about);
  for (const argument of verb.arguments) command.addOption(argumentOption(argument));
  return withLabOptions(command)
    .addHelpText("after", `\nExample:\n  ${exampleOf(verb)}`)
    .action(async (flags: Readonly<Record<string, unknown>> & LabFlags) => {
      await askAndPrint(
        { method: "POST", path: `/do/${verb.name}`, body: argumentsIn(flags, verb) },
        flags,
        io,
        doneIn,
      );
    });
}
