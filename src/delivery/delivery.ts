import assert from "node:assert/strict";
import { CLOSED, type Exchange, Fifo, type Poster, type PostRequest, unsent, WITHDRAWN } from "../http/index.js";
import { type AttemptOutcome, attemptOutcomes } from "../measure/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import { type ServicePreset, statusIn, type Tally } from "../wire/index.js";
import { Flight } from "./flight.js";
import type { Attempt, Posting } from "./types.js";

/** What Delivery reports, and to whom it hands its errors. */
export interface DeliveryPorts {
  /** A retry is about to be made. Write-ahead: the recording has the intent before the request leaves. */
  intends?(posting: Posting, tryNumber: number): void;
  /**
   * An attempt takes effect: it is complete, and its outcome has changed nothing yet. `attempt` has getters: read its
   * fields by name, a spread copies none of them.
   */
  attempted(attempt: Attempt): void;
  /** Paced: the run ended while this due attempt had no answer. Instants as in `Attempt.sentWallMs`. */
  left?(attempt: { readonly dueMs: number; readonly writtenMs: number | null; readonly untilMs: number }): void;
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
  readonly sender: Poster | undefined;
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
export type PastAttempt = Omit<Attempt, "posting" | "url" | "outcome" | "postedWallMs">;

/** So many attempts are worth being written down by themselves although others wait already. */
const BATCH = 256;

/** A try that waits for its instant. */
interface Waiting {
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
  readonly #flights: Flight[] = [];
  /** Lockstep: in the order of their effect; answered ones are dropped as soon as they come first. */
  readonly #unanswered = new Fifo<Flight>();
  /** Made, and waiting for `dispatch`. */
  #unsent: Flight[] = [];
  /** Those that are not recalled, while a run is gone through again; by their order, as an event has one try at a time. */
  #recallable: Map<number, Flight> | undefined;
  #isHalted = false;
  #haltedAtMs: number | undefined;
  readonly #counts = Object.fromEntries(attemptOutcomes.map((outcome) => [outcome, 0])) as Record<
    AttemptOutcome,
    number
  >;
  #inFlight = 0;
  #waiting = 0;
  #hadConnection = false;
  #wallFromMs = 0;
  #silentSinceWallMs: number | undefined;
  /** Resolves `#progress`, once: answers come by the hundred, and each further call would cost as much as the first. */
  #wake: (() => void) | undefined;
  #progress: Promise<void> | undefined;

  /** @throws RangeError when a retry could be due before the outcome that it follows has taken effect */
  constructor(options: DeliveryOptions) {
    const { preset, answersAfterMs } = options;
    const shortest = preset.attempts > 1 ? Math.min(...waitsOf(preset)) : Infinity;
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
  post(posting: Posting, { try: tryNumber = 1 }: { readonly try?: number } = {}): void {
    if (!(Number.isSafeInteger(tryNumber) && tryNumber >= 1)) assert.fail(`attempts count from 1, got ${tryNumber}`);
    if (this.#options.sender === undefined) this.#options.tally.lost("events", "no-receiver");
    else this.#attempt(posting, tryNumber);
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
      this.#wake = resolve;
    });
    return this.#progress;
  }

