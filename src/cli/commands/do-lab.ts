import { Command, Option } from "commander";
import { type HandEntry, parseDuration, parseHandValue } from "../../scenario/index.js";
import { UsageError } from "../failures.js";
import { argumentOption, argumentsIn, exampleOf, hasArguments } from "../options/hand-options.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { askAndPrint, doneIn, fieldsOf, type LabFlags, withLabOptions } from "../lab-request.js";
import { duration, speed, wholeNumber } from "../options/values.js";
import { readText } from "../scenario-file.js";

const selectorAbout = "The handsets, such as clinic/0 or clinic/0..3";

/** One command for each operation of the control API that is not a verb. */
export function labCommands(io: Io, end: (code: ExitCode) => void): Command[] {
  return [
    alarmCommand(io),
    logCallCommand(io),
    urlCommand(io),
    resthookCommand(io),
    throttleCommand(io),
    snapshotCommand(io),
    loadCommand(io, end),
  ];
}

/**
 * The lab's clock (POST /lab/clock), and the verb of the same name, which skews the clocks of handsets.
 *
 * @param verb - the verb `clock`
 */
export function clockCommand(verb: HandEntry, io: Io): Command {
  const command = new Command("clock")
    .summary("Pause, step or speed up the lab's clock; or set the clocks of handsets wrong")
    .description(
      "Changes the lab's clock; without options it is shown. With --of and --skew it sets the clocks of handsets ahead " +
        "of the true time instead.",
    )
    .option("--pause", "Pause virtual time; actions then happen at this instant")
    .option("--resume", "Resume virtual time")
    .option("--speed <speed>", "Virtual seconds per wall second, such as 60x", speed)
    .option("--step <duration>", "Advance a paused clock by this, as fast as possible", stepText);
  for (const argument of verb.arguments) command.addOption(argumentOption({ ...argument, isRequired: false }));
  return withLabOptions(command)
    .addHelpText(
      "after",
      `\nExamples:\n  handset do clock --pause --step 10m\n  handset do clock --resume --speed 60x\n  ${exampleOf(verb)}`,
    )
    .action(async (flags: ClockFlags) => {
      const { pause, resume, speed: toSpeed, step } = flags;
      const isOfLab = [pause, resume, toSpeed, step].some((one) => one !== undefined);
      if (!hasArguments({ ...flags }, verb)) {
        if (pause === true && resume === true) throw new UsageError("--pause and --resume cannot both be");
        const body = {
          speed: toSpeed,
          paused: (pause ?? resume) === undefined ? undefined : pause === true,
          step,
        };
        await askAndPrint(
          isOfLab ? { method: "POST", path: "/clock", body } : { method: "GET", path: "/clock" },
          flags,
          io,
          clockIn,
        );
        return;
      }
      if (isOfLab)
        throw new UsageError("change the lab's clock and the clocks of handsets (--of, --skew) in two commands");
      const body = argumentsIn({ ...flags }, verb);
      await askAndPrint({ method: "POST", path: "/do/clock", body }, flags, io, doneIn);
    });
}

interface ClockFlags extends LabFlags {
  readonly pause?: true;
  readonly resume?: true;
  readonly speed?: number;
  readonly step?: string;
}

/** A step in the format of the control API, in whole milliseconds: `90000ms`. */
function stepText(text: string): string {
  return `${duration(text)}ms`;
}

function clockIn(answer: unknown): string | undefined {
  const { now, speed: current, paused } = fieldsOf(answer);
  if (typeof now !== "string" || typeof current !== "number") return undefined;
  return `${now}  ${paused === true ? "paused" : "running"}, speed ${current}x`;
}

function alarmCommand(io: Io): Command {
  const command = new Command("alarm")
    .summary("The service raises an alarm about handsets, whatever their state")
    .requiredOption("--of <selector>", selectorAbout);
  return withLabOptions(command).action(async ({ of, ...flags }: LabFlags & { of: string }) => {
    await askAndPrint({ method: "POST", path: "/alarms", body: { of } }, flags, io, doneIn);
  });
}

function logCallCommand(io: Io): Command {
  const command = new Command("log-call")
    .summary("Add a call to the log, as if a handset had reported it")
    .requiredOption("--of <selector>", selectorAbout)
    .requiredOption(
      "--from <who>",
      "The other person, caller or called: people such as farmers/3, or any number: E.164",
    )
    .addOption(
      new Option("--type <type>", "mo: the person called; mt: the handset called; miss: not answered")
        .choices(["mo_miss", "mo_call", "mt_miss", "mt_call"])
        .default("mo_miss"),
    )
    .option("--duration <duration>", "Duration of the talk: seconds, or a duration such as 3m", callSeconds, 0);
  type Flags = LabFlags & { of: string; from: string; type: string; duration: number };
  return withLabOptions(command).action(async ({ of, from: phone, type, duration: seconds, ...flags }: Flags) => {
    await askAndPrint(
      { method: "POST", path: "/calls", body: { of, phone, type, duration: seconds } },
      flags,
      io,
      doneIn,
    );
  });
}

function callSeconds(text: string): number {
  return parseDuration(text) === undefined ? wholeNumber(text) : Math.round(duration(text) / 1000);
}

