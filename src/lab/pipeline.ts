// Imported: reading `performance` from the global object costs as much as the clock itself.
import { performance } from "node:perf_hooks";
import { type Attempt, Delivery, type Posting } from "../delivery/index.js";
import { Thresholds } from "../expect/index.js";
import type { EventRow, QueuedText } from "../gateway/index.js";
import type { HttpSender } from "../http/index.js";
import type { Ledger } from "../ledger/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import { Digest, type RecordedRoundTrip, type Recording, type UndeliveredEvent } from "../store/index.js";
import { Gauge } from "./gauge.js";
import type { Happening } from "./happening.js";
import { Measuring } from "./measuring.js";
import { RunEnd } from "./run-end.js";
import type { RunPosition } from "./run-position.js";
import type { Progress, Tallies } from "./tallies.js";
import type { LiveClock } from "./time/clock.js";
import type { Pace } from "./time/pace.js";

/** An event on its way to the receiver; `url` null: it is not delivered, see `isForwarded`. */
export type OutgoingEvent = Omit<Posting, "url"> & {
  readonly url: string | null;
  /** False: the account does not forward events of its type. Default true. */
  readonly isForwarded?: boolean;
};

export interface PipelineOptions<T> {
  readonly kernel: Kernel;
  /** Paced runs only. */
  readonly clock: LiveClock | undefined;
  readonly pace: Pace;
  readonly ledger: Ledger;
  readonly recording: Recording;
  readonly position: RunPosition;
  /** Its service preset, its receiver's timeout and marks, and its expectations. */
  readonly scenario: Scenario;
  /** Undefined: no event is sent. */
  readonly sender: HttpSender | undefined;
  /** Wall milliseconds without an answer after which the run gives up. */
  readonly giveUpAfterMs: number;
  /** The selector of a channel's handset, such as `clinic/3`. */
  readonly selectorOf: (channel: number) => string;
  /** Whether a killed run can be resumed from the recording: retries are recorded before they are sent (write-ahead). */
  readonly isResumable: boolean;
  /** Round trips that the resumed run had recorded. */
  readonly recordedRoundTrips?: Iterable<RecordedRoundTrip> | undefined;
  readonly happened?: ((happening: Happening) => void) | undefined;
  /** Called for each new event, before it is sent. */
  readonly countEvent: (event: T) => void;
  /** Called for each accepted attempt, after it is recorded. */
  readonly applyReply: (attempt: Attempt) => void;
  /** Replies so far, for thresholds. */
  readonly replies: () => { readonly valid: number; readonly ignored: number };
  /** Called when the run is to end, to wake what waits outside of delivery and clock. */
  readonly wakeUp?: () => void;
}

/** How often a run checks whether it must end: wall milliseconds. */
const CHECK_MS = 100;

/** Longest time between two flushes of the recording while the run has nothing to send: wall milliseconds. */
const FLUSH_MS = 250;

/**
 * The way of every event, in a run and in a replay: it is counted and hashed, sent once its cause is durable, measured when
 * its answer takes effect, recorded, and judged; the run gives up when the receiver stays silent (`end`).
 */
export class Pipeline<T extends EventRow & OutgoingEvent> {
  readonly delivery: Delivery;
  readonly measuring: Measuring;
  readonly thresholds: Thresholds;
  readonly end: RunEnd;
  readonly #options: PipelineOptions<T>;
  readonly #gauge: Gauge | undefined;
  readonly #digest = new Digest();
  readonly #eventsByType = new Map<string, number>();
  #eventCount = 0;
  /** Events of an uncommitted change; undefined: there is none. */
  #uncommitted: Posting[] | undefined;
  /** The sender's clock starts here. */
  readonly #bornMs: number;
  /** Added to the time since then in a resumed run: what the run had taken before. */
  #wallFromMs = 0;
  #firstEventAt: number | undefined;
  #lastAnswerAt: number | undefined;
  #repeatCount = 0;
  #flushedAt = 0;