  /** Attempts whose answer is awaited, those that wait for a connection included. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** The same without those that are made and that the sender holds until they are due. */
  get awaited(): number {
    return Math.max(0, this.#inFlight - (this.#options.sender?.held ?? 0));
  }

  /** Due attempts that wait for a connection. */
  get waitingForConnection(): number {
    return this.#options.sender?.queued ?? 0;
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
    return { events: this.#flights.length + this.#waiting, attempts: this.#flights.length };
  }

  /** Wakes whoever waits for `progress`, although nothing was answered. */
  nudge(): void {
    const wake = this.#wake;
    this.#progress = undefined;
    this.#wake = undefined;
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
  halt(): void {
    this.#isHalted = true;
    this.#haltedAtMs ??= this.#options.wall();
    this.dispatch();
    this.#options.sender?.withdraw();
  }

  /** Sends what was attempted since the last time, as soon as all that led to it is on disk. */
  dispatch(): void {
    const { recording, sender, dueWallMs } = this.#options;
    if (this.#recallable !== undefined) {
      this.#unsent = [...this.#recallable.values()];
      this.#recallable = undefined;
    }
    if (this.#unsent.length === 0 || recording === undefined) return;
    // Where others wait for a connection already, these do not hurry, and a larger batch is written down at once. By a
    // schedule they do: who waits for a connection, and since when, the sender is to know.
    const canWait = dueWallMs === undefined && !this.#isHalted && (sender?.queued ?? 0) > 0;
    if (canWait && this.#unsent.length < BATCH) return;
    const flights = this.#unsent;
    this.#unsent = [];
    let sentCount = 0;
    const sendAll = (): void => {
      while (sentCount < flights.length) this.#send(flights[sentCount++] as Flight);
    };
    try {
      recording.whenFlushed(sendAll);
    } catch (error) {
      this.#options.ports.failed(error);
      for (const flight of flights.slice(sentCount)) this.#answered(flight, unsent(WITHDRAWN));
    }
  }

  /**
   * A run that was cut off is gone through again: an attempt of it that had been answered takes effect as it did then.
   * To be called before anything is dispatched. In lockstep it takes effect in its own time.
   *
   * @returns false when no such attempt is out: the recording is of something else
   */
  recall(past: PastAttempt): boolean {
    const order = orderOf(past);
    this.#recallable ??= new Map(this.#unsent.map((one) => [orderOf(one), one]));
    const flight = this.#recallable.get(order);
    if (flight?.try !== past.try) return false;
    this.#recallable.delete(order);
    flight.take({ ...past, postedWallMs: null });
    flight.latencyMs = past.latencyMs;
    flight.latenessMs = past.latenessMs;
    flight.isRepeat = past.isRepeat;
    this.#inFlight--;
    if (past.sentWallMs !== null) this.#hadConnection = true;
    if (this.#inFlight === 0) this.#silentSinceWallMs = undefined;
    if (this.#options.answersAfterMs === undefined) {
      flight.effectAtMs = this.#options.kernel.now;
      this.#takeEffect(flight);
    } else this.#dropAnswered();
    return true;
  }

  /**
   * What is still out when a run goes on is due from now on: how long it was cut off is not the receiver's doing.
   *
   * @param wallFromMs - what is added to the sender's clock, so that `sentWallMs` goes on where it was cut off
   */
  goOn({ wallFromMs }: { readonly wallFromMs: number }): void {
    const { wall } = this.#options;
    this.#wallFromMs = wallFromMs;
    for (const flight of this.#recallable?.values() ?? this.#unsent)
      if (flight.dueWallMs !== undefined) flight.dueWallMs = wall();
    if (this.#silentSinceWallMs !== undefined) this.#silentSinceWallMs = wall();
  }

  /**
   * To be called when the kernel stands still for good: waits for all answers and applies their outcomes at the
   * kernel's now, in order (time, channel, number). Tries that are not yet due stay waiting.
   */
  async drain(): Promise<void> {
    this.dispatch();
    await this.progress();
    while (this.#flights.length > 0) {
      while (this.#inFlight > 0) {
        this.dispatch();
        await this.progress();
      }
      const flights = [...this.#flights].sort((a, b) => a.effectAtMs - b.effectAtMs || orderOf(a) - orderOf(b));
      for (const flight of flights) {
        if (flight.timer !== undefined) this.#options.kernel.cancel(flight.timer);
        this.#takeEffect(flight);
      }
    }
  }

  #attempt(posting: Posting, tryNumber: number): void {
    const { kernel, answersAfterMs, tally, wall, dueWallMs, isRepeat, recording } = this.#options;
    if (tryNumber > 1) this.#options.ports.intends?.(posting, tryNumber);
    const now = kernel.now;
    const order = orderOf(posting);
    const flight = new Flight({
      posting,
      try: tryNumber,
      dueAtMs: now,
      dueWallMs: dueWallMs?.(now),
      effectAtMs: now + (answersAfterMs ?? 0),
      isRepeat: isRepeat?.() ?? false,
      place: this.#flights.length,
    });
    tally.in("attempts");
    this.#flights.push(flight);
    this.#inFlight++;
    this.#silentSinceWallMs ??= wall();
    if (answersAfterMs !== undefined) {
      this.#unanswered.push(flight);
      flight.timer = kernel.at(flight.effectAtMs, this.#takeEffect, flight, order);
    }
    if (recording === undefined) this.#send(flight);
    else {
      this.#unsent.push(flight);
      this.#recallable?.set(order, flight);
    }
  }

  #send(flight: Flight): void {
    const { marks, preset, sender } = this.#options;
    const { posting, dueWallMs } = flight;
    // As if it had waited for a connection: nothing of it was sent.
    if (this.#isHalted || sender === undefined) return this.#answered(flight, unsent(WITHDRAWN));
    const request: PostRequest = {
      url: posting.url,
      body: posting.body,
      timeoutMs: preset.timeoutMs,
      notBeforeMs: dueWallMs,
    };
    sender.post(marks ? { ...request, headers: marksOf(flight) } : request, (exchange) =>
      this.#answered(flight, exchange),
    );
  }

  #answered(flight: Flight, exchange: Exchange): void {
    const { answersAfterMs, catchUp, ports } = this.#options;
    const answeredWallMs = this.#measure(flight, exchange);
    const { sentWallMs } = exchange;
    const isShifted = sentWallMs !== null && this.#wallFromMs !== 0;
    flight.take(isShifted ? { ...exchange, sentWallMs: sentWallMs + this.#wallFromMs } : exchange);
    this.#inFlight--;
    if (sentWallMs !== null) this.#hadConnection = true;
    if (exchange.status !== null) this.#silentSinceWallMs = this.#inFlight > 0 ? answeredWallMs : undefined;
    if (answersAfterMs === undefined) {
      try {
        catchUp?.();
        flight.effectAtMs = this.#options.kernel.now;
        this.#takeEffect(flight);
      } catch (error) {
        ports.failed(error);
      }
    } else this.#dropAnswered();
    this.nudge();
  }

  /**
   * By the sender's times, not by when it was heard of here: this thread may have been busy with its phones.
   *
   * @returns when it was answered
   */
  #measure(flight: Flight, { postedWallMs, sentWallMs, durationMs }: Exchange): number {
    const { wall, sender } = this.#options;
    const { dueWallMs } = flight;
    const bornMs = sender?.bornMs ?? 0;
    const answeredWallMs = sentWallMs === null ? wall() : bornMs + sentWallMs + durationMs;
    flight.latencyMs = dueWallMs === undefined ? durationMs : answeredWallMs - dueWallMs;
    if (dueWallMs !== undefined && postedWallMs !== null) {
      flight.latenessMs = Math.max(0, bornMs + postedWallMs - dueWallMs);
    }
    return answeredWallMs;
  }

  #dropAnswered(): void {
    while (this.#unanswered.first?.isAnswered === true) this.#unanswered.shift();
  }

  readonly #takeEffect = (flight: Flight): void => {
    const { error } = flight;
    if (!flight.isAnswered)
      assert.fail(`the kernel was stepped past ${flight.effectAtMs} ms, where an answer is awaited`);
    const { preset, tally } = this.#options;
    // Our own end is no failure of the receiver's: the event stays waiting, and whoever goes on makes this try again.
    if (error === WITHDRAWN || error === CLOSED) {
      this.#land(flight);
      this.#waiting++;
      tally.lost("attempts", WITHDRAWN);
      this.#leave(flight);
      return;
    }
    const outcome = outcomeOf(flight, { preset, isLast: flight.try >= preset.attempts });
    flight.outcome = outcome;
    this.#land(flight);
    this.#counts[outcome]++;
    this.#reportAttempt(flight);
    if (outcome === "accepted") {
      tally.delivered("attempts");
      tally.delivered("events");
      return;
    }
    tally.failed("attempts");
    if (outcome !== "refused" && flight.try < preset.attempts) {
      this.#retryLater(flight);
      return;
    }
    tally.failed("events");
  };

  #reportAttempt(flight: Flight): void {
    const { ports } = this.#options;
    try {
      ports.attempted(flight);
    } catch (error) {
      ports.failed(error);
    }
  }

  #leave({ dueWallMs, sentWallMs }: Flight): void {
    const { ports, sender, wall } = this.#options;
    const untilWallMs = this.#haltedAtMs ?? wall();
    if (dueWallMs === undefined || dueWallMs > untilWallMs) return;
    const shiftMs = this.#wallFromMs - (sender?.bornMs ?? 0);
    ports.left?.({ dueMs: Math.max(0, dueWallMs + shiftMs), writtenMs: sentWallMs, untilMs: untilWallMs + shiftMs });
  }

  /** The last one takes its place. */
  #land({ place }: Flight): void {
    const last = this.#flights.pop();
    if (last === undefined || last.place === place) return;
    last.place = place;
    this.#flights[place] = last;
  }

  /** Every retry waits from the virtual time of the attempt before it, as a real service's schedule does. */
  #retryLater({ posting, try: tryNumber, dueAtMs }: Attempt): void {
    const { kernel, preset } = this.#options;
    const waits = waitsOf(preset);
    const waitMs = waits[Math.min(tryNumber, waits.length) - 1] ?? 0;
    this.#waiting++;
    const next: Waiting = { posting, try: tryNumber + 1 };
    kernel.at(Math.max(kernel.now, dueAtMs + waitMs), this.#retry, next, orderOf(posting));
  }

  readonly #retry = (waiting: Waiting): void => {
    this.#waiting--;
    assert(this.#options.sender !== undefined, "nothing is retried without a sender");
    this.#attempt(waiting.posting, waiting.try);
  };
}

function marksOf({ posting, try: tryNumber, dueAtMs, isRepeat }: Flight): Record<string, string> {
  return {
    "x-handset-event": `${posting.channel}/${posting.number}`,
    "x-handset-attempt": String(tryNumber),
    "x-handset-time": String(dueAtMs),
    ...(isRepeat && { "x-handset-repeat": "1" }),
  };
}

/** What an answer means by the preset. */
function outcomeOf(
  { status, error }: Exchange,
  { preset, isLast }: { readonly preset: ServicePreset; readonly isLast: boolean },
): AttemptOutcome {
  if (status === null) return error === "ETIMEDOUT" ? "timeout" : "connection";
  if (statusIn(preset.accepted, status)) return "accepted";
  if (!statusIn(preset.retried, status)) return "refused";
  return isLast ? "failed" : "retried";
}

/** The place among the effects of one instant: by channel, then by number within the channel. */
function orderOf({ channel, number }: Pick<Posting, "channel" | "number">): number {
  const order = channel * 0x1_0000_0000 + number;
  if (!Number.isSafeInteger(order) || number >= 0x1_0000_0000) {
    assert.fail(`event ${channel}/${number} is beyond the numbers`);
  }
  return order;
}

function waitsOf({ waitsMs }: ServicePreset): readonly number[] {
  return waitsMs.length === 0 ? [0] : waitsMs;
}
