import assert from "node:assert/strict";
import { CLOSED, type HttpResult, type HttpRequest, unsentResult, WITHDRAWN } from "../http/index.js";
import { type AttemptOutcome, attemptOutcomes, troubleCode, troubleOfCode } from "../measure/index.js";
import type { SimTime } from "../sim/index.js";
import type { LosingTrouble } from "../wire/index.js";
import { PendingAttempt } from "./pending-attempt.js";
import { PendingAttempts } from "./pending-attempts.js";
import { UnsentAttempts } from "./unsent-attempts.js";
import { effectOrder, hasRetry, outcomeOf, retryWaitMs, shortestRetryWaitMs } from "./outcome.js";
import type { DeliveryOptions, FinishedAttempt } from "./delivery-options.js";
import { type HeldEvent, HeldEvents } from "./trouble/held-events.js";
import { EventCopies } from "./trouble/event-copies.js";
import { resultAfterTrouble, timesOutBy } from "./trouble/results.js";
import type { Trouble } from "./trouble/trouble.js";
import type { Posting } from "./types.js";

/** Minimum number of unsent attempts for a group commit while other requests wait for a connection. */
const MIN_BATCH = 256;

/** A retry that is not due yet. */
interface PendingRetry {
  readonly posting: Posting;
  /** Number of the attempt, without copies. */
  readonly round: number;
}

/** The next attempt at an event whose last one failed. */
export interface Retry {
  readonly try: number;
  /** Past: it is under way. */
  readonly dueAtMs: SimTime;
}

