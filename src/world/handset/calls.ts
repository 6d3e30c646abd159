import { sampleWhole, type SimTime, type Timer } from "../../sim/index.js";
import type { ReportedCallType } from "../../wire/index.js";
import type { InboundReport } from "../in-transit.js";
import { CallLog } from "./call-log.js";
import type { CallsView } from "./handset-view.js";
import type { Phone } from "./phone.js";

/** A telephone call between a person and a handset, before it starts. */
export interface PlannedCall {
  /** The person's number; empty: the person withholds it. */
  readonly phone: string;
  /** Who dials. */
  readonly by: "person" | "handset";
  readonly isAnswered: boolean;
  /** The phone reports it as `unk`: rejected, voicemail, blocked, answered elsewhere. */
  readonly isUnknown: boolean;
  /** Ringing time of an unanswered call, talking time of an answered one. */
  readonly lastsMs: number;
}

/** A call in progress. */
interface OngoingCall {
  readonly calls: Calls;
  readonly life: number;
  readonly call: ReportedCallType;
  readonly phone: string;
  readonly timeMs: number;
  readonly durationS: number;
  readonly beganAtMs: SimTime;
  readonly endsAtMs: SimTime;
  readonly isTalking: boolean;
  /** For a waiting call that will be answered: the call that begins when it gets the line. Else undefined. */
  readonly answeredNext: PlannedCall | undefined;
  timer: Timer | undefined;
}

/**
 * The telephone calls of a handset: those in progress, and the call log for those that have ended. The handset has one
 * line: while a call rings or is talked, another caller finds it busy, or waits (`Profile.callWaiting`).
 */
export class Calls {
  readonly log: CallLog;
  readonly #phone: Phone;
  readonly #ongoing = new Set<OngoingCall>();
  /** The call that has the line. A call of an earlier life of the phone no longer counts. */
  #line: OngoingCall | undefined;
  /** The call that waits for the line. */
  #waiting: OngoingCall | undefined;

  constructor(phone: Phone) {
    this.#phone = phone;
    this.log = new CallLog(phone);
  }

  /** Number of calls that the service does not know: in progress, or unread in the log. */
  get openCount(): number {
    return this.#ongoing.size + this.log.unreadCount;
  }

  /** Reports of the calls that `openCount` counts. A call in progress is reported as it will be logged. */
  openReports(): InboundReport[] {
    const reports = this.log.unreadReports();
    for (const { life, call, phone, timeMs, durationS } of this.#ongoing) {
      if (life === this.#phone.life) reports.push({ type: "call", call, phone, timeMs, durationS });
    }
    return reports;
  }

  /** Calls in progress, and unread ones of the log. */
  inspect(): CallsView {
    const ongoing = [...this.#ongoing].filter(({ life }) => life === this.#phone.life);
    return {
      ongoing: ongoing.map((one) => {
        const { call, phone, durationS, beganAtMs, endsAtMs } = one;
        return { call, phone, durationS, beganAtMs, endsAtMs, isWaiting: one === this.#waiting };
      }),
      unread: this.log.inspect(),
      observers: this.#phone.app.observerCount,
    };
  }

  /** Starts a call, unless the line is busy. When it ends, it is added to the log. */
  start(planned: PlannedCall): void {
    const { life, clockMs, context, channel } = this.#phone;
    const began = { timeMs: clockMs, beganAtMs: context.kernel.now };
    const line = this.#line?.life === life ? this.#line : undefined;
    if (line === undefined) this.#line = this.#begin(planned, began);
    else if (this.#canWait(planned, line)) this.#waiting = this.#beginWaiting(planned, began);
    else context.tally.lost("calls", "busy", [{ channel, phone: planned.phone }]);
  }

  /** Call waiting lets one caller wait, and only while somebody talks. */
  #canWait({ by }: PlannedCall, line: OngoingCall): boolean {
    const isTaken = this.#waiting?.life === this.#phone.life;
    return this.#phone.profile.callWaiting && by === "person" && line.isTalking && !isTaken;
  }

  /** Begins a call that waits: it rings, and ends as a missed call unless it gets the line in time. */
  #beginWaiting(planned: PlannedCall, began: Pick<OngoingCall, "timeMs" | "beganAtMs">): OngoingCall {
    if (!planned.isAnswered) return this.#begin(planned, began);
    const { profile, stream } = this.#phone;
    const lastsMs = sampleWhole(profile.rings, stream);
    return this.#begin({ ...planned, isAnswered: false, lastsMs }, began, planned);
  }

  #begin(
    { phone, by, isAnswered, isUnknown, lastsMs }: PlannedCall,
    { timeMs, beganAtMs }: Pick<OngoingCall, "timeMs" | "beganAtMs">,
    answeredNext?: PlannedCall,
  ): OngoingCall {
    const { life, context } = this.#phone;
    const { kernel } = context;
    const ongoing: OngoingCall = {
      calls: this,
      life,
      call: isUnknown ? "unk" : this.#callType(by, isAnswered),
      phone,
      timeMs,
      durationS: isAnswered ? Math.round(lastsMs / 1000) : 0,
      beganAtMs,
      endsAtMs: kernel.now + lastsMs,
      isTalking: isAnswered,
      answeredNext,
      timer: undefined,
    };
    this.#ongoing.add(ongoing);
    ongoing.timer = kernel.in(lastsMs, Calls.#hungUp, ongoing);
    return ongoing;
  }

  #callType(by: "person" | "handset", isAnswered: boolean): ReportedCallType {
    if (by === "person") return isAnswered ? "mo_call" : "mo_miss";
    return isAnswered || this.#phone.has("no-mt-miss") ? "mt_call" : "mt_miss";
  }

  static #hungUp(this: void, ongoing: OngoingCall): void {
    const { calls, life, call, phone, timeMs, durationS, beganAtMs } = ongoing;
    calls.#ongoing.delete(ongoing);
    const { channel, context } = calls.#phone;
    const hadLine = calls.#line === ongoing;
    if (hadLine) calls.#line = undefined;
    if (calls.#waiting === ongoing) calls.#waiting = undefined;
    if (life !== calls.#phone.life) return context.tally.lost("calls", "switched-off", [{ channel, phone }]);
    calls.log.addCall({ call, phone, timeMs, durationS, beganAtMs });
    if (hadLine) calls.#passLine();
  }

  /** Gives the line to the call that waits: it is answered, or continues to ring. */
  #passLine(): void {
    const waiting = this.#waiting;
    if (waiting?.life !== this.#phone.life) return;
    this.#waiting = undefined;
    if (waiting.answeredNext === undefined || waiting.timer === undefined) this.#line = waiting;
    else {
      this.#phone.context.kernel.cancel(waiting.timer);
      this.#ongoing.delete(waiting);
      this.#line = this.#begin(waiting.answeredNext, waiting);
    }
  }
}
