// Imported: reading `performance` from the global object costs as much as the clock itself.
import { performance } from "node:perf_hooks";
import { type Attempt, Delivery, type DeliveryTroubles, type Posting, type Trouble } from "../delivery/index.js";
import { Thresholds } from "../expect/index.js";
import type { EventRow, QueuedText } from "../gateway/index.js";
import type { HttpSender } from "../http/index.js";
import type { Ledger } from "../ledger/index.js";
import { growthMsOf, loadModelOfPace, trendOfMeter } from "../measure/index.js";
import type { Scenario } from "../scenario/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import { Digest, type RecordedRoundTrip, type Recording, type UndeliveredEvent } from "../store/index.js";
import { Gauge, SECONDS } from "./gauge.js";
import { HostWatch } from "./host/host-watch.js";
import { type Happening, happeningOf } from "./happening.js";
import { RunMeasurements } from "./run-measurements.js";
import { RunEnd } from "./run-end.js";
import type { RunPosition } from "./resume/run-position.js";
import type { Progress, RecentLatencies, RunTotals } from "./run-totals.js";
import type { LiveClock } from "./time/clock.js";
import type { Pace } from "./time/pace.js";

/** An event before delivery; a null `url` makes it lost by the cause `not-forwarded` or `no-receiver`. */
export type OutgoingEvent = Omit<Posting, "url"> & {
  readonly url: string | null;
  /** Whether the account forwards events of its type; default true. */
  readonly isForwarded?: boolean;
};

/** The parts that a `Pipeline` connects, and its settings. */
export interface PipelineOptions<T> {
  readonly kernel: Kernel;
  /** Paced runs only. */
  readonly clock: LiveClock | undefined;
  readonly pace: Pace;
  readonly ledger: Ledger;
  readonly recording: Recording;
  readonly position: RunPosition;
  /** Source of the service preset, the receiver's timeout and marks, and the expectations. */
  readonly scenario: Scenario;
  /** Undefined: no event is sent. */
  readonly sender: HttpSender | undefined;
  /** Wall milliseconds without an answer after which the run gives up. */
  readonly giveUpAfterMs: number;
  /** Delivery URLs: the work of receivers on this machine does not count as the work of other programs. */
  readonly receivers: readonly string[];
  /** Process ids of the fleet's parts, whose work does not count either. */
  readonly fleet?: readonly number[] | undefined;
  /** See `LabOptions.judgeBusy`. */
  readonly judgeBusy?: boolean | undefined;
  /** The selector of a channel's handset, such as `clinic/3`. */
  readonly selectorOf: (channel: number) => string;
  /**
   * Whether a killed run can be resumed from the recording: retries are recorded before they are sent (write-ahead).
   */
  readonly isResumable: boolean;
  /** Resumed runs only: the recorded round trips. */
  readonly recordedRoundTrips?: Iterable<RecordedRoundTrip> | undefined;
  readonly onHappening?: ((happening: Happening) => void) | undefined;
  /** Trouble between the service and the receiver; absent: none. */
  readonly troubles?: DeliveryTroubles | undefined;
  /** Called for each new event, before it is sent. */
  readonly countEvent: (event: T) => void;
  /** Called for each attempt in effect, after it is recorded. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Called for each accepted attempt, after it is recorded. */
  readonly applyReply: (attempt: Attempt) => void;
  /** Replies so far, for thresholds. */
  readonly replies: () => { readonly valid: number; readonly ignored: number };
  /** Called when the run must end; delivery and clock are woken already. */
  readonly wakeWaiters?: () => void;
}

/** Events and attempts since the start. */
export interface PipelineCounts {
  readonly events: number;
  /** Events of the type `mo_sms`. */
  readonly texts: number;
  /** Events of the type `alarm`. */
  readonly alarms: number;
  readonly accepted: number;
  /** Attempts that failed. */
  readonly failures: number;
  /** Attempts that are due or sent and have no answer. */
  readonly inFlight: number;
  readonly retrying: number;
}

/** An event of a change that is not committed yet. */
interface Uncommitted {
  readonly posting: Posting;
  /** Present for an attempt by hand. */
  readonly byHand?: { readonly try: number };
}

/** How often a run checks whether it must end: wall milliseconds. */
const CHECK_MS = 100;

