import { Command, Option } from "commander";
import { allowHost, repeatable } from "../options/repeatable.js";
import { postEvent, type PostOutcome } from "../../run/index.js";
import {
  eventTypes,
  onOneLine,
  parseForm,
  presetNames,
  printable,
  type Spelling,
  spellings,
} from "../../wire/index.js";
import { UsageError } from "../failures.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { duration, wholeNumber } from "../options/values.js";
import { paint, writePainted } from "../terminal/paint.js";
import { readText } from "../scenario-file.js";

interface Flags {
  readonly receiver: string;
  readonly phone?: string;
  readonly text?: string;
  readonly relayer?: number;
  readonly relayerPhone?: string;
  readonly id?: number;
  readonly duration?: number;
  readonly service?: string;
  readonly spelling?: Spelling;
  readonly field: readonly string[];
  readonly timeout?: number;
  readonly ca?: string;
  readonly allowHost: readonly string[];
  readonly json?: true;
}

export function postCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("post")
    .description(
      `Posts one event now and shows the answer. TYPE is one of ${eventTypes.join(", ")},\nor any other word: receivers must tolerate types that they do not know.`,
    )
    .argument("<type>", "the event type")
    .requiredOption("-r, --receiver <url>", "address of the receiver")
    .option("--phone <number>", "phone number of the person")
    .option("--text <text>", "text of the message")
    .option("--relayer <id>", "id of the channel", wholeNumber)
    .option("--relayer-phone <number>", "phone number of the channel")
    .option("--id <n>", "id of the message or call", wholeNumber)
    .option("--duration <seconds>", "duration of a call", wholeNumber)
    .addOption(repeatable("--field <key=value>", "any other field; repeatable"))
    .addOption(
      new Option("--spelling <spelling>", "spelling of the field names (default: the service's)").choices(spellings),
    )
    .option("--service <preset>", `${presetNames.join(" or ")} (default: ${presetNames[0]})`)
    .option("--ca <file>", "certificate of the authority of an https receiver (PEM)")
    .option("--timeout <duration>", "time to wait for the answer (default: the service's)", duration)
    .addOption(allowHost())
    .option("--json", "print the result as one JSON object")
    .addHelpText("after", "\nExit codes: 0 accepted, 1 any other answer, 2 wrong usage, 3 no answer.")
    .action(async (type: string, flags: Flags) => {
      const { receiver, timeout, ca, field, allowHost, json, ...rest } = flags;
      const outcome = await postEvent({
        type,
        receiver,
        ...rest,
        timeoutMs: timeout,
        ca: ca === undefined ? undefined : readText(ca),
        fields: field.map(pairOf),
        allowHosts: allowHost,
      });
      if (json === true) io.stdout.write(asJson(receiver, outcome));
      else writePainted(io.stdout, asText(receiver, outcome, io));
      end(outcome.verdict === "accepted" ? 0 : outcome.verdict === "no answer" ? 3 : 1);
    });
}

function pairOf(text: string): [key: string, value: string] {
  const index = text.indexOf("=");
  if (index < 1) throw new UsageError(`--field takes key=value, got '${text}'`);
  return [text.slice(0, index), text.slice(index + 1)];
}

function asJson(url: string, { body, exchange, verdict, reply }: PostOutcome): string {
  const { status, error, durationMs } = exchange;
  const answer = exchange.body === null ? null : new TextDecoder().decode(exchange.body);
  return `${JSON.stringify({ url, body, status, error, ms: durationMs, answer, verdict, reply: reply ?? null })}\n`;
}

function asText(url: string, { body, exchange, verdict, isGone, reply }: PostOutcome, io: Io): string {
  const colour = paint(io.stdout);
  const pairs = parseForm(body);
  const width = Math.max(...pairs.map(([key]) => key.length));
  const lines = [
    colour.bold(`POST ${onOneLine(url)}`),
    ...pairs.map(([key, value]) => `  ${onOneLine(key).padEnd(width)}  ${onOneLine(value)}`),
    "",
  ];
  const ms = `${Math.round(exchange.durationMs * 10) / 10} ms`;
  if (exchange.status === null) {
    lines.push(colour.red(`No answer: ${onOneLine(exchange.error ?? "unknown")} after ${ms}`));
    lines.push(meaningOf(exchange.error ?? ""));
    if (isGone === true) lines.push("Nothing listens there any more: the event has probably ended it.");
  } else {
    const tone = verdict === "accepted" ? colour.green : colour.yellow;
    lines.push(tone(`${exchange.status} after ${ms}: ${verdict}`));
  }
  if (exchange.body !== null) lines.push(printable(new TextDecoder().decode(exchange.body.subarray(0, 2000))));
  if (reply?.kind === "reply") {
    lines.push(
      `The answer asks for a message to ${onOneLine([...reply.reply.urns, ...reply.reply.contacts].join(", "))}: ${onOneLine(reply.reply.text)}`,
    );
  } else if (reply?.kind === "ignored") lines.push(`The body sends nothing: ${onOneLine(reply.detail)}`);
  return `${lines.join("\n")}\n`;
}

/** An error code in words. */
function meaningOf(error: string): string {
  if (error === "ECONNREFUSED") return "Nothing listens there. To try things out: handset receive";
  if (error === "ENOTFOUND" || error === "EAI_AGAIN") return "There is no host of that name.";
  if (error === "ETIMEDOUT") return "It took the event and did not answer in time, or never finished its answer.";
  if (error.startsWith("HPE_")) return "What it answered is not HTTP.";
  if (/CERT|SIGNATURE|SELF_SIGNED|ALTNAME/.test(error))
    return "Its certificate is not trusted; name its authority with --ca FILE.";
  if (error === "ECONNRESET" || error === "no-answer") return "It closed the connection without an answer.";
  if (error === "incomplete-answer") return "It closed the connection in the middle of its answer.";
  if (error === "body-too-large") return "Its answer does not end: more than 32 MiB came.";
  if (error.includes("redirect")) return "Its redirects lead nowhere.";
  return "The connection failed.";
}
