import { type Command, Option } from "commander";
import { askLab, findLab, type RemoteRequest } from "../serve/index.js";
import { onOneLine } from "../wire/index.js";
import { UsageError } from "./failures.js";
import { port } from "./options/values.js";
import type { Io } from "./terminal/io.js";

/** Options that choose the lab and the form of its answer. */
export interface LabFlags {
  readonly lab?: string;
  readonly port?: number;
  readonly token?: string;
  readonly json?: true;
}

const labOptionNames = ["lab", "port", "token", "json"] as const satisfies readonly (keyof LabFlags)[];

/** Adds the options by which a command finds its lab. */
export function withLabOptions(command: Command): Command {
  return command
    .option("-p, --port <n>", "port of the lab on this machine, instead of --lab", port)
    .addOption(
      new Option("--lab <url>", "address of the lab (default: the only lab on this machine)").env("HANDSET_LAB"),
    )
    .addOption(
      new Option("--token <token>", "token of the control API (default: known for a lab on this machine)").env(
        "HANDSET_LAB_TOKEN",
      ),
    )
    .option("--json", "print the answer as one JSON object");
}

/** Adds the same options to the parent of such commands: before a command's name they mean the same as after it. */
export function withSharedLabOptions(parent: Command): Command {
  return withLabOptions(parent)
    .enablePositionalOptions()
    .hook("preAction", (_parent, command) => {
      const isGiven = (of: Command, name: string): boolean => of.getOptionValueSource(name) === "cli";
      for (const name of labOptionNames) {
        if (!isGiven(parent, name)) continue;
        const value: unknown = parent.getOptionValue(name);
        if (isGiven(command, name) && command.getOptionValue(name) !== value)
          throw new UsageError(`--${name} is given twice, before and after '${command.name()}'`);
        command.setOptionValueWithSource(name, value, "cli");
      }
      if (!isGiven(command, "port")) return;
      if (isGiven(command, "lab")) throw new UsageError("--port and --lab both name the lab: give one of them");
      // What the environment names is only the default.
      command.setOptionValue("lab", undefined);
    });
}

/**
 * Asks a lab and prints its answer, with the address of the lab that gave it.
 *
 * @param sentence - the answer in words; undefined for an answer of another shape, as from a lab of another version
 * @returns the answer
 * @throws LabError
 */
export async function askAndPrint(
  request: RemoteRequest,
  flags: LabFlags,
  io: Io,
  sentence: (answer: unknown) => string | undefined,
): Promise<unknown> {
  const url = flags.port === undefined ? filled(flags.lab) : `http://127.0.0.1:${flags.port}`;
  const lab = findLab({ url, token: filled(flags.token) });
  const answer = await askLab(lab, request);
  const text = flags.json === true ? undefined : sentence(answer);
  if (text !== undefined) io.stdout.write(`${text}${text.includes("\n") ? "\n" : "  "}(lab ${lab.url})\n`);
  else if (Array.isArray(answer)) {
    io.stdout.write(`${JSON.stringify(answer)}\n`);
    io.stderr.write(`handset: answered by the lab at ${lab.url}\n`);
  } else io.stdout.write(`${JSON.stringify({ ...fieldsOf(answer), lab: lab.url })}\n`);
  return answer;
}

/** An empty environment variable counts as not set. */
function filled(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

/** A sentence that says what was done at which virtual time; undefined for an answer of another shape. */
export function doneIn(answer: unknown): string | undefined {
  const { at, done } = fieldsOf(answer);
  return typeof at === "string" && typeof done === "string" ? onOneLine(`${at}  ${done}`) : undefined;
}

/** The fields of an answer; none when it is not an object. */
export function fieldsOf(answer: unknown): Readonly<Record<string, unknown>> {
  return typeof answer === "object" && answer !== null ? (answer as Readonly<Record<string, unknown>>) : {};
}