  constructor(options: PipelineOptions<T>) {
    const { kernel, clock, pace, recording, scenario, sender } = options;
    this.#options = options;
    this.#bornMs = sender?.originMs ?? performance.now();
    this.#gauge = clock && new Gauge();
    this.end = new RunEnd({
      giveUpAfterMs: options.giveUpAfterMs,
      silentSinceWallMs: () => this.delivery.silentSinceWallMs,
      wakeAll: () => {
        this.delivery.wakeProgress();
        clock?.wake();
        options.wakeUp?.();
      },
    });
    const isLockstep = pace.kind === "lockstep";
    const wall = (): number => performance.now();
    this.measuring = new Measuring({
      recording,
      pace: pace.kind,
      selectorOf: options.selectorOf,
      now: isLockstep ? () => kernel.now : wall,
      dueAt: (atMs) => (isLockstep ? atMs : (clock?.dueWallMs(atMs) ?? wall())),
      past: options.recordedRoundTrips,
    });
    this.thresholds = new Thresholds({
      expectations: scenario.expect,
      meter: this.measuring.meter,
      counts: () => ({
        events: this.#eventsByType,
        replies: options.replies(),
        unanswered: this.measuring.trips.waiting,
        doubles: this.measuring.behaviour.doubles.count,
      }),
    });
    this.delivery = new Delivery({
      kernel,
      sender,
      preset: { ...scenario.service, timeoutMs: scenario.receiver?.timeoutMs ?? scenario.service.timeoutMs },
      answersAfterMs: isLockstep ? pace.lookaheadMs : undefined,
      wall,
      dueWallMs: clock && ((atMs: SimTime) => clock.dueWallMs(atMs)),
      catchUp: clock && (() => clock.catchUp()),
      recording,
      isRepeat: () => options.isResumable && recording.isLastRowRecorded,
      tally: options.ledger,
      marks: scenario.receiver?.marks ?? false,
      ports: {
        beforeRetry: ({ channel, number }, tryNumber) => {
          if (options.isResumable) recording.intent({ channel, number, try: tryNumber });
        },
        attempted: (attempt) => this.#recordAttempt(attempt),
        unanswered: (attempt) => this.measuring.meter.timeline.recordUnanswered(attempt),
        failed: (error) => this.end.fail(error),
      },
    });
  }

  /** A new event, recorded already: counts, hashes and measures it, then sends it. Bound: the gateway calls it directly. */
  readonly emit = (event: T): void => {
    const { happened, countEvent } = this.#options;
    const { channel, number, atMs, type, body } = event;
    this.#eventCount++;
    this.#eventsByType.set(type, (this.#eventsByType.get(type) ?? 0) + 1);
    this.#digest.add(event);
    this.#firstEventAt ??= this.#dueNow();
    countEvent(event);
    happened?.({ kind: "event", channel, number, atMs, type, body });
    this.#sendEvent(event, 1);
  };

