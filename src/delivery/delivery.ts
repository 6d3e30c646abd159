import assert from "node:assert/strict";
import {
  CLOSED,
  type HttpResult,
  Fifo,
  type HttpSender,
  type HttpRequest,
  unsentResult,
  WITHDRAWN,
} from "../http/index.js";
import { type AttemptOutcome, attemptOutcomes } from "../measure/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import { type ServicePreset, statusIn, type Tally } from "../wire/index.js";
import { PendingAttempt } from "./pending-attempt.js";
import type { Attempt, Posting } from "./types.js";

/** What Delivery reports, and to whom it hands its errors. */
export interface DeliveryPorts {
  /** A retry is about to be made. Write-ahead: the recording has the intent before the request leaves. */
  beforeRetry?(posting: Posting, tryNumber: number): void;
  /**
   * An attempt takes effect: it is complete, and its outcome has changed nothing yet. `attempt` has getters: read its
   * fields by name, a spread copies none of them.
   */
  attempted(attempt: Attempt): void;
  /** Paced: the run ended while this due attempt had no answer. Instants as in `Attempt.sentWallMs`. */
  unanswered?(attempt: { readonly dueMs: number; readonly writtenMs: number | null; readonly untilMs: number }): void;
  /**
   * `attempted`, `catchUp` or the recording threw. Delivery keeps working: thrown on, the error would end in the event
   * handler of a socket. The run must end.
   */
  failed(error: unknown): void;
}

/** The part of a recording that Delivery needs. */
export interface FlushedRecording {
  /** Calls `then` once everything recorded so far is durable: at once, or later from the event loop. */
  whenFlushed(then: () => void): void;
}

export interface DeliveryOptions {
  readonly kernel: Kernel;
  /** Made with the preset's `redirects`. Undefined: nothing is posted, events are lost by the named cause `no-receiver`. */
  readonly sender: HttpSender | undefined;
  readonly preset: ServicePreset;
  /**
   * Lockstep: virtual milliseconds from an attempt to its effect, however fast the answer really came. Undefined:
   * an answer takes effect when it comes.
   */
  readonly answersAfterMs: number | undefined;
  /** A clock that never goes back, in milliseconds. */
  readonly wall: () => number;
  /**
   * Paced: when what happens now, at this virtual instant, is or was due on that clock; latency counts from there, and the
   * attempt is not sent before. Asked once for each attempt, when it is made.
   */
  readonly dueWallMs?: (atMs: SimTime) => number;
  /** Not lockstep: brings the kernel up to the wall clock before an answer takes effect. */
  readonly catchUp?: () => void;
  /**
   * Attempts wait for `dispatch`, which sends them once the recording is durable: so no request leaves that a resumed run
   * would not know of. Absent: each attempt is sent when it is made.
   */
  readonly recording?: FlushedRecording;
  /** Whether a run that was cut off had this attempt written down, so that it may have sent it. Default: no. */
  readonly isRepeat?: () => boolean;
  readonly tally: Tally;
  /**
   * Adds `X-Handset-Event: channel/number`, `X-Handset-Attempt: n`, `X-Handset-Time: virtual milliseconds`, and where the
   * attempt may have been sent before `X-Handset-Repeat: 1`.
   */
  readonly marks: boolean;
  readonly ports: DeliveryPorts;
}

/** An attempt that an earlier run has made and seen the end of. */
export type FinishedAttempt = Omit<Attempt, "posting" | "url" | "outcome" | "postedWallMs">;

/** So many attempts are worth being written down by themselves although others wait already. */
const MIN_BATCH = 256;

/** A try that waits for its instant. */
interface PendingRetry {
  readonly posting: Posting;
  readonly try: number;
}

