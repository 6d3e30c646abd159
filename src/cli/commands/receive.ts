import { Command, Option } from "commander";
import { repeatable } from "../options/repeatable.js";
import { LabError } from "../../base/index.js";
import {
  answerModes,
  loadApplication,
  parseAnswers,
  parseFailureScript,
  type ReceivedEvent,
  receiverBugs,
  storyBugs,
  startReceiver,
} from "../../receiver/index.js";
import { wrap } from "../../report/index.js";
import { onOneLine } from "../../wire/index.js";
import { UsageError } from "../failures.js";
import type { Io } from "../terminal/io.js";
import { duration, wholeNumber } from "../options/values.js";

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly answers: string;
  readonly application?: string;
  readonly logbook?: true;
  readonly bug: readonly string[];
  readonly bugs?: true;
  readonly status?: number;
  readonly body?: string;
  readonly reply?: string;
  readonly echo?: true;
  readonly replyTo: readonly string[];
  readonly delay?: number;
  readonly slow?: number;
  readonly fail?: string;
  readonly failPer: "event" | "request";
  readonly failShare?: string;
  readonly seed?: number;
  readonly json?: true;
  readonly quiet?: true;
}

export function receiveCommand(io: Io): Command {
  return new Command("receive")
    .description("Starts a test receiver. It accepts every event and prints a line for each, until Ctrl-C.")
    .option("-p, --port <n>", "port to listen at; 0: a free one", wholeNumber, 8080)
    .option("--host <host>", "address to listen at", "127.0.0.1")
    .option(
      "--answers <mode>",
      `how it answers: ${answerModes.filter((mode) => mode !== "status").join(", ")}, or a status`,
      "ok",
    )
    .option("--application <file>", "JavaScript module whose replies are the usual answers")
    .option(
      "--logbook",
      "answer by the logbook, which keeps texts, calls, alarms and contacts: GET /_handset-lab/effects",
    )
    .addOption(repeatable("--bug <name>", "the logbook with a built-in bug; repeatable"))
    .option("--bugs", "list the built-in bugs, and end")
    .option("--status <status>", "status of the answers (default: 200)", wholeNumber)
    .option("--body <text>", "body of the answers (default: empty)")
    .option("--reply <text>", "reply to every incoming text; {text}, {phone}… stand for the event's fields")
    .option("--echo", "reply to every incoming text with the same text")
    .addOption(repeatable("--reply-to <type>", "event type to reply to (default: mo_sms); repeatable", "mo_sms"))
    .option("--delay <duration>", "delay of every answer", duration)
    .option("--slow <duration>", "delay of `--answers slow` (default: 2s)", duration)
    .option("--fail <script>", "statuses of the first answers: 500x2, or 500,404,200")
    .addOption(
      new Option("--fail-per <what>", "count the statuses of --fail for each event, or once for all requests")
        .choices(["event", "request"])
        .default("event"),
    )
    .option("--fail-share <share>", "share of requests that fail with 500: 10%")
    .option("--seed <n>", "seed that chooses these requests (default: 1)", wholeNumber)
    .option("--json", "print each event as one JSON object")
    .option("-q, --quiet", "print only the address")
    .addHelpText(
      "after",
      "\nExamples:\n  handset receive --echo\n  handset receive --port 9000 --fail 500x2\n  handset receive --answers hang\n  handset receive --bug no-dedupe",
    )
    .action(async (flags: Flags) => listen(flags, io));
}

async function listen(flags: Flags, io: Io): Promise<void> {
  if (flags.bugs === true) return listBugs(flags, io);
  if (flags.application !== undefined && (flags.logbook === true || flags.bug.length > 0))
    throw new UsageError("--application and the logbook (--logbook, --bug) exclude each other");
  const mode = flags.echo === true ? "echo" : flags.reply === undefined ? flags.answers : "reply";
  const answers = parseAnswers(mode);
  if (answers === undefined) {
    throw new UsageError(
      `--answers takes ${answerModes.filter((one) => one !== "status").join(", ")}, or a status 200..599, got '${mode}'`,
    );
  }
  const { status } = flags;
  if (status !== undefined && (status < 200 || status > 599))
    throw new UsageError(`--status must be 200..599, got ${status}`);
  const application = await loadApplication(flags.application, process.cwd());
  const print = (event: ReceivedEvent): void => {
    if (flags.quiet === true) return;
    io.stdout.write(`${flags.json === true ? JSON.stringify(event) : lineOf(event)}\n`);
  };
  const receiver = await startReceiver({
    host: flags.host,
    port: flags.port,
    answers,
    application,
    logbook: flags.logbook === true || flags.bug.length > 0 ? { bugs: flags.bug } : undefined,
    onEvent: print,
    status,
    body: flags.body,
    reply: flags.reply,
    ...(flags.replyTo.length > 0 && { repliesTo: flags.replyTo }),
    delayMs: flags.delay,
    slowMs: flags.slow,
    script: flags.fail === undefined ? undefined : { statuses: scriptOf(flags.fail), per: flags.failPer },
    fails: flags.failShare === undefined ? undefined : { share: shareOf(flags.failShare) },
    seed: flags.seed,
  }).catch((error: unknown) => {
    if (error instanceof LabError) throw error;
    throw new LabError("port-taken", `cannot listen on ${flags.host}:${flags.port}`, {
      hint: "another program may have the port: choose one with --port, or 0 for any free one",
      cause: error,
    });
  });
  io.stderr.write(`Listening on ${receiver.url} (Ctrl-C ends)\n`);
  await new Promise<void>((resolve) => {
    const stopListening = io.onInterrupt(() => {
      stopListening();
      resolve();
    });
  });
  await receiver.close();
  io.stderr.write(`\n${receiver.received} events received\n`);
}

/** Prints the built-in bugs, each with its story and source. */
function listBugs({ json }: Flags, io: Io): void {
  if (json === true) {
    const bugs = [...receiverBugs, ...storyBugs].map(({ name, story, source }) => ({ name, story, source }));
    io.stdout.write(`${JSON.stringify(bugs)}\n`);
    return;
  }
  const { columns } = io.stdout;
  for (const { name, story, source } of [...receiverBugs, ...storyBugs]) {
    const lines = [...wrap(story, columns - 2), source].map((line) => `  ${line}\n`);
    io.stdout.write(`${name}\n${lines.join("")}`);
  }
}

function scriptOf(text: string): readonly number[] {
  const statuses = parseFailureScript(text);
  if (statuses === undefined) throw new UsageError(`--fail takes statuses such as 500x2 or 500,404,200, got '${text}'`);
  return statuses;
}

function shareOf(text: string): number {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  if (percent === undefined || Number(percent) > 100)
    throw new UsageError(`--fail-share takes 0%..100%, got '${text}'`);
  return Number(percent) / 100;
}

function lineOf({ at, event, pairs, answers, duplicate }: ReceivedEvent): string {
  const rest = pairs
    .filter(([key]) => key !== "event")
    .map(([key, value]) => `${onOneLine(key)}=${JSON.stringify(value)}`);
  const time = new Date(at).toISOString().slice(11, 23);
  return `${time}  ${onOneLine(event).padEnd(8)} -> ${answers}${duplicate ? "  (again)" : ""}  ${rest.join(" ")}`;
}
