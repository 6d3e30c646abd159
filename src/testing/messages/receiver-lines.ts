import { inspect } from "node:util";
import { isNativeError } from "node:util/types";
import { troubleOfCode } from "../../measure/index.js";
import type { LabAttempt, LabEvent } from "../lab/log.js";
import { clockText, excerpt, quoted } from "./words.js";

/** Most events that a message lists: the last ones. */
const EVENTS_MAX = 10;

/** What the receiver got and answered, as lines of a message. */
export function receiverLines(events: readonly LabEvent[], { timeoutMs }: { readonly timeoutMs: number }): string[] {
  if (events.length === 0) return ["  nothing"];
  const shown = events.slice(-EVENTS_MAX);
  const left = events.length - shown.length;
  return [
    ...(left > 0 ? [`  … ${left} earlier`] : []),
    ...shown.flatMap((event) => [
      `  ${clockText(event.atMs)}  ${eventText(event)}`,
      ...(event.attempts.length === 0 ? [`           ${untriedText(event)}`] : []),
      ...event.attempts.flatMap((attempt) =>
        attemptLines(attempt, { timeoutMs, isFirst: attempt === event.attempts[0] }).map(
          (line) => `           ${line}`,
        ),
      ),
    ]),
  ];
}

/** An event in a few words: `mo_sms from +250788123456 to clinic/0: "join"`. */
export function eventText({ type, handset, event }: LabEvent): string {
  const field = (name: string): string => {
    const value = (event as Readonly<Record<string, unknown>>)[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const text = field("text") === "" ? "" : `: ${quoted(field("text"))}`;
  if (type === "alarm" || type === "flow" || field("phone") === "") return `${type} of ${handset}`;
  const isIncoming = type.startsWith("mo_");
  return `${type} ${isIncoming ? `from ${field("phone")} to ${handset}` : `to ${field("phone")} by ${handset}`}${text}`;
}

function untriedText({ state }: LabEvent): string {
  return state === "not-sent"
    ? "not sent: this lab has no receiver for it"
    : "not sent yet: trouble on the way holds it";
}

function attemptLines(
  attempt: LabAttempt,
  { timeoutMs, isFirst }: { readonly timeoutMs: number; readonly isFirst: boolean },
): string[] {
  const again = isFirst ? "" : `at ${clockText(attempt.atMs)} (try ${attempt.try}): `;
  return [again + answerText(attempt, timeoutMs), ...thrownLines(attempt.thrown)];
}

/** How an attempt ended: `your receiver answered 500: "no such column"`. */
export function answerText({ status, answer, error, outcome }: LabAttempt, timeoutMs: number): string {
  const trouble = troubleOfCode(error ?? null);
  if (trouble !== undefined) return `trouble on the way (delivery: ${trouble}): the service got no answer`;
  if (status !== undefined) {
    return `your receiver answered ${status}${answer.trim() === "" ? " with an empty body" : `: ${excerpt(answer)}`}`;
  }
  if (error === "ETIMEDOUT" || outcome === "timeout") {
    return `your receiver gave no answer within ${timeoutMs / 1000} s of real time (option 'timeout' of startLab)`;
  }
  if (error === "ECONNREFUSED") return "nothing listens at the receiver's URL (ECONNREFUSED)";
  if (error !== undefined) return `no answer from your receiver: ${error}`;
  return "sent to your receiver, no answer yet";
}

function thrownLines(thrown: unknown): string[] {
  if (thrown === undefined) return [];
  if (!isNativeError(thrown)) return [`your handler threw ${excerpt(inspect(thrown))}`];
  const place = (thrown.stack ?? "")
    .split("\n")
    .find((line) => /^\s+at /.test(line) && !/node:|node_modules|[\\/]dist[\\/]bin[\\/]/.test(line));
  return [
    `your handler threw ${thrown.name}: ${excerpt(thrown.message)}`,
    ...(place === undefined ? [] : [`  ${place.trim()}`]),
  ];
}