  /** A text to a person was queued for a phone: it may end a round trip. Bound, as `emit`. */
  readonly queued = (text: QueuedText): void => this.measuring.queued(text, this.#options.kernel.now);

  /** Sends events whose delivery an earlier process did not finish, to the delivery URLs of now. */
  resendEvents(events: readonly UndeliveredEvent[], urlOf: (channel: number) => string | null): void {
    for (const { tries, ...event } of events) {
      this.#options.ledger.in("events");
      this.#sendEvent({ ...event, url: urlOf(event.channel) }, tries + 1);
    }
  }

  /**
   * Runs a change from outside. Its events are sent after it returns, which is after its commit. If it throws, its events
   * are rolled back with it, and the ledger has them under the cause `taken-back`.
   */
  sendAfterCommit<R>(change: () => R): R {
    const uncommitted: Posting[] = (this.#uncommitted = []);
    try {
      const result = change();
      for (const posting of uncommitted.splice(0)) this.delivery.postEvent(posting);
      return result;
    } finally {
      this.#uncommitted = undefined;
      if (uncommitted.length > 0) this.#options.ledger.lost("events", "taken-back", uncommitted.length);
    }
  }

  #sendEvent(event: OutgoingEvent, tryNumber: number): void {
    const { ledger } = this.#options;
    if (event.isForwarded === false) ledger.lost("events", "not-forwarded");
    else if (!hasUrl(event)) ledger.lost("events", "no-receiver");
    else if (this.#uncommitted !== undefined) this.#uncommitted.push(event);
    else this.delivery.postEvent(event, { try: tryNumber });
  }

  /** An attempt takes effect: it is measured and recorded before its reply changes anything. */
  #recordAttempt(attempt: Attempt): void {
    const { pace, position, recording, happened, applyReply } = this.#options;
    this.#lastAnswerAt = performance.now();
    this.measuring.attempted(attempt);
    this.#gauge?.attempted(attempt, this.#lastAnswerAt);
    if (attempt.isRepeat) this.#repeatCount++;
    recording.attempt(attempt, position.value);
    // In lockstep a kernel timer brings the effect about, which counts as a step.
    if (pace.kind !== "lockstep") position.countOutsideEffect();
    if (happened !== undefined) happened(happeningOf(attempt));
    if (attempt.outcome === "accepted") applyReply(attempt);
  }

  /** Sends what is due, and flushes the recording at least every 250 ms. */
  dispatch({ flushesNow = false }: { readonly flushesNow?: boolean } = {}): void {
    this.delivery.dispatchAttempts();
    const now = performance.now();
    if (!flushesNow && now - this.#flushedAt < FLUSH_MS) return;
    this.#flushedAt = now;
    this.end.guard(() => this.#options.recording.whenFlushed(() => undefined));
  }

  /**
   * Begins to measure and to check every 100 ms, from outside the loop (which may wait for answers that never come),
   * whether the run must end.
   *
   * @param options - `isResumed`: the timeline has its beginning already; `onCheck`: called at each check
   * @returns ends the checks
   */
  begin(options: { readonly isResumed?: boolean; readonly onCheck: () => void }): () => void {
    const { pace } = this.#options;
    const now = performance.now();
    this.thresholds.begin(now);
    if (options.isResumed !== true)
      this.measuring.meter.timeline.begin(pace.kind === "lockstep" ? 0 : now - this.#bornMs);
    const timer = setInterval(options.onCheck, CHECK_MS);
    return () => clearInterval(timer);
  }

  /** Stops the run if a threshold that stops it is broken. */
  checkThresholds(): void {
    const broken = this.thresholds.look(performance.now());
    if (broken !== undefined) this.end.stop(broken);
  }

  /**
   * The re-execution of a resumed run is over: clocks continue as if it had not been killed.
   *
   * @param recorded - wall milliseconds of the recorded part: `lastAnswerMs` on the sender's clock, `tookMs` since its
   *   first event
   */
  switchToLive(recorded: { readonly lastAnswerMs: number; readonly tookMs: number }): void {
    const now = performance.now();
    this.#wallFromMs = recorded.lastAnswerMs - (now - this.#bornMs);
    this.delivery.continueAfterReexecution({ wallFromMs: this.#wallFromMs });
    this.measuring.goOn();
    this.thresholds.goOn();
    if (this.#firstEventAt !== undefined) this.#firstEventAt = now - recorded.tookMs;
  }

  /** Wall milliseconds on the sender's clock, which a resumed run continues. */
  get senderMs(): number {
    return performance.now() - this.#bornMs + this.#wallFromMs;
  }

  /** Monotonic wall milliseconds; undefined before the first answer. */
  get lastAnswerAt(): number | undefined {
    return this.#lastAnswerAt;
  }

  /** Attempts that were in flight when the resumed run was killed, and were sent again. */
  get repeatCount(): number {
    return this.#repeatCount;
  }

  get eventCount(): number {
    return this.#eventCount;
  }

  progress(): Omit<Progress, "lastsMs" | "waitingOnPhones" | "traffic"> {
    const { kernel, clock } = this.#options;
    const { counts, awaited, waiting, waitingForConnection } = this.delivery;
    const failures = counts.retried + counts.refused + counts.failed + counts.timeout + counts.connection;
    const gauge = this.#gauge?.read({
      nowMs: performance.now(),
      answered: counts.accepted + failures,
      waiting: awaited,
      waitingForConnection,
    });
    return {
      atMs: kernel.now,
      steps: kernel.fired,
      events: this.#eventCount,
      accepted: counts.accepted,
      failures,
      inFlight: awaited,
      retrying: waiting,
      ...(clock !== undefined && { clock: clock.status }),
      ...(gauge !== undefined && { gauge }),
    };
  }

  /** Ends the digest: call it once. */
  tallies(): Pick<Tallies, "digest" | "events" | "wallMs" | "hasGivenUp" | "wasStopped" | "stoppedBy"> {
    const endedAt = this.#lastAnswerAt ?? performance.now();
    return {
      digest: this.#digest.hex(),
      events: this.#eventsByType,
      wallMs: this.#firstEventAt === undefined ? 0 : Math.max(0, endedAt - this.#firstEventAt),
      ...this.end.tallies(),
    };
  }

  #dueNow(): number {
    const { clock, kernel } = this.#options;
    return clock?.dueWallMs(kernel.now) ?? performance.now();
  }
}

function hasUrl(event: OutgoingEvent): event is Posting {
  return event.url !== null;
}

function happeningOf(attempt: Attempt): Happening {
  const { posting } = attempt;
  return {
    kind: "attempt",
    channel: posting.channel,
    number: posting.number,
    atMs: attempt.effectAtMs,
    try: attempt.try,
    status: attempt.status,
    error: attempt.error,
    outcome: attempt.outcome,
    durationMs: attempt.durationMs,
  };
}