/** Longest time between two flushes of the recording while the run has nothing to send: wall milliseconds. */
const FLUSH_MS = 250;

/**
 * The path of every event, in a run and in a replay: the event is counted and hashed, and sent once its cause is
 * durable. When its answer takes effect, the attempt is measured, recorded and judged. The run gives up when the
 * receiver stays silent (`end`).
 */
export class Pipeline<T extends EventRow & OutgoingEvent> {
  readonly delivery: Delivery;
  readonly measurements: RunMeasurements;
  readonly thresholds: Thresholds;
  readonly end: RunEnd;
  readonly #options: PipelineOptions<T>;
  readonly #gauge: Gauge | undefined;
  readonly #digest = new Digest();
  readonly #eventsByType = new Map<string, number>();
  #eventCount = 0;
  /** Events of the current change, which is not committed yet; undefined when there is none. */
  #uncommitted: Uncommitted[] | undefined;
  /** Zero of the sender's clock: monotonic wall milliseconds. */
  readonly #originMs: number;
  /** Resumed runs: added to the sender's clock, so that it continues the recorded run's. */
  #recordedWallMs = 0;
  #firstEventAt: number | undefined;
  #lastAnswerAt: number | undefined;
  #repeatCount = 0;
  #flushedAt = 0;

  constructor(options: PipelineOptions<T>) {
    const { kernel, clock, pace, recording, scenario, sender } = options;
    this.#options = options;
    this.#originMs = sender?.originMs ?? performance.now();
    this.#gauge = clock && new Gauge();
    this.end = new RunEnd({
      giveUpAfterMs: options.giveUpAfterMs,
      silentSinceWallMs: () => this.delivery.silentSinceWallMs,
      wakeAll: () => {
        this.delivery.wakeProgress();
        clock?.wake();
        options.wakeWaiters?.();
      },
    });
    const isLockstep = pace.kind === "lockstep";
    const wall = (): number => performance.now();
    this.measurements = new RunMeasurements({
      recording,
      pace: pace.kind,
      selectorOf: options.selectorOf,
      now: isLockstep ? () => kernel.now : wall,
      dueAt: (atMs) => (isLockstep ? atMs : (clock?.dueWallMs(atMs) ?? wall())),
      recordedRoundTrips: options.recordedRoundTrips,
    });
    this.thresholds = new Thresholds({
      expectations: scenario.expect,
      meter: this.measurements.meter,
      host: this.measurements.host,
      counts: () => ({
        events: this.#eventsByType,
        replies: options.replies(),
        unanswered: this.measurements.trips.waiting,
        doubles: this.measurements.behaviour.doubles.count,
        reordered: this.measurements.behaviour.order.count,
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
      isReexecuting: () => recording.isReexecuting,
      troubles: options.troubles,
      tally: options.ledger,
      marks: scenario.receiver?.marks ?? false,
      ports: {
        beforeRetry: (posting, tryNumber) => {
          const { channel, number } = posting;
          if (tryNumber > 1) this.measurements.recordRetry(posting, kernel.now);
          if (options.isResumable) recording.intent({ channel, number, try: tryNumber });
        },
        troubled: (posting, tryNumber, trouble) => this.#recordTrouble(posting, tryNumber, trouble),
        attempted: (attempt) => this.#recordAttempt(attempt),
        unanswered: (attempt) => this.measurements.meter.timeline.recordUnanswered(attempt),
        failed: (error) => this.end.fail(error),
      },
    });
  }

  /**
   * Counts, hashes and measures a new event that is recorded already, then sends it. Bound: the gateway calls it
   * directly.
   */
  readonly emitEvent = (event: T): void => {
    const { onHappening, countEvent } = this.#options;
    const { channel, number, atMs, type, body } = event;
    this.#eventCount++;
    this.#eventsByType.set(type, (this.#eventsByType.get(type) ?? 0) + 1);
    this.#digest.add(event);
    this.#firstEventAt ??= this.#dueNow();
    countEvent(event);
    onHappening?.({ kind: "event", channel, number, atMs, type, body });
    this.#sendEvent(event, 1);
  };

  /** Measures a text to a person, which may end a round trip. Bound, as `emitEvent`. */
  readonly recordQueuedText = (text: QueuedText): void =>
    this.measurements.recordQueuedText(text, this.#options.kernel.now);

  /** Sends events whose delivery an earlier process did not finish, to the current delivery URLs. */
  resendEvents(events: readonly UndeliveredEvent[], urlOf: (channel: number) => string | null): void {
    for (const { tries, ...event } of events) {
      this.#options.ledger.in("events");
      this.#sendEvent({ ...event, url: urlOf(event.channel) }, tries + 1);
    }
  }

  /** Sends an event once more by hand, after the change under way. @param options - as in `Delivery.postByHand` */
  resendByHand(posting: Posting, options: { readonly try: number }): void {
    if (this.#uncommitted === undefined) this.delivery.postByHand(posting, options);
    else this.#uncommitted.push({ posting, byHand: options });
  }

  /**
   * Runs a change from outside, which commits before it returns, then sends its events. If it throws, its events are
   * rolled back with it, and the ledger counts them under the cause `taken-back`.
   */
  sendAfterCommit<R>(change: () => R): R {
    const uncommitted: Uncommitted[] = (this.#uncommitted = []);
    try {
      const result = change();
      for (const { posting, byHand } of uncommitted.splice(0)) {
        if (byHand === undefined) this.delivery.postEvent(posting);
        else this.delivery.postByHand(posting, byHand);
      }
      return result;
    } finally {
      this.#uncommitted = undefined;
      const lost = uncommitted.filter(({ byHand }) => byHand === undefined).length;
      if (lost > 0) this.#options.ledger.lost("events", "taken-back", lost);
    }
  }

  #sendEvent(event: OutgoingEvent, tryNumber: number): void {
    const { ledger } = this.#options;
    if (event.isForwarded === false) ledger.lost("events", "not-forwarded");
    else if (!hasUrl(event)) ledger.lost("events", "no-receiver");
    else if (this.#uncommitted !== undefined) this.#uncommitted.push({ posting: event });
    else this.delivery.postEvent(event, { try: tryNumber });
  }

  #recordTrouble({ channel, number }: Posting, tryNumber: number, trouble: Trouble): void {
    const { kernel, recording, ledger } = this.#options;
    this.measurements.recordTrouble({ channel, number }, trouble);
    for (const { kind, value } of trouble.met) {
      ledger.troubled(kind);
      recording.trouble({ atMs: kernel.now, channel, number, try: tryNumber, kind, value });
    }
  }

  /** Handles the effect of an attempt: it is measured and recorded before its reply changes anything. */
  #recordAttempt(attempt: Attempt): void {
    const { pace, position, recording, onHappening, onAttempt, applyReply } = this.#options;
    this.#lastAnswerAt = performance.now();
    this.measurements.recordAttempt(attempt);
    this.#gauge?.attempted(attempt, this.#lastAnswerAt);
    if (attempt.isRepeat) this.#repeatCount++;
    recording.attempt(attempt, position.value);
    // In lockstep a kernel timer applies the effect, which `position` counts as a step.
    if (pace.kind !== "lockstep") position.countOutsideEffect();
    if (onHappening !== undefined) onHappening(happeningOf(attempt));
    onAttempt?.(attempt);
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
   * Starts the measurement, the watch over this machine, and a timer that checks every 100 ms whether the run must end.
   * The loop cannot check: it may wait for answers that never come.
   *
   * @param options - `isResumed`: the timeline has its start already; `onCheck`: called every 100 ms
   * @returns stops the timers
   */
  startChecks(options: { readonly isResumed?: boolean; readonly onCheck: () => void }): () => void {
    const { pace, receivers, fleet, judgeBusy } = this.#options;
    const now = performance.now();
    this.thresholds.start(now, this.senderMs);
    if (options.isResumed !== true)
      this.measurements.meter.timeline.begin(pace.kind === "lockstep" ? 0 : now - this.#originMs);
    const timer = setInterval(options.onCheck, CHECK_MS);
    const watch =
      judgeBusy === true
        ? undefined
        : new HostWatch({
            wall: () => this.senderMs,
            receivers,
            fleet,
            record: (second) => this.end.guard(() => this.measurements.recordHostSecond(second)),
          });
    return () => {
      clearInterval(timer);
      watch?.stop();
    };
  }

  /** Stops the run if a bound with `abort` is broken. */
  checkThresholds(): void {
    const broken = this.thresholds.checkBounds(performance.now());
    if (broken !== undefined) this.end.stop(broken);
  }

  /**
   * Ends the re-execution of a resumed run: clocks continue as if it had not been killed.
   *
   * @param recorded - wall milliseconds of the recorded part: `lastAnswerMs` on the sender's clock, `tookMs` since its
   *   first event
   */
  switchToLive(recorded: { readonly lastAnswerMs: number; readonly tookMs: number }): void {
    const now = performance.now();
    this.#recordedWallMs = recorded.lastAnswerMs - (now - this.#originMs);
    this.delivery.continueAfterReexecution({ wallFromMs: this.#recordedWallMs });
    this.measurements.switchToLive();
    this.thresholds.restartWindows();
    if (this.#firstEventAt !== undefined) this.#firstEventAt = now - recorded.tookMs;
  }

  /** Resumed runs: wall milliseconds that are added to the clock of a sender, so that it continues the recorded run's. */
  get recordedWallMs(): number {
    return this.#recordedWallMs;
  }

  /** Instant of the monotonic clock from which wall times count. */
  get originMs(): number {
    return this.#originMs;
  }

  /** Wall milliseconds on the sender's clock. */
  get senderMs(): number {
    return performance.now() - this.#originMs + this.#recordedWallMs;
  }

  /** Monotonic wall milliseconds; undefined before the first answer. */
  get lastAnswerAt(): number | undefined {
    return this.#lastAnswerAt;
  }

  /** Resumed runs: attempts that were in flight at the kill and were sent again. */
  get repeatCount(): number {
    return this.#repeatCount;
  }

  get eventCount(): number {
    return this.#eventCount;
  }

  /** Counts since the start. Fast, unlike `progress`, which reads the gauge. */
  counts(): PipelineCounts {
    const { counts, awaited, waiting } = this.delivery;
    return {
      events: this.#eventCount,
      texts: this.#eventsByType.get("mo_sms") ?? 0,
      alarms: this.#eventsByType.get("alarm") ?? 0,
      accepted: counts.accepted,
      failures: counts.retried + counts.refused + counts.failed + counts.timeout + counts.connection,
      inFlight: awaited,
      retrying: waiting,
    };
  }

  progress(): Omit<Progress, "lastsMs" | "waitingOnPhones" | "traffic"> {
    const { kernel, clock } = this.#options;
    const { alarms: _alarms, texts: _texts, ...counts } = this.counts();
    const gauge = this.#gauge?.read({
      nowMs: performance.now(),
      answered: counts.accepted + counts.failures,
      waiting: counts.inFlight,
      waitingForConnection: this.delivery.waitingForConnection,
    });
    return {
      atMs: kernel.now,
      steps: kernel.fired,
      ...counts,
      clock: clock?.status,
      gauge,
    };
  }

  /** Histograms for a joint view of several parts: the last ten seconds of a paced run, else the whole run so far. */
  latencies(): RecentLatencies {
    const recent = this.#gauge?.latencies();
    if (recent !== undefined) return { ...recent, seconds: SECONDS };
    return { delivery: this.measurements.meter.total().delivery, lateness: null, seconds: null };
  }

  /** Wall milliseconds from the first event to the last answer. */
  get wallMs(): number {
    const endedAt = this.#lastAnswerAt ?? performance.now();
    return this.#firstEventAt === undefined ? 0 : Math.max(0, endedAt - this.#firstEventAt);
  }

  /** Growth of the service time so far, as defined by the metric `trend`. */
  get growthMs(): number | null {
    const { meter, host } = this.measurements;
    return growthMsOf(trendOfMeter(meter, { model: loadModelOfPace(this.#options.pace.kind), host }));
  }

  /** Ends the digest: call it once. */
  totals(): Pick<RunTotals, "digest" | "events" | "wallMs" | "hasGivenUp" | "wasStopped" | "stoppedBy"> {
    return {
      digest: this.#digest.hex(),
      events: this.#eventsByType,
      wallMs: this.wallMs,
      ...this.end.outcome(),
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
