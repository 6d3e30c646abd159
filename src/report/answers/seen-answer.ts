import { readReply } from "../../wire/index.js";
import type { IgnoredParts } from "./ignored-parts.js";

/** The part of an attempt that is compared. */
export interface AnsweredAttempt {
  readonly status: number | null;
  readonly error: string | null;
  readonly outcome: string;
  readonly durationMs: number;
  readonly body: Uint8Array | null;
}

/** One side of a comparison. */
export interface SeenAnswer {
  /** A status, or why there is none: `timeout`, `ECONNRESET`. */
  readonly status: number | string;
  /** Text of the reply; null: none. A body that is no reply: `(not-json)`, its reason. */
  readonly reply: string | null;
  /** Whom the reply is for; empty: the sender of the event, or nobody. */
  readonly recipients: readonly string[];
  readonly latencyMs: number;
}

/** What differs between two answers to one event. */
export interface FieldDifference {
  readonly what: "status" | "reply" | "recipient" | "latency";
  readonly recorded: number | string | null;
  readonly now: number | string | null;
}

/** Reads the part of an attempt that is compared. A failed answer has no reply, whatever its body says. */
export function seenAnswer(attempt: AnsweredAttempt, options: { readonly replyToSender: boolean }): SeenAnswer {
  const { status, error, outcome, durationMs, body } = attempt;
  const seen = {
    status: status ?? (outcome === "timeout" ? "timeout" : (error ?? "no answer")),
    latencyMs: durationMs,
  };
  const reading = outcome === "accepted" && body !== null ? readReply(body, options) : ({ kind: "none" } as const);
  if (reading.kind === "reply") {
    const { text, urns, contacts } = reading.reply;
    return { ...seen, reply: text, recipients: [...urns, ...contacts] };
  }
  return { ...seen, reply: reading.kind === "none" ? null : `(${reading.reason})`, recipients: [] };
}

/** Classes of the time to an answer. Below a second people notice no difference; ten seconds fill a service's workers. */
const latencyClasses = [
  { belowMs: 1000, name: "under 1 s" },
  { belowMs: 10_000, name: "1 s to 10 s" },
  { belowMs: Infinity, name: "over 10 s" },
] as const;

/** Two times just left and right of a bound are alike: one must be this many times the other. */
const LATENCY_FACTOR = 3;

/** The class of a time to an answer. */
export function latencyClass(ms: number): string {
  return latencyClasses.find(({ belowMs }) => ms < belowMs)?.name ?? "";
}

/**
 * What differs between two answers. With another status, only the status is named: the rest follows from it.
 *
 * @param isTextless - the recorded text is not known, and its time only if it is not 0
 */
export function differencesBetween(
  recorded: SeenAnswer,
  now: SeenAnswer,
  { ignored, isTextless }: { readonly ignored: IgnoredParts; readonly isTextless: boolean },
): FieldDifference[] {
  const differences: FieldDifference[] = [];
  const isUnknown = (what: FieldDifference["what"]): boolean =>
    isTextless && (what === "reply" || what === "recipient" || (what === "latency" && recorded.latencyMs === 0));
  const add = (difference: FieldDifference): void => {
    if (!ignored.ignores(difference.what) && !isUnknown(difference.what)) differences.push(difference);
  };
  if (recorded.status !== now.status) add({ what: "status", recorded: recorded.status, now: now.status });
  if (differences.length > 0) return differences;
  if (masked(recorded.reply, ignored) !== masked(now.reply, ignored)) {
    add({ what: "reply", recorded: recorded.reply, now: now.reply });
  } else if (recorded.recipients.join(" ") !== now.recipients.join(" ")) {
    add({ what: "recipient", recorded: recorded.recipients.join(" "), now: now.recipients.join(" ") });
  }
  const [shorter, longer] = [recorded.latencyMs, now.latencyMs].toSorted((a, b) => a - b) as [number, number];
  const [was, is] = [latencyClass(recorded.latencyMs), latencyClass(now.latencyMs)];
  if (was !== is && longer >= LATENCY_FACTOR * shorter) add({ what: "latency", recorded: was, now: is });
  return differences;
}

function masked(text: string | null, ignored: IgnoredParts): string | null {
  return text === null ? null : ignored.mask(text);
}
