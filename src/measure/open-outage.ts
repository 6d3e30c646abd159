import type { EventName } from "./event-name.js";

/** An event that was under way: its request was written, and no answer came. */
export interface UnderWay extends EventName {
  readonly type: string;
  readonly try: number;
  /**
   * The receiver had read the whole request: it closed the connection in order. The kernel resets a connection if the
   * process ends with unread bytes.
   */
  readonly isRead: boolean;
}

/** A period in which a receiver that had answered before did not answer. Instants are on the timeline's clock. */
export interface Outage {
  /** Origin of the receiver's URL: `http://127.0.0.1:8080`. */
  readonly receiver: string;
  /** Answers of the receiver before it, since the run began. */
  readonly answers: number;
  readonly lastAnswerMs: number;
  /** When the first attempt without an answer ended. */
  readonly fromMs: number;
  /** When the receiver was first seen again: it answered a request, or took one and died again. Null: never. */
  readonly untilMs: number | null;
  /** Nothing listened at the address; false: connections were accepted, and closed or left without an answer. */
  readonly isAbsent: boolean;
  /** Attempts by error code, in the order of their first. */
  readonly errors: Readonly<Record<string, number>>;
  /** Events under way at its begin, the first ten: those that were read first, then in the order of writing. */
  readonly underWay: readonly UnderWay[];
  /** How many events were under way. */
  readonly underWayCount: number;
}

/** The outage on a clock that begins `byMs` earlier. */
export function shiftOutage(outage: Outage, byMs: number): Outage {
  const { lastAnswerMs, fromMs, untilMs } = outage;
  return {
    ...outage,
    lastAnswerMs: lastAnswerMs + byMs,
    fromMs: fromMs + byMs,
    untilMs: untilMs === null ? null : untilMs + byMs,
  };
}

/** An attempt without an answer. Wall times are milliseconds on the sender's clock. */
export interface AttemptFailure {
  readonly ending: "absent" | "broken" | "timeout";
  readonly code: string;
  readonly event: Omit<UnderWay, "isRead">;
  /** Null: the request was not written. */
  readonly sentWallMs: number | null;
  readonly endWallMs: number | null;
  /** Virtual milliseconds. */
  readonly dueAtMs: number;
  /** On the timeline's clock. */
  readonly endedMs: number;
}

/** Maximum of written requests that an outage keeps, and of events under way that it lists. */
const WRITTEN_MAX = 200;
const UNDER_WAY_MAX = 10;

/** A request that broke, written later than this after the begin, reached a restarted receiver. Wall milliseconds. */
const RESTART_MS = 250;

/**
 * A graceful shutdown refuses new connections and still answers accepted requests, for at most this long (wall
 * milliseconds) and at most this many.
 */
const SHUTDOWN_MS = 1000;
const SHUTDOWN_ANSWERS = 20;

/** Without a refused connection it is an outage after this many failures… */
const BROKEN_LEAST = 5;
const TIMEOUTS_LEAST = 3;
/** …in at least this many rounds: the request of each was written after the round before had failed. */
const BROKEN_ROUNDS = 3;
const TIMEOUT_ROUNDS = 2;

/** What is known of a receiver when an attempt has no answer. */
interface LastAnswer {
  readonly answers: number;
  readonly lastAnswerMs: number;
  readonly lastAnswerWallMs: number;
}

/** A possible outage: attempts without an answer since the receiver's last answer. */
export class OpenOutage {
  readonly #last: LastAnswer;
  /** When the first request that timed out was written. An answer to a later request shows that the receiver lives. */
  #beganWallMs = Infinity;
  #firstDueAtMs = Infinity;
  #brokeWallMs = Infinity;
  #firstMs = Infinity;
  readonly #counts = { absent: 0, broken: 0, timeout: 0 };
  readonly #errors: Record<string, number> = {};
  readonly #written: AttemptFailure[] = [];
  /** Number of failures whose request was written after the round before had failed. */
  #rounds = 0;
  #roundEndsWallMs = -Infinity;
  /** The first request that was answered after the begin. */
  #return: { readonly wallMs: number; readonly ms: number; answers: number } | undefined;

  constructor(last: LastAnswer) {
    this.#last = last;
  }

  /** Whether a connection was refused, which proves that the receiver was not there. */
  get hasAbsence(): boolean {
    return this.#counts.absent > 0;
  }