function urlCommand(io: Io): Command {
  const command = new Command("url")
    .summary("Send the events of handsets to another address")
    .requiredOption("--of <selector>", selectorAbout)
    .requiredOption("--url <url>", "The address; none: events are recorded and not sent");
  return withLabOptions(command).action(async ({ of, url, ...flags }: LabFlags & { of: string; url: string }) => {
    const body = { of, url: url === "none" ? null : url };
    await askAndPrint({ method: "POST", path: "/delivery-url", body }, flags, io, doneIn);
  });
}

function resthookCommand(io: Io): Command {
  const command = new Command("resthook")
    .summary("Send an event of a resthook to its subscribers")
    .requiredOption("--resthook <slug>", "Slug of the resthook")
    .requiredOption("--data <yaml>", "The event's data: a map, as YAML or JSON");
  type Flags = LabFlags & { resthook: string; data: string };
  return withLabOptions(command).action(async ({ resthook, data: text, ...flags }: Flags) => {
    const parsed = parseHandValue(text, { isJson: true });
    const data = "value" in parsed ? parsed.value : undefined;
    if (typeof data !== "object" || data === null || Array.isArray(data)) {
      throw new UsageError(
        `--data must be a map${"problem" in parsed ? `: ${parsed.problem}` : ""}`,
        "write --data '{ name: Ada }'",
      );
    }
    await askAndPrint({ method: "POST", path: "/resthooks", body: { resthook, data } }, flags, io, doneIn);
  });
}

function throttleCommand(io: Io): Command {
  const command = new Command("throttle")
    .summary("Limit the requests to the REST API, or have the next ones refused with 429")
    .description("Without options the limit is shown.")
    .option("--limit <n>", "Requests an hour and scope; none: no limit", (text) =>
      text === "none" ? text : wholeNumber(text),
    )
    .option("--refuse <n>", "Number of the next requests that are answered 429", wholeNumber)
    .option("--retry-after <duration>", "Their Retry-After (default: 1s)", duration);
  type Flags = LabFlags & { limit?: number | "none"; refuse?: number; retryAfter?: number };
  return withLabOptions(command).action(async ({ limit, refuse, retryAfter, ...flags }: Flags) => {
    const body = {
      limit: limit === undefined ? undefined : limit === "none" ? null : limit,
      refuse,
      retry_after: retryAfter === undefined ? undefined : Math.ceil(retryAfter / 1000),
    };
    await askAndPrint(
      Object.values(body).some((value) => value !== undefined)
        ? { method: "POST", path: "/throttle", body }
        : { method: "GET", path: "/throttle" },
      flags,
      io,
      throttleIn,
    );
  });
}

function throttleIn(answer: unknown): string | undefined {
  const { limit, refusing } = fieldsOf(answer);
  if ((limit !== null && typeof limit !== "number") || typeof refusing !== "number") return undefined;
  const rule = limit === null ? "no limit" : `${limit} requests an hour and scope`;
  return refusing === 0 ? rule : `${rule}; the next ${refusing} are refused`;
}

function snapshotCommand(io: Io): Command {
  const command = new Command("snapshot")
    .summary("Save the account under a name, or restore it")
    .description("Without options the snapshots are listed; 'start' is taken when a lab starts.")
    .addOption(new Option("--save <name>", "Save the account as it is now").conflicts("restore"))
    .option("--restore <name>", "Restore the account from this snapshot; the clock does not go back");
  return withLabOptions(command).action(
    async ({ save, restore, ...flags }: LabFlags & { save?: string; restore?: string }) => {
      if (save === undefined && restore === undefined) {
        await askAndPrint({ method: "GET", path: "/snapshots" }, flags, io, snapshotsIn);
        return;
      }
      const body = save === undefined ? { restore } : { save };
      await askAndPrint({ method: "POST", path: "/snapshots", body }, flags, io, doneIn);
    },
  );
}

function snapshotsIn(answer: unknown): string | undefined {
  if (!Array.isArray(answer)) return undefined;
  const lines = answer.map((one: unknown) => {
    const { name, taken_at: takenAt } = fieldsOf(one);
    return `${String(takenAt)}  ${String(name)}`;
  });
  return lines.length === 0 ? "there are no snapshots" : lines.join("\n");
}

function loadCommand(io: Io, end: (code: ExitCode) => void): Command {
  const command = new Command("load")
    .summary("Add an account file, or an export of a real account, to the account")
    .requiredOption("--file <file>", "The file: YAML, or definitions.json");
  return withLabOptions(command)
    .addHelpText("after", "\nExit code 1: a part of the file could not be loaded.")
    .action(async ({ file, ...flags }: LabFlags & { file: string }) => {
      const body = readText(file);
      const answer = await askAndPrint({ method: "POST", path: "/account", body }, flags, io, addedIn);
      const { problems } = fieldsOf(answer);
      if (!Array.isArray(problems) || problems.length === 0) return;
      for (const problem of problems) io.stderr.write(`handset: ${String(problem)}\n`);
      end(1);
    });
}

function addedIn(answer: unknown): string | undefined {
  const { added } = fieldsOf(answer);
  if (added === undefined) return undefined;
  const counts = Object.entries(fieldsOf(added)).map(([kind, count]) => `${kind} ${String(count)}`);
  return counts.length === 0 ? "nothing was added" : `added: ${counts.join(", ")}`;
}
