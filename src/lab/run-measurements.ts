import type { Attempt, Posting, Trouble } from "../delivery/index.js";
import type { Emission, QueuedText } from "../gateway/index.js";
import {
  Doubles,
  groupOf,
  HostPressure,
  type HostSecond,
  Meter,
  Outages,
  PersonOrder,
  Repeats,
  ReplyOutcomes,
  type RoundTrip,
  RoundTrips,
  TroubleEffects,
} from "../measure/index.js";
import type { SimTime } from "../sim/index.js";
import type { RecordedRoundTrip, Recording } from "../store/index.js";

/**
 * Measures events, attempts and texts of a run: latencies, round trips, and the receiver's behaviour. Call it at their
 * instant.
 */
export class RunMeasurements {
  readonly meter: Meter;
  readonly host: HostPressure = new HostPressure();
  readonly trips: RoundTrips = new RoundTrips();
  readonly behaviour: {
    readonly doubles: Doubles;
    readonly order: PersonOrder;
    readonly repeats: Repeats;
    readonly replies: ReplyOutcomes;
    readonly outages: Outages;
    readonly troubles: TroubleEffects;
  } = {
    doubles: new Doubles(),
    order: new PersonOrder(),
    repeats: new Repeats(),
    replies: new ReplyOutcomes(),
    outages: new Outages(),
    troubles: new TroubleEffects(),
  };
  readonly #recording: Recording;
  readonly #isLockstep: boolean;
  readonly #dueAt: (atMs: SimTime) => number;
  readonly #now: () => number;
  /** Resumed runs: round trips before the kill, in the order in which re-execution matches them. */
  #recordedRoundTrips: Iterator<RecordedRoundTrip> | undefined;

  /**
   * @param options - `selectorOf`: of a channel's handset; `now`: the clock of round trips, the kernel's in lockstep,
   *   else the wall clock; `dueAt`: on that clock, when an event at the kernel's now was due
   */
  constructor(options: {
    readonly recording: Recording;
    readonly pace: "lockstep" | "paced" | "max";
    readonly selectorOf: (channel: number) => string;
    readonly now: () => number;
    readonly dueAt: (atMs: SimTime) => number;
    readonly recordedRoundTrips?: Iterable<RecordedRoundTrip>;
  }) {
    this.#recording = options.recording;
    this.#isLockstep = options.pace === "lockstep";
    this.#now = options.now;
    this.#dueAt = options.dueAt;
    this.#recordedRoundTrips = options.recordedRoundTrips?.[Symbol.iterator]();
    this.meter = new Meter({
      isPaced: options.pace === "paced",
      timeline: options.pace === "lockstep" ? "virtual" : "wall",
      groupOf: (channel) => groupOf(options.selectorOf(channel)),
    });
  }

  recordEvent({ channel, number, type, contact, url, atMs, copy }: Emission): void {
    this.meter.recordEvent(type, channel);
    if (copy !== null) this.behaviour.doubles.recordCopy({ channel, number }, copy.of);
    if (type !== "mo_sms" || contact === null) return;
    this.behaviour.doubles.recordText(contact, { isCopy: copy !== null, atMs });
    // A copy is no text of its own: what the receiver does about it ends the trip of the first.
    if (url === null || copy !== null) return;
    this.trips.recordText({ contact, channel, number, at: this.#dueAt(atMs) });
  }

  /** An event is about to be sent once more: the receiver may act on it while it has not answered yet. */
  recordRetry({ type, contact }: Pick<Posting, "type" | "contact">, atMs: SimTime): void {
    if (type === "mo_sms" && typeof contact === "number") this.behaviour.doubles.recordRepeat(contact, atMs);
  }

  recordAttempt(attempt: Attempt): void {
    const { posting } = attempt;
    const bytes = posting.body.length; // form-encoded: one byte per character
    this.behaviour.outages.recordAttempt(attempt, posting, this.meter.recordAttempt(attempt, posting, bytes));
    const { trouble, isCopy } = attempt;
    if (isCopy) this.behaviour.troubles.recordCopy();
    else this.behaviour.repeats.recordAttempt(attempt);
    if (trouble !== undefined) this.behaviour.troubles.recordAttempt(attempt);
    const { row, contact } = posting;
    if (row === undefined || contact === undefined || contact === null) return;
    if (attempt.try > 1 && posting.type === "mo_sms") this.behaviour.doubles.recordRepeat(contact, attempt.effectAtMs);
    if (attempt.outcome !== "accepted" || isCopy) return;
    const isTroubled = this.behaviour.troubles.explains(attempt);
    this.behaviour.order.recordAccepted({ row, contact, try: attempt.try, isTroubled });
  }

  /** Records what an attempt meets on its way, when that is drawn. */
  recordTrouble(event: { readonly channel: number; readonly number: number }, { delayMs, overtakenBy }: Trouble): void {
    if (delayMs !== undefined || overtakenBy !== undefined) this.behaviour.troubles.recordHeld(event);
  }

  recordHostSecond(second: HostSecond): void {
    if (this.host.recordSecond(second)) this.#recording.hostSecond(second);
  }

  /**
   * Handles a text to a person that was queued. A text from the receiver (a reply, an API message) ends a round trip.
   */
  recordQueuedText({ contact, origin, replyTo, text }: QueuedText, atMs: SimTime): void {
    if (origin === "reply" && replyTo !== null) {
      const answered = { channel: replyTo.channel, number: replyTo.event };
      this.behaviour.doubles.recordReply(answered, { contact });
      this.#recordRoundTrip(
        this.trips.matchReply(this.behaviour.doubles.originalOf(answered), contact, this.#now()),
        "reply",
        atMs,
      );
    } else if (origin === "api") {
      this.behaviour.doubles.recordMessage({ contact, text, atMs });
      this.#recordRoundTrip(this.trips.matchMessage(contact, this.#now()), "api", atMs);
    }
  }

  /**
   * Ends re-execution. On the wall clock, texts without an effect count from now: the time since the kill is left out.
   */
  switchToLive(): void {
    this.#recordedRoundTrips = undefined;
    if (!this.#isLockstep) this.trips.restartClock(this.#now());
  }

  /** The recorded wall time of a re-executed round trip; null: measure it, as live runs and lockstep do. */
  #nextRecordedMs(): number | null {
    const next = this.#recordedRoundTrips?.next();
    return next === undefined || next.done === true ? null : next.value.wallMs;
  }

  #recordRoundTrip(trip: RoundTrip | undefined, via: "reply" | "api", atMs: SimTime): void {
    if (trip === undefined) return;
    const { channel, number } = trip;
    const ms = this.#nextRecordedMs() ?? trip.ms;
    this.meter.recordRoundTrip("mo_sms", channel, ms);
    this.#recording.roundTrip({ channel, number, via, atMs, wallMs: this.#isLockstep ? null : ms });
  }
}