/**
 * Delivers events to the receiver: makes attempts, applies their outcomes under the preset, schedules retries.
 *
 * `postEvent` makes an attempt, `dispatchAttempts` sends it once the recording is durable, and its outcome takes effect
 * through `ports.attempted`.
 *
 * Lockstep: an outcome takes effect at the attempt's virtual time + lookahead, in order (time, channel, number), so a
 * run does not depend on the receiver's speed. The loop must not step the kernel to `horizonMs` before that attempt is
 * answered.
 *
 * Ledger: an event is closed as delivered or failed; an attempt is opened when it is made and closed with its effect.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #pending = new PendingAttempts();
  /** Not yet passed to the sender: they wait for `dispatchAttempts`. */
  readonly #unsent = new UnsentAttempts();
  /** Events with an attempt by hand that is not in effect yet, by `effectOrder`: a few at a time. */
  readonly #byHand = new Set<number>();
  /** Events between a failed attempt and the outcome of the next, by `effectOrder`. */
  readonly #retries = new Map<number, Retry>();
  /** Events that trouble on the way holds back. */
  readonly #held: HeldEvents;
  readonly #copies = new EventCopies();
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
  /** Resolves `#progress`; undefined once called, so that the other answers of one turn skip it. */
  #wakeProgress: (() => void) | undefined;
  #progress: Promise<void> | undefined;

  /** @throws RangeError when a retry wait of the preset is shorter than the lookahead */
  constructor(options: DeliveryOptions) {
    const { preset, answersAfterMs } = options;
    const shortest = shortestRetryWaitMs(preset);
    if (answersAfterMs !== undefined && shortest < answersAfterMs) {
      throw new RangeError(`a retry wait of ${shortest} ms is shorter than the lookahead of ${answersAfterMs} ms`);
    }
    this.#options = options;
    this.#held = new HeldEvents(options.kernel, this.#releaseHeld);
  }

  /**
   * Makes an attempt at an event that is due now.
   *
   * @param options - `try`: number of the attempt, from 1 (default); higher when earlier attempts were made before this
   *   run. Beyond the preset's number of attempts it is the last one
   */
  postEvent(posting: Posting, { try: tryNumber = 1 }: { readonly try?: number } = {}): void {
    if (!(Number.isSafeInteger(tryNumber) && tryNumber >= 1))
      assert.fail(`try must be a whole number >= 1, got ${tryNumber}`);
    if (this.#options.sender === undefined) this.#options.tally.lost("events", "no-receiver");
    else {
      if (tryNumber > 1) this.#retries.set(effectOrder(posting), { try: tryNumber, dueAtMs: this.#options.kernel.now });
      this.#startRound(posting, tryNumber);
    }
  }

  /**
   * Makes an attempt by hand at an event whose delivery is over. It is the event's last: no retry follows. The ledger
   * counts it as a copy of the event, by the cause `sent-by-hand`.
   *
   * @param options - `try`: the next number of an attempt at this event
   */
  postByHand(posting: Posting, options: { readonly try: number }): void {
    if (this.isByHand(posting)) assert.fail(`event ${posting.channel}/${posting.number} is being sent by hand`);
    this.#options.tally.copy("events", "sent-by-hand");
    if (this.#options.sender === undefined) return this.#options.tally.lost("events", "no-receiver");
    this.#byHand.add(effectOrder(posting));
    this.#makeAttempt(posting, options.try);
  }

  /** The retry of an event that is planned or under way; undefined: no attempt has failed, or none follows. */
  retryOf(event: Pick<Posting, "channel" | "number">): Retry | undefined {
    return this.#retries.get(effectOrder(event));
  }

  /** Whether an event has an attempt by hand that is not in effect yet. */
  isByHand(event: Pick<Posting, "channel" | "number">): boolean {
    return this.#byHand.size > 0 && this.#byHand.has(effectOrder(event));
  }

  /** Whether a copy of an event's request is under way, which trouble on the way made. */
  hasOpenCopy(event: Pick<Posting, "channel" | "number">): boolean {
    return this.#copies.isOpen(effectOrder(event));
  }

  /**
   * Lockstep: when the earliest unanswered attempt must be answered; Infinity when all are answered. The kernel must not
   * be stepped to it or past it. Not lockstep: always Infinity.
   */
  get horizonMs(): SimTime {
    return this.#pending.horizonMs;
  }

  /** Resolves at the next answer or failure; at once when no attempt is in flight. */
  async progress(): Promise<void> {
    if (this.#inFlight > 0) await this.#nextAnswer();
  }

  #nextAnswer(): Promise<void> {
    this.#progress ??= new Promise((resolve) => {
      this.#wakeProgress = resolve;
    });
    return this.#progress;
  }

  /** Attempts without an answer, including those that are not due or wait for a connection. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** `inFlight` without the attempts that the sender keeps until they are due. */
  get awaited(): number {
    return Math.max(0, this.#inFlight - (this.#options.sender?.notDue ?? 0));
  }

  /** Due attempts that wait for a connection. */
  get waitingForConnection(): number {
    return this.#options.sender?.waitingForConnection ?? 0;
  }

  /** Events that wait for their next attempt, also those that trouble on the way holds back. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Attempts in effect, by outcome. */
  get counts(): Readonly<Record<AttemptOutcome, number>> {
    return { ...this.#counts };
  }

  /** Whether any attempt ever got a connection, or might have got one without trouble on the way. */
  get hadConnection(): boolean {
    return this.#hadConnection;
  }

  /** Open events and attempts, for the ledger. */
  census(): { readonly events: number; readonly attempts: number } {
    return { events: this.#pending.size + this.#waiting, attempts: this.#pending.size };
  }

  /** Resolves pending `progress` calls, so that a loop checks whether the run is over. */
  wakeProgress(): void {
    const wake = this.#wakeProgress;
    this.#progress = undefined;
    this.#wakeProgress = undefined;
    wake?.();
  }

  /**
   * Wall time of the last answer with a status, or of the first attempt after it; undefined when that answer left no
   * attempt in flight. The run gives up when this is too long ago.
   */
  get silentSinceWallMs(): number | undefined {
    return this.#silentSinceWallMs;
  }

  /**
   * Withdraws attempts that are not due or wait for a connection. Call it before `drain` when a run ends early. The
   * events stay open; the ledger counts the attempts as lost by the cause `withdrawn`.
   */
  stopSending(): void {
    this.#isHalted = true;
    this.#haltedAtMs ??= this.#options.wall();
    this.dispatchAttempts();
    this.#options.sender?.withdrawUnsent();
  }

  /** Sends the attempts made since the last call, as soon as everything recorded so far is durable (write-ahead). */
  dispatchAttempts(): void {
    const { recording, sender, dueWallMs } = this.#options;
    if (this.#unsent.size === 0 || recording === undefined) return;
    // While requests already wait for a connection, a larger group commit costs nothing. Not when paced: lateness is
    // measured from the moment at which the sender receives a request.
    const canWait = dueWallMs === undefined && !this.#isHalted && (sender?.waitingForConnection ?? 0) > 0;
    if (canWait && this.#unsent.size < MIN_BATCH) return;
    const attempts = this.#unsent.takeAll();
    let sentCount = 0;
    const sendAll = (): void => {
      while (sentCount < attempts.length) this.#sendAttempt(attempts[sentCount++] as PendingAttempt);
    };
    try {
      recording.whenFlushed(sendAll);
    } catch (error) {
      this.#options.ports.failed(error);
      for (const attempt of attempts.slice(sentCount)) this.#onResult(attempt, unsentResult(WITHDRAWN));
    }
  }

  /**
   * Re-execution: applies the recorded result to the attempt, instead of sending it. Call it before
   * `dispatchAttempts`. In lockstep the outcome takes effect at its virtual time, otherwise now.
   *
   * @returns false when no such attempt is pending: the recording does not match the run
   */
  applyRecordedAttempt(recorded: FinishedAttempt): boolean {
    const attempt = this.#unsent.takeRecorded(recorded);
    if (attempt === undefined) return false;
    const { sentWallMs, durationMs, status, error, headers, body, bodyBytes, redirects } = recorded;
    // No spread: with as many properties it costs more than the rest of the attempt.
    const result = { sentWallMs, postedWallMs: null, durationMs, status, error, headers, body, bodyBytes, redirects };
    attempt.setResult(result);
    attempt.latencyMs = recorded.latencyMs;
    attempt.latenessMs = recorded.latenessMs;
    attempt.isRepeat = recorded.isRepeat;
    this.#inFlight--;
    if (recorded.sentWallMs !== null || attempt.trouble?.loss !== undefined) this.#hadConnection = true;
    if (this.#inFlight === 0) this.#silentSinceWallMs = undefined;
    if (this.#options.answersAfterMs === undefined) {
      if (attempt.timer !== undefined) this.#options.kernel.cancel(attempt.timer);
      attempt.effectAtMs = this.#options.kernel.now;
      this.#applyOutcome(attempt);
    } else this.#pending.advanceHorizon();
    return true;
  }

  /**
   * Ends re-execution: unsent attempts are due now, so that latency does not count the time in which the run was cut
   * off.
   *
   * @param wallFromMs - added to the sender's clock, so that `sentWallMs` continues where the recording ends
   */
  continueAfterReexecution({ wallFromMs }: { readonly wallFromMs: number }): void {
    const { wall } = this.#options;
    this.#wallOffsetMs = wallFromMs;
    for (const attempt of this.#unsent) if (attempt.dueWallMs !== undefined) attempt.dueWallMs = wall();
    if (this.#silentSinceWallMs !== undefined) this.#silentSinceWallMs = wall();
  }

  /**
   * Awaits all answers and applies their outcomes at the kernel's now, in order (time, channel, number). Call it after
   * the last kernel step. Retries that are not due stay pending.
   */
  async drain(): Promise<void> {
    this.dispatchAttempts();
    await this.progress();
    while (this.#pending.size > 0) {
      while (this.#inFlight > 0) {
        this.dispatchAttempts();
        await this.progress();
      }
      for (const attempt of this.#pending.inEffectOrder()) {
        if (attempt.timer !== undefined) this.#options.kernel.cancel(attempt.timer);
        this.#applyOutcome(attempt);
      }
    }
  }

  /** Makes an attempt, unless trouble on the way holds the event back. @param round - number of the attempt, without copies */
  #startRound(posting: Posting, round: number): void {
    const { troubles, ports } = this.#options;
    if (troubles?.isActive !== true) return this.#makeAttempt(posting, round);
    const isHolding = this.#held.isHolding(posting.channel);
    const trouble = troubles.draw(posting, round, { isHolding });
    if (trouble === undefined) return this.#makeAttempt(posting, round);
    ports.troubled?.(posting, this.#tryOf(posting, round), trouble);
    if (trouble.delayMs === undefined && trouble.overtakenBy === undefined)
      return this.#makeAttempt(posting, round, trouble);
    this.#waiting++;
    this.#held.hold({ posting, round, trouble }, effectOrder(posting));
  }

  readonly #releaseHeld = ({ posting, round, trouble }: HeldEvent): void => {
    this.#waiting--;
    this.#makeAttempt(posting, round, trouble);
  };

  /** Number of an attempt: copies of earlier ones have numbers, too. */
  #tryOf(posting: Posting, round: number): number {
    return round + this.#copies.madeOf(effectOrder(posting));
  }

  #makeAttempt(posting: Posting, round: number, trouble?: Trouble): void {
    const isByHand = this.isByHand(posting);
    const tryNumber = isByHand ? round : this.#tryOf(posting, round);
    const wasHeld = trouble?.delayMs !== undefined || trouble?.overtakenBy !== undefined;
    if ((tryNumber > 1 || wasHeld) && !isByHand) this.#options.ports.beforeRetry?.(posting, tryNumber);
    this.#addAttempt(posting, { round, try: tryNumber, trouble, isCopy: false });
    for (let copy = 1; copy < (trouble?.copies ?? 1); copy++) {
      this.#options.tally.copy("events", "copies");
      this.#options.ports.beforeRetry?.(posting, tryNumber + copy);
      this.#copies.add(effectOrder(posting));
      this.#addAttempt(posting, { round, try: tryNumber + copy, trouble, isCopy: true });
    }
  }

  #addAttempt(
    posting: Posting,
    { round, try: tryNumber, trouble, isCopy }: Pick<PendingAttempt, "round" | "try" | "trouble" | "isCopy">,
  ): void {
    const { kernel, answersAfterMs, tally, wall, dueWallMs, isRepeat, isReexecuting, recording, preset } =
      this.#options;
    const now = kernel.now;
    const timesOut = timesOutBy(trouble);
    const answerByMs = now + (answersAfterMs ?? 0);
    const timesOutAtMs = now + preset.timeoutMs;
    const effectAtMs = timesOut && answersAfterMs !== undefined ? Math.max(answerByMs, timesOutAtMs) : answerByMs;
    const attempt = new PendingAttempt({
      posting,
      round,
      try: tryNumber,
      trouble,
      isCopy,
      dueAtMs: now,
      dueWallMs: dueWallMs?.(now),
      effectAtMs,
      // Recorded attempts come in the order of their effects.
      answerByMs: timesOut && isReexecuting?.() === true ? effectAtMs : answerByMs,
      isRepeat: isRepeat?.() ?? false,
    });
    const order = effectOrder(posting);
    tally.in("attempts");
    this.#pending.add(attempt, { holdsHorizon: answersAfterMs !== undefined });
    this.#inFlight++;
    // An attempt that trouble keeps from the receiver shows nothing about it.
    if (trouble?.loss === undefined || trouble.loss === "answers-lost") this.#silentSinceWallMs ??= wall();
    if (answersAfterMs !== undefined) attempt.timer = kernel.at(effectAtMs, this.#applyOutcome, attempt, order);
    else if (timesOut) attempt.timer = kernel.at(timesOutAtMs, this.#endWait, attempt, order);
    if (recording === undefined) this.#sendAttempt(attempt);
    else this.#unsent.add(attempt);
  }

  /** Not lockstep: the service's timeout for an answer that is lost has passed in virtual time. */
  readonly #endWait = (attempt: PendingAttempt): void => {
    attempt.timer = undefined;
    if (attempt.isAnswered) this.#applyNow(attempt);
  };

  #sendAttempt(attempt: PendingAttempt): void {
    const { marks, preset, sender } = this.#options;
    const { posting, dueWallMs, trouble } = attempt;
    // Same result as withdrawn while it waited for a connection: no byte was sent.
    if (this.#isHalted || sender === undefined) return this.#onResult(attempt, unsentResult(WITHDRAWN));
    const loss = trouble?.loss;
    if (loss === "requests-lost" || loss === "refused") {
      process.nextTick(() => this.#onResult(attempt, unsentResult(troubleCode(loss))));
      return;
    }
    const request: HttpRequest = {
      url: posting.url,
      body: posting.body,
      timeoutMs: preset.timeoutMs,
      notBeforeMs: dueWallMs,
      cut: trouble?.cut,
      bytesPerS: trouble?.bytesPerS,
    };
    sender.post(marks ? { ...request, headers: markHeaders(attempt) } : request, (result) =>
      this.#onResult(attempt, result),
    );
  }

  #onResult(attempt: PendingAttempt, given: HttpResult): void {
    const { answersAfterMs } = this.#options;
    const result = resultAfterTrouble(given, attempt.trouble);
    const answeredWallMs = this.#measureTimes(attempt, result);
    const { sentWallMs } = result;
    const isShifted = sentWallMs !== null && this.#wallOffsetMs !== 0;
    attempt.setResult(isShifted ? { ...result, sentWallMs: sentWallMs + this.#wallOffsetMs } : result);
    this.#inFlight--;
    const trouble = troubleOfCode(result.error);
    if (sentWallMs !== null || trouble !== undefined) this.#hadConnection = true;
    if (given.status !== null) this.#silentSinceWallMs = this.#inFlight > 0 ? answeredWallMs : undefined;
    if (answersAfterMs !== undefined) this.#pending.advanceHorizon();
    // The service still waits for the answer that was lost.
    else if (attempt.timer === undefined || trouble === undefined) this.#applyNow(attempt, { catchUp: true });
    this.wakeProgress();
  }

  /** Not lockstep: applies the outcome at the kernel's now. @param options - `catchUp`: not within a kernel step */
  #applyNow(attempt: PendingAttempt, { catchUp = false }: { readonly catchUp?: boolean } = {}): void {
    const { kernel, ports } = this.#options;
    try {
      if (catchUp) this.#options.catchUp?.();
      // The end of its wait may have come meanwhile.
      if (!attempt.isPending) return;
      if (attempt.timer !== undefined) kernel.cancel(attempt.timer);
      attempt.effectAtMs = kernel.now;
      this.#applyOutcome(attempt);
    } catch (error) {
      ports.failed(error);
    }
  }

  /**
   * Measures latency and lateness by the sender's times: this thread may have been busy when the answer came.
   *
   * @returns wall time of the answer
   */
  #measureTimes(attempt: PendingAttempt, { postedWallMs, sentWallMs, durationMs }: HttpResult): number {
    const { wall, sender } = this.#options;
    const { dueWallMs } = attempt;
    const originMs = sender?.originMs ?? 0;
    const answeredWallMs = sentWallMs === null ? wall() : originMs + sentWallMs + durationMs;
    // How slowly the way carries a request is not the receiver's latency.
    const isOfWay = attempt.trouble?.bytesPerS !== undefined;
    attempt.latencyMs = dueWallMs === undefined || isOfWay ? durationMs : answeredWallMs - dueWallMs;
    if (dueWallMs !== undefined && postedWallMs !== null) {
      attempt.latenessMs = Math.max(0, originMs + postedWallMs - dueWallMs);
    }
    return answeredWallMs;
  }

  readonly #applyOutcome = (attempt: PendingAttempt): void => {
    const { error } = attempt;
    if (!attempt.isAnswered)
      assert.fail(`the kernel was stepped past ${attempt.effectAtMs} ms, where an attempt has no answer`);
    const { preset, tally } = this.#options;
    const order = effectOrder(attempt);
    const { isCopy } = attempt;
    const isByHand = !isCopy && this.isByHand(attempt);
    if (isByHand) this.#byHand.delete(order);
    if (isCopy) this.#copies.end(order);
    // The run ended, and the receiver did not fail: the event stays open, and a resumed run makes the attempt again.
    if (error === WITHDRAWN || error === CLOSED) {
      this.#pending.remove(attempt);
      if (isByHand || isCopy) tally.lost("events", WITHDRAWN);
      else this.#waiting++;
      tally.lost("attempts", WITHDRAWN);
      this.#reportUnanswered(attempt);
      return;
    }
    if (attempt.round > 1 && !isCopy) this.#retries.delete(order);
    const { type } = attempt.posting;
    const hasNoRetry = isByHand || isCopy;
    const outcome = outcomeOf(attempt, preset, { type, tryNumber: hasNoRetry ? Infinity : attempt.round });
    attempt.outcome = outcome;
    this.#pending.remove(attempt);
    this.#counts[outcome]++;
    this.#reportAttempt(attempt);
    this.#closeAttempt(attempt, { hasNoRetry });
    if (this.#held.overtaken > 0) this.#held.recordLeft(attempt);
  };

  /** Closes an attempt in the ledger, and its event unless a retry follows. */
  #closeAttempt(attempt: PendingAttempt, { hasNoRetry }: { readonly hasNoRetry: boolean }): void {
    const { preset, tally } = this.#options;
    const { outcome, posting, isCopy, round } = attempt;
    const trouble = troubleOfCode(attempt.error) as LosingTrouble | undefined;
    if (outcome === "accepted") tally.delivered("attempts");
    else if (trouble !== undefined) tally.lost("attempts", trouble);
    else tally.failed("attempts");
    if (!hasNoRetry && outcome !== "accepted" && outcome !== "refused" && hasRetry(preset, posting.type, round)) {
      this.#scheduleRetry(attempt);
      return;
    }
    if (!isCopy) this.#copies.close(effectOrder(attempt));
    if (outcome === "accepted") tally.delivered("events");
    else if (trouble !== undefined) tally.lost("events", trouble);
    else tally.failed("events");
  }

  #reportAttempt(attempt: PendingAttempt): void {
    const { ports } = this.#options;
    try {
      ports.attempted(attempt);
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

  /** Schedules a retry from the due time of the failed attempt; at once when that time has passed. */
  #scheduleRetry({ posting, round, dueAtMs }: PendingAttempt): void {
    const { kernel, preset } = this.#options;
    this.#waiting++;
    const next: PendingRetry = { posting, round: round + 1 };
    const retryAtMs = Math.max(kernel.now, dueAtMs + retryWaitMs(preset, round));
    const order = effectOrder(posting);
    this.#retries.set(order, { try: this.#tryOf(posting, next.round), dueAtMs: retryAtMs });
    kernel.at(retryAtMs, this.#makeRetry, next, order);
  }

  readonly #makeRetry = (retry: PendingRetry): void => {
    this.#waiting--;
    assert(this.#options.sender !== undefined, "nothing is retried without a sender");
    this.#startRound(retry.posting, retry.round);
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