/**
 * Brings events to the receiver: attempts, what their answers mean by the preset, retries in virtual time.
 *
 * Lockstep: the outcome of an attempt takes effect at its virtual time + lookahead, in order (time, channel,
 * number), so that a run does not depend on how fast the receiver is. Whoever steps the kernel must stop before
 * `horizonMs` until the answer is there.
 *
 * Ledger: an event is closed as delivered or failed; an attempt is opened when it is made and closed with its effect.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  /**
   * Made, not yet in effect; in no order. A Set would do, but one through which a million items pass keeps most of them alive:
   * each table that V8 outgrows points to the next one, and all of them to what is in it, until the heap is marked.
   */
  readonly #pending: PendingAttempt[] = [];
  /** Lockstep: in the order of their effect; answered ones are dropped as soon as they come first. */
  readonly #unanswered = new Fifo<PendingAttempt>();
  /** Made, and waiting for `dispatch`. */
  #unsent: PendingAttempt[] = [];
  /** Those that are not recalled, while a run is gone through again; by their order, as an event has one try at a time. */
  #unmatched: Map<number, PendingAttempt> | undefined;
  #isHalted = false;
  #haltedAtMs: number | undefined;
  readonly #counts = Object.fromEntries(attemptOutcomes.map((outcome) => [outcome, 0])) as Record<
    AttemptOutcome,
    number
  >;
  #inFlight = 0;
  #waiting = 0;
  #hadConnection = false;
  #wallOffsetMs = 0;
  #silentSinceWallMs: number | undefined;
  /** Resolves `#progress`, once: answers come by the hundred, and each further call would cost as much as the first. */
  #wakeProgress: (() => void) | undefined;
  #progress: Promise<void> | undefined;

  /** @throws RangeError when a retry could be due before the outcome that it follows has taken effect */
  constructor(options: DeliveryOptions) {
    const { preset, answersAfterMs } = options;
    const shortest = preset.attempts > 1 ? Math.min(...retryWaits(preset)) : Infinity;
    if (answersAfterMs !== undefined && shortest < answersAfterMs) {
      throw new RangeError(`a retry wait of ${shortest} ms is shorter than the lookahead of ${answersAfterMs} ms`);
    }
    this.#options = options;
  }

  /**
   * Makes an attempt at an event that is due now.
   *
   * @param options - `try`: which attempt it is, from 1 (default): later for an event whose earlier ones were made before
   *   this run. Beyond the preset's number it is the last
   */
  postEvent(posting: Posting, { try: tryNumber = 1 }: { readonly try?: number } = {}): void {
    if (!(Number.isSafeInteger(tryNumber) && tryNumber >= 1)) assert.fail(`attempts count from 1, got ${tryNumber}`);
    if (this.#options.sender === undefined) this.#options.tally.lost("events", "no-receiver");
    else this.#makeAttempt(posting, tryNumber);
  }

  /**
   * Lockstep: when the earliest attempt that has no answer yet takes effect; Infinity when there is none. The kernel
   * must not be stepped to it or past it. Not lockstep: always Infinity.
   */
  get horizonMs(): SimTime {
    return this.#unanswered.first?.effectAtMs ?? Infinity;
  }

  /** Resolves at the next answer (or failure); at once when none is awaited. */
  async progress(): Promise<void> {
    if (this.#inFlight > 0) await this.#nextAnswer();
  }

  #nextAnswer(): Promise<void> {
    this.#progress ??= new Promise((resolve) => {
      this.#wakeProgress = resolve;
    });
    return this.#progress;
  }

  /** Attempts whose answer is awaited, those that wait for a connection included. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** The same without those that are made and that the sender holds until they are due. */
  get awaited(): number {
    return Math.max(0, this.#inFlight - (this.#options.sender?.notDue ?? 0));
  }

  /** Due attempts that wait for a connection. */
  get waitingForConnection(): number {
    return this.#options.sender?.waitingForConnection ?? 0;
  }

  /** Events whose next try is not yet due. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Attempts in effect, by outcome. */
  get counts(): Readonly<Record<AttemptOutcome, number>> {
    return { ...this.#counts };
  }

  /** Whether any attempt ever got a connection. */
  get hadConnection(): boolean {
    return this.#hadConnection;
  }

  /** What waits here: events that have not reached their end, attempts that have had no effect. */
  census(): { readonly events: number; readonly attempts: number } {
    return { events: this.#pending.length + this.#waiting, attempts: this.#pending.length };
  }

  /** Wakes whoever waits for `progress`, although nothing was answered. */
  wakeProgress(): void {
    const wake = this.#wakeProgress;
    this.#progress = undefined;
    this.#wakeProgress = undefined;
    wake?.();
  }

  /** Since when nobody has answered although attempts were made, by the wall clock; undefined while somebody does. */
  get silentSinceWallMs(): number | undefined {
    return this.#silentSinceWallMs;
  }

  /**
   * To be called before `drain` when a run ends early: attempts that are not due yet or wait for a connection are taken back. Their
   * events stay waiting, and the ledger has the attempts as lost by the cause `withdrawn`.
   */
  stopSending(): void {
    this.#isHalted = true;
    this.#haltedAtMs ??= this.#options.wall();
    this.dispatchAttempts();
    this.#options.sender?.withdrawUnsent();
  }

  /** Sends what was attempted since the last time, as soon as all that led to it is on disk. */
  dispatchAttempts(): void {
    const { recording, sender, dueWallMs } = this.#options;
    if (this.#unmatched !== undefined) {
      this.#unsent = [...this.#unmatched.values()];
      this.#unmatched = undefined;
    }
    if (this.#unsent.length === 0 || recording === undefined) return;
    // Where others wait for a connection already, these do not hurry, and a larger batch is written down at once. By a
    // schedule they do: who waits for a connection, and since when, the sender is to know.
    const canWait = dueWallMs === undefined && !this.#isHalted && (sender?.waitingForConnection ?? 0) > 0;
    if (canWait && this.#unsent.length < MIN_BATCH) return;
    const flights = this.#unsent;
    this.#unsent = [];
    let sentCount = 0;
    const sendAll = (): void => {
      while (sentCount < flights.length) this.#sendAttempt(flights[sentCount++] as PendingAttempt);
    };
    try {
      recording.whenFlushed(sendAll);
    } catch (error) {
      this.#options.ports.failed(error);
      for (const flight of flights.slice(sentCount)) this.#onResult(flight, unsentResult(WITHDRAWN));
    }
  }

  /**
   * A run that was cut off is gone through again: an attempt of it that had been answered takes effect as it did then.
   * To be called before anything is dispatched. In lockstep it takes effect in its own time.
   *
   * @returns false when no such attempt is out: the recording is of something else
   */
  applyRecordedAttempt(past: FinishedAttempt): boolean {
    const order = effectOrder(past);
    this.#unmatched ??= new Map(this.#unsent.map((one) => [effectOrder(one), one]));
    const flight = this.#unmatched.get(order);
    if (flight?.try !== past.try) return false;
    this.#unmatched.delete(order);
    flight.setResult({ ...past, postedWallMs: null });
    flight.latencyMs = past.latencyMs;
    flight.latenessMs = past.latenessMs;
    flight.isRepeat = past.isRepeat;
    this.#inFlight--;
    if (past.sentWallMs !== null) this.#hadConnection = true;
    if (this.#inFlight === 0) this.#silentSinceWallMs = undefined;
    if (this.#options.answersAfterMs === undefined) {
      flight.effectAtMs = this.#options.kernel.now;
      this.#applyOutcome(flight);
    } else this.#dropAnswered();
    return true;
  }

  /**
   * What is still out when a run goes on is due from now on: how long it was cut off is not the receiver's doing.
   *
   * @param wallFromMs - what is added to the sender's clock, so that `sentWallMs` goes on where it was cut off
   */
  continueAfterReexecution({ wallFromMs }: { readonly wallFromMs: number }): void {
    const { wall } = this.#options;
    this.#wallOffsetMs = wallFromMs;
    for (const flight of this.#unmatched?.values() ?? this.#unsent)
      if (flight.dueWallMs !== undefined) flight.dueWallMs = wall();
    if (this.#silentSinceWallMs !== undefined) this.#silentSinceWallMs = wall();
  }

  /**
   * To be called when the kernel stands still for good: waits for all answers and applies their outcomes at the
   * kernel's now, in order (time, channel, number). Tries that are not yet due stay waiting.
   */
  async drain(): Promise<void> {
    this.dispatchAttempts();
    await this.progress();
    while (this.#pending.length > 0) {
      while (this.#inFlight > 0) {
        this.dispatchAttempts();
        await this.progress();
      }
      const flights = [...this.#pending].sort((a, b) => a.effectAtMs - b.effectAtMs || effectOrder(a) - effectOrder(b));
      for (const flight of flights) {
        if (flight.timer !== undefined) this.#options.kernel.cancel(flight.timer);
        this.#applyOutcome(flight);
      }
    }
  }

  #makeAttempt(posting: Posting, tryNumber: number): void {
    const { kernel, answersAfterMs, tally, wall, dueWallMs, isRepeat, recording } = this.#options;
    if (tryNumber > 1) this.#options.ports.beforeRetry?.(posting, tryNumber);
    const now = kernel.now;
    const order = effectOrder(posting);
    const flight = new PendingAttempt({
      posting,
      try: tryNumber,
      dueAtMs: now,
      dueWallMs: dueWallMs?.(now),
      effectAtMs: now + (answersAfterMs ?? 0),
      isRepeat: isRepeat?.() ?? false,
      place: this.#pending.length,
    });
    tally.in("attempts");
    this.#pending.push(flight);
    this.#inFlight++;
    this.#silentSinceWallMs ??= wall();
    if (answersAfterMs !== undefined) {
      this.#unanswered.push(flight);
      flight.timer = kernel.at(flight.effectAtMs, this.#applyOutcome, flight, order);
    }
    if (recording === undefined) this.#sendAttempt(flight);
    else {
      this.#unsent.push(flight);
      this.#unmatched?.set(order, flight);
    }
  }

  #sendAttempt(flight: PendingAttempt): void {
    const { marks, preset, sender } = this.#options;
    const { posting, dueWallMs } = flight;
    // As if it had waited for a connection: nothing of it was sent.
    if (this.#isHalted || sender === undefined) return this.#onResult(flight, unsentResult(WITHDRAWN));
    const request: HttpRequest = {
      url: posting.url,
      body: posting.body,
      timeoutMs: preset.timeoutMs,
      notBeforeMs: dueWallMs,
    };
    sender.post(marks ? { ...request, headers: markHeaders(flight) } : request, (exchange) =>
      this.#onResult(flight, exchange),
    );
  }

  #onResult(flight: PendingAttempt, exchange: HttpResult): void {
    const { answersAfterMs, catchUp, ports } = this.#options;
    const answeredWallMs = this.#measureTimes(flight, exchange);
    const { sentWallMs } = exchange;
    const isShifted = sentWallMs !== null && this.#wallOffsetMs !== 0;
    flight.setResult(isShifted ? { ...exchange, sentWallMs: sentWallMs + this.#wallOffsetMs } : exchange);
    this.#inFlight--;
    if (sentWallMs !== null) this.#hadConnection = true;
    if (exchange.status !== null) this.#silentSinceWallMs = this.#inFlight > 0 ? answeredWallMs : undefined;
    if (answersAfterMs === undefined) {
      try {
        catchUp?.();
        flight.effectAtMs = this.#options.kernel.now;
        this.#applyOutcome(flight);
      } catch (error) {
        ports.failed(error);
      }
    } else this.#dropAnswered();
    this.wakeProgress();
  }

  /**
   * By the sender's times, not by when it was heard of here: this thread may have been busy with its phones.
   *
   * @returns when it was answered
   */
  #measureTimes(flight: PendingAttempt, { postedWallMs, sentWallMs, durationMs }: HttpResult): number {
    const { wall, sender } = this.#options;
    const { dueWallMs } = flight;
    const originMs = sender?.originMs ?? 0;
    const answeredWallMs = sentWallMs === null ? wall() : originMs + sentWallMs + durationMs;
    flight.latencyMs = dueWallMs === undefined ? durationMs : answeredWallMs - dueWallMs;
    if (dueWallMs !== undefined && postedWallMs !== null) {
      flight.latenessMs = Math.max(0, originMs + postedWallMs - dueWallMs);
    }
    return answeredWallMs;
  }

  #dropAnswered(): void {
    while (this.#unanswered.first?.isAnswered === true) this.#unanswered.shift();
  }

  readonly #applyOutcome = (flight: PendingAttempt): void => {
    const { error } = flight;
    if (!flight.isAnswered)
      assert.fail(`the kernel was stepped past ${flight.effectAtMs} ms, where an answer is awaited`);
    const { preset, tally } = this.#options;
    // Our own end is no failure of the receiver's: the event stays waiting, and whoever goes on makes this try again.
    if (error === WITHDRAWN || error === CLOSED) {
      this.#removePending(flight);
      this.#waiting++;
      tally.lost("attempts", WITHDRAWN);
      this.#reportUnanswered(flight);
      return;
    }
    const outcome = outcomeOf(flight, { preset, isLast: flight.try >= preset.attempts });
    flight.outcome = outcome;
    this.#removePending(flight);
    this.#counts[outcome]++;
    this.#reportAttempt(flight);
    if (outcome === "accepted") {
      tally.delivered("attempts");
      tally.delivered("events");
      return;
    }
    tally.failed("attempts");
    if (outcome !== "refused" && flight.try < preset.attempts) {
      this.#scheduleRetry(flight);
      return;
    }
    tally.failed("events");
  };

  #reportAttempt(flight: PendingAttempt): void {
    const { ports } = this.#options;
    try {
      ports.attempted(flight);
    } catch (error) {
      ports.failed(error);
    }
  }

  #reportUnanswered({ dueWallMs, sentWallMs }: PendingAttempt): void {
    const { ports, sender, wall } = this.#options;
    const untilWallMs = this.#haltedAtMs ?? wall();
    if (dueWallMs === undefined || dueWallMs > untilWallMs) return;
    const shiftMs = this.#wallOffsetMs - (sender?.originMs ?? 0);
    ports.unanswered?.({
      dueMs: Math.max(0, dueWallMs + shiftMs),
      writtenMs: sentWallMs,
      untilMs: untilWallMs + shiftMs,
    });
  }

  /** The last one takes its place. */
  #removePending({ index: place }: PendingAttempt): void {
    const last = this.#pending.pop();
    if (last === undefined || last.index === place) return;
    last.index = place;
    this.#pending[place] = last;
  }

  /** Every retry waits from the virtual time of the attempt before it, as a real service's schedule does. */
  #scheduleRetry({ posting, try: tryNumber, dueAtMs }: Attempt): void {
    const { kernel, preset } = this.#options;
    const waits = retryWaits(preset);
    const waitMs = waits[Math.min(tryNumber, waits.length) - 1] ?? 0;
    this.#waiting++;
    const next: PendingRetry = { posting, try: tryNumber + 1 };
    kernel.at(Math.max(kernel.now, dueAtMs + waitMs), this.#makeRetry, next, effectOrder(posting));
  }

  readonly #makeRetry = (waiting: PendingRetry): void => {
    this.#waiting--;
    assert(this.#options.sender !== undefined, "nothing is retried without a sender");
    this.#makeAttempt(waiting.posting, waiting.try);
  };
}

function markHeaders({ posting, try: tryNumber, dueAtMs, isRepeat }: PendingAttempt): Record<string, string> {
  return {
    "x-handset-event": `${posting.channel}/${posting.number}`,
    "x-handset-attempt": String(tryNumber),
    "x-handset-time": String(dueAtMs),
    ...(isRepeat && { "x-handset-repeat": "1" }),
  };
}

/** What an answer means by the preset. */
function outcomeOf(
  { status, error }: HttpResult,
  { preset, isLast }: { readonly preset: ServicePreset; readonly isLast: boolean },
): AttemptOutcome {
  if (status === null) return error === "ETIMEDOUT" ? "timeout" : "connection";
  if (statusIn(preset.accepted, status)) return "accepted";
  if (!statusIn(preset.retried, status)) return "refused";
  return isLast ? "failed" : "retried";
}

/** The place among the effects of one instant: by channel, then by number within the channel. */
function effectOrder({ channel, number }: Pick<Posting, "channel" | "number">): number {
  const order = channel * 0x1_0000_0000 + number;
  if (!Number.isSafeInteger(order) || number >= 0x1_0000_0000) {
    assert.fail(`event ${channel}/${number} is beyond the numbers`);
  }
  return order;
}

function retryWaits({ waitsMs }: ServicePreset): readonly number[] {
  return waitsMs.length === 0 ? [0] : waitsMs;
}