  /** Whether an answered request was written after the begin. */
  isAfterBegin(answered: { readonly sentWallMs: number | null; readonly dueAtMs: number }): boolean {
    const began = Math.min(this.#beganWallMs, this.#brokeWallMs);
    const since = began === Infinity ? this.#last.lastAnswerWallMs : began;
    // Refused attempts have no wall time. Those that were due with the first one may have been sent before it.
    return (answered.sentWallMs ?? Infinity) > since && answered.dueAtMs > this.#firstDueAtMs;
  }

  /** Records an answer to a request that was written after the begin. */
  recordReturn({ sentWallMs }: { readonly sentWallMs: number | null }, ms: number): void {
    this.#return ??= { wallMs: sentWallMs ?? 0, ms, answers: 0 };
    this.#return.answers++;
  }

  /**
   * Decides whether the receiver had come back before a failure, so that the failure belongs to the next outage. The
   * failure itself can show the return, or that earlier answers came from a receiver that was shutting down.
   */
  isOverBefore({ ending, sentWallMs, endedMs }: AttemptFailure, lastAnswerWallMs: number): boolean {
    if (this.#return !== undefined) {
      const { wallMs, answers } = this.#return;
      if (ending === "broken" && sentWallMs !== null && sentWallMs < wallMs) return false;
      if (ending !== "absent" || lastAnswerWallMs - wallMs > SHUTDOWN_MS || answers > SHUTDOWN_ANSWERS) return true;
      this.#return = undefined;
      return false;
    }
    if (ending !== "broken" || sentWallMs === null || !this.hasAbsence) return false;
    const began = this.#brokeWallMs === Infinity ? this.#last.lastAnswerWallMs : this.#brokeWallMs;
    if (sentWallMs <= began + RESTART_MS) return false;
    // The receiver accepted this connection, so it had come back.
    this.#return = { wallMs: sentWallMs, ms: endedMs, answers: 0 };
    return true;
  }

  add(failure: AttemptFailure): void {
    const { ending, code, sentWallMs, endWallMs, dueAtMs, endedMs } = failure;
    this.#counts[ending]++;
    this.#errors[code] = (this.#errors[code] ?? 0) + 1;
    this.#firstDueAtMs = Math.min(this.#firstDueAtMs, dueAtMs);
    this.#firstMs = Math.min(this.#firstMs, endedMs);
    if (ending === "absent") return;
    if (ending === "timeout" && sentWallMs !== null) this.#beganWallMs = Math.min(this.#beganWallMs, sentWallMs);
    if (ending === "broken" && endWallMs !== null) this.#brokeWallMs = Math.min(this.#brokeWallMs, endWallMs);
    // A connection that breaks before the request is written has no wall time, and takes none.
    if (sentWallMs === null || endWallMs === null || sentWallMs >= this.#roundEndsWallMs) {
      this.#rounds++;
      this.#roundEndsWallMs = endWallMs ?? this.#roundEndsWallMs;
    }
    if (sentWallMs !== null && this.#written.length < WRITTEN_MAX) this.#written.push(failure);
  }

  /**
   * The outage so far; undefined: the failures do not show one.
   *
   * @param hasEnded - the receiver is known to have ended
   */
  outage(receiver: string, { hasEnded }: { readonly hasEnded: boolean }): Outage | undefined {
    const isAbsent = this.hasAbsence || (hasEnded && this.#return === undefined);
    if (!isAbsent && !this.#isSilent) return undefined;
    const underWay = this.#underWay(isAbsent);
    const { answers, lastAnswerMs } = this.#last;
    return {
      receiver,
      answers,
      lastAnswerMs,
      fromMs: this.#firstMs,
      untilMs: this.#return?.ms ?? null,
      isAbsent,
      errors: { ...this.#errors },
      underWay: underWay.slice(0, UNDER_WAY_MAX).map((failure) => ({ ...failure.event, isRead: wasRead(failure) })),
      underWayCount: underWay.length,
    };
  }

  get #isSilent(): boolean {
    const { broken, timeout } = this.#counts;
    const isBroken = broken >= BROKEN_LEAST && this.#rounds >= BROKEN_ROUNDS;
    return isBroken || (timeout >= TIMEOUTS_LEAST && this.#rounds >= TIMEOUT_ROUNDS);
  }

  /** Requests that were written before the begin, and not answered. */
  #underWay(isAbsent: boolean): AttemptFailure[] {
    return this.#written
      .filter(
        ({ ending, sentWallMs }) =>
          !(isAbsent && ending === "timeout") && (sentWallMs ?? Infinity) <= this.#brokeWallMs,
      )
      .toSorted((a, b) => Number(wasRead(b)) - Number(wasRead(a)) || (a.sentWallMs ?? 0) - (b.sentWallMs ?? 0));
  }
}

/** Whether the receiver closed the connection in order, before its answer or in the middle of it. */
function wasRead({ code }: AttemptFailure): boolean {
  return code === "no-answer" || code === "incomplete-answer";
}
