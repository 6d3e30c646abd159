import type { Attempt } from "../delivery/index.js";
import type { Emission, QueuedText } from "../gateway/index.js";
import { Doubles, Meter, PersonOrder, Repeats, type RoundTrip, RoundTrips } from "../measure/index.js";
import { groupOf } from "../report/index.js";
import type { SimTime } from "../sim/index.js";
import type { RecordedRoundTrip, Recording } from "../store/index.js";

/** What a lab tells of what happens in it, to be measured. All calls happen at the kernel's now. */
export class Measuring {
  readonly meter: Meter;
  readonly trips: RoundTrips = new RoundTrips();
  readonly behaviour: { readonly doubles: Doubles; readonly order: PersonOrder; readonly repeats: Repeats } = {
    doubles: new Doubles(),
    order: new PersonOrder(),
    repeats: new Repeats(),
  };
  readonly #recording: Recording;
  readonly #isLockstep: boolean;
  readonly #dueAt: (atMs: SimTime) => number;
  readonly #now: () => number;
  /** Trips that were measured before the run was cut off, in the order in which they are matched again. */
  #past: Iterator<RecordedRoundTrip> | undefined;

  /**
   * @param options - `selectorOf`: of a channel's handset; `now`: the clock of round trips, the wall's or in lockstep the
   *   kernel's; `dueAt`: when what happens at the kernel's now was due on that clock; `past`: what a run that is gone
   *   through again has on record
   */
  constructor(options: {
    readonly recording: Recording;
    readonly pace: "lockstep" | "paced" | "max";
    readonly selectorOf: (channel: number) => string;
    readonly now: () => number;
    readonly dueAt: (atMs: SimTime) => number;
    readonly past?: Iterable<RecordedRoundTrip>;
  }) {
    this.#recording = options.recording;
    this.#isLockstep = options.pace === "lockstep";
    this.#now = options.now;
    this.#dueAt = options.dueAt;
    this.#past = options.past?.[Symbol.iterator]();
    this.meter = new Meter({
      isPaced: options.pace === "paced",
      timeline: options.pace === "lockstep" ? "virtual" : "wall",
      groupOf: (channel) => groupOf(options.selectorOf(channel)),
    });
  }

  emitted({ channel, number, type, contact, url, atMs, copy }: Emission): void {
    this.meter.recordEvent(type, channel);
    if (copy !== null) this.behaviour.doubles.recordCopy({ channel, number }, copy.of);
    if (type !== "mo_sms" || contact === null) return;
    this.behaviour.doubles.recordText(contact, { isCopy: copy !== null, atMs });
    if (url === null) return;
    this.trips.recordText({ contact, channel, number, at: this.#dueAt(atMs) });
  }

  attempted(attempt: Attempt): void {
    const { posting } = attempt;
    this.meter.recordAttempt(attempt, posting, posting.body.length); // form-encoded: a byte each
    this.behaviour.repeats.recordAttempt(attempt);
    const { row, contact } = posting;
    if (row === undefined || contact === undefined || contact === null) return;
    if (attempt.try > 1 && posting.type === "mo_sms") this.behaviour.doubles.recordRepeat(contact, attempt.effectAtMs);
    if (attempt.outcome === "accepted") this.behaviour.order.recordAccepted({ row, contact, try: attempt.try });
  }

  /** A text to a person was queued; where the receiver did that, it may be what a text of theirs has waited for. */
  queued({ contact, origin, replyTo, text }: QueuedText, atMs: SimTime): void {
    if (origin === "reply" && replyTo !== null) {
      const answered = { channel: replyTo.channel, number: replyTo.event };
      this.behaviour.doubles.recordReply(answered, { contact, text, atMs });
      this.#matched(this.trips.matchReply(answered, contact, this.#now()), "reply", atMs);
    } else if (origin === "api") {
      this.behaviour.doubles.recordMessage({ contact, text, atMs });
      this.#matched(this.trips.matchMessage(contact, this.#now()), "api", atMs);
    }
  }

  /** A run that was gone through again goes on: texts that wait have waited since now, as if it had not been cut off. */
  goOn(): void {
    this.#past = undefined;
    if (!this.#isLockstep) this.trips.restartClock(this.#now());
  }

  /** Gone through again, a trip would take no time. In lockstep it takes what it took. */
  #pastMs(): number | null {
    const next = this.#past?.next();
    return next === undefined || next.done === true ? null : next.value.wallMs;
  }

  #matched(trip: RoundTrip | undefined, via: "reply" | "api", atMs: SimTime): void {
    if (trip === undefined) return;
    const { channel, number } = trip;
    const ms = this.#pastMs() ?? trip.ms;
    this.meter.recordRoundTrip("mo_sms", channel, ms);
    this.#recording.roundTrip({ channel, number, via, atMs, wallMs: this.#isLockstep ? null : ms });
  }
}
