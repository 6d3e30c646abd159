import { type EventName, eventKey } from "./event-name.js";
import type { MeasuredAttempt } from "./measurements.js";
import { type AttemptFailure, type Outage, OpenOutage } from "./open-outage.js";
import { troubleOfCode } from "./trouble-code.js";

/** An attempt with its event. */
type NamedAttempt = MeasuredAttempt & EventName;

/** An event whose request ended with a broken connection at each try. */
export interface BreakingEvent extends EventName {
  readonly type: string;
  readonly tries: number;
}

/** Upper bound of the outages of a receiver: more are not kept. */
const OUTAGES_MAX = 1000;

/** Events with broken connections that are tracked. */
const BREAKING_MAX = 4096;

/** Codes of attempts that found nothing at the receiver's address (docs/delivery.md#the-http-client). */
const absentCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
]);

/** Codes of connections that ended before the answer did. */
const brokenCodes: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "no-answer",
  "incomplete-answer",
]);

/** Codes of attempts that failed on this machine: they show nothing about the receiver. */
const ownCodes: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "EADDRNOTAVAIL", "EADDRINUSE", "ENOBUFS", "ENOMEM"]);

/**
 * Finds the periods in which a receiver that had answered did not answer: it died, was restarted, or fell silent. A
 * slow receiver has none: an outage begins with a refused or broken connection or a timeout, and no request that was
 * written after its begin is answered within it.
 *
 * Attempts come in the order in which they take effect. In lockstep that is not the order of their answers, so the
 * begin and the end of an outage are decided by wall time.
 */
export class Outages {
  readonly #receivers = new Map<string, ReceiverOutages>();
  /** One-entry cache: successive attempts mostly go to one URL. */
  #lastUrl: string | null = null;
  #last: ReceiverOutages | undefined;
  /** By event: broken tries without an answer. */
  readonly #breaking = new Map<number, BreakingEvent>();

  /**
   * @param event - its type, and its delivery URL; null: unknown
   * @param endedMs - when the attempt ended, on the clock of the run's timeline
   */
  recordAttempt(
    attempt: NamedAttempt,
    event: { readonly type: string; readonly url: string | null },
    endedMs: number,
  ): void {
    const { type, url } = event;
    if (url === null) return;
    const receiver = this.#receiverOf(url);
    const ending = endingOf(attempt);
    if (ending === "alive") {
      if (attempt.try > 1 && this.#breaking.size > 0) this.#breaking.delete(eventKey(attempt));
      receiver.recordAnswer(attempt, endedMs);
      return;
    }
    if (ending === "own") return;
    const { channel, number, error, sentWallMs, dueAtMs } = attempt;
    const endWallMs = sentWallMs === null ? null : sentWallMs + attempt.durationMs;
    if (ending === "broken" && sentWallMs !== null && receiver.answers > 0) this.#countBroken(attempt, type);
    receiver.recordFailure({
      ending,
      code: error ?? "no-answer",
      event: { channel, number, type, try: attempt.try },
      sentWallMs,
      endWallMs,
      dueAtMs,
      endedMs,
    });
  }

  /**
   * The outages so far, in the order of their begin at each receiver.
   *
   * @param ended - a receiver that is known to have ended: its last attempts without an answer are an outage in any case
   */
  list(ended?: string): Outage[] {
    return [...this.#receivers].flatMap(([receiver, outages]) => outages.list({ hasEnded: receiver === ended }));
  }

  /** Answers of each receiver so far, by the origin of its URL. */
  answers(): ReadonlyMap<string, { readonly count: number; readonly lastMs: number }> {
    return new Map(
      [...this.#receivers].map(([receiver, { answers, lastAnswerMs }]) => [
        receiver,
        { count: answers, lastMs: lastAnswerMs },
      ]),
    );
  }

  /** Events that broke the connection at two tries or more, and were never answered; most tries first. */
  breakingEvents(): BreakingEvent[] {
    return [...this.#breaking.values()]
      .filter(({ tries }) => tries > 1)
      .toSorted((a, b) => b.tries - a.tries || a.channel - b.channel || a.number - b.number);
  }

  #receiverOf(url: string): ReceiverOutages {
    if (url === this.#lastUrl && this.#last !== undefined) return this.#last;
    const origin = originOf(url);
    let receiver = this.#receivers.get(origin);
    if (receiver === undefined) this.#receivers.set(origin, (receiver = new ReceiverOutages(origin)));
    this.#lastUrl = url;
    this.#last = receiver;
    return receiver;
  }

  #countBroken({ channel, number, try: tryNumber }: NamedAttempt, type: string): void {
    const key = eventKey({ channel, number });
    const known = this.#breaking.get(key);
    if (known !== undefined) this.#breaking.set(key, { ...known, tries: known.tries + 1 });
    // An event that failed otherwise before does not break each connection.
    else if (tryNumber === 1 && this.#breaking.size < BREAKING_MAX) {
      this.#breaking.set(key, { channel, number, type, tries: 1 });
    }
  }
}

/** The outages of one receiver. */
class ReceiverOutages {
  answers = 0;
  /** On the timeline's clock. */
  lastAnswerMs = 0;
  readonly #receiver: string;
  #lastAnswerWallMs = -Infinity;
  #open: OpenOutage | undefined;
  readonly #closed: Outage[] = [];

  /** @param receiver - its origin */
  constructor(receiver: string) {
    this.#receiver = receiver;
  }

  recordAnswer(attempt: NamedAttempt, endedMs: number): void {
    const open = this.#open;
    if (open !== undefined && open.isAfterBegin(attempt)) {
      if (open.hasAbsence) open.recordReturn(attempt, endedMs);
      // It was slow, or it closed some connections.
      else this.#open = undefined;
    }
    this.answers++;
    this.lastAnswerMs = Math.max(this.lastAnswerMs, endedMs);
    this.#lastAnswerWallMs = Math.max(this.#lastAnswerWallMs, (attempt.sentWallMs ?? 0) + attempt.durationMs);
  }

  recordFailure(failure: AttemptFailure): void {
    // A receiver that has never answered has not stopped answering.
    if (this.answers === 0) return;
    if (this.#open?.isOverBefore(failure, this.#lastAnswerWallMs) === true) this.#close(this.#open);
    this.#open ??= new OpenOutage({
      answers: this.answers,
      lastAnswerMs: this.lastAnswerMs,
      lastAnswerWallMs: this.#lastAnswerWallMs,
    });
    this.#open.add(failure);
  }

  #close(open: OpenOutage): void {
    const outage = open.outage(this.#receiver, { hasEnded: false });
    this.#open = undefined;
    if (outage !== undefined && this.#closed.length < OUTAGES_MAX) this.#closed.push(outage);
  }

  list({ hasEnded }: { readonly hasEnded: boolean }): Outage[] {
    const last = this.#open?.outage(this.#receiver, { hasEnded });
    return last === undefined ? [...this.#closed] : [...this.#closed, last];
  }
}

type OutageEnding = "alive" | "absent" | "broken" | "timeout" | "own";

/** Classifies how an attempt ended. Any answer, even a malformed one, shows that the receiver is alive. */
function endingOf({ status, outcome, error }: MeasuredAttempt): OutageEnding {
  if (status !== null) return "alive";
  if (troubleOfCode(error) !== undefined) return "own";
  if (outcome === "timeout") return "timeout";
  const code = error ?? "";
  if (absentCodes.has(code)) return "absent";
  if (brokenCodes.has(code)) return "broken";
  return ownCodes.has(code) ? "own" : "alive";
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
