import { isUnsent } from "../../exact/index.js";
import type { ExactRequest } from "../../scenario/index.js";
import type { RecordedAttempt } from "../../store/index.js";
import { decodeEvent } from "../../wire/index.js";
import { answerBodyOf } from "../chain/answer-body.js";

/** A request that reached the receiver, with the recorded answer. */
export interface AnsweredRequest {
  readonly request: ExactRequest;
  /** The id of its event: `3/17`. */
  readonly event: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly body: string;
  /** When it was due, virtual milliseconds since the lab's start. */
  readonly dueAtMs: number;
  /** When the answer was there, virtual milliseconds since the lab's start. */
  readonly atMs: number;
}

/** An attempt with the body of its event. */
export interface SentAttempt {
  readonly event: string;
  readonly body: string;
  readonly attempt: Pick<
    RecordedAttempt,
    "try" | "url" | "dueAtMs" | "effectAtMs" | "status" | "error" | "headers" | "body" | "bodyBytes"
  >;
}

/** The requests of attempts, in the order in which they were due, with the time since the first. */
export function requestsOf(attempts: readonly SentAttempt[]): AnsweredRequest[] {
  const sent = attempts
    .filter(({ attempt: { error } }) => !isUnsent(error))
    .toSorted((one, other) => one.attempt.dueAtMs - other.attempt.dueAtMs);
  const firstMs = sent[0]?.attempt.dueAtMs ?? 0;
  return sent.map(({ event, body, attempt }) => {
    const path = pathOf(attempt.url);
    return {
      event,
      request: {
        atMs: Math.round(attempt.dueAtMs - firstMs),
        type: decodeEvent(body).event.event,
        body,
        ...(path !== undefined && { path }),
      },
      status: attempt.status,
      error: attempt.error,
      body: answerBodyOf(attempt, headersIn(attempt.headers)).body ?? "",
      dueAtMs: attempt.dueAtMs,
      atMs: attempt.effectAtMs,
    };
  });
}

function headersIn(lines: string | null): ReadonlyMap<string, string> {
  return new Map(
    (lines ?? "").split(/\r?\n/).flatMap((line): [string, string][] => {
      const colon = line.indexOf(":");
      return colon <= 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
    }),
  );
}

function pathOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
