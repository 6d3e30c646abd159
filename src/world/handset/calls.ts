import type { SimTime } from "../../sim/index.js";
import type { CallEventType } from "../../wire/index.js";
import type { InboundReport } from "../in-transit.js";
import { CallLog } from "./call-log.js";
import type { CallsView } from "./handset-view.js";
import type { Phone } from "./phone.js";

/** A telephone call between a person and a handset, before it starts. */
export interface PlannedCall {
  /** The person's number. */
  readonly phone: string;
  /** Who dials. */
  readonly by: "person" | "handset";
  readonly isAnswered: boolean;
  /** Ringing time of an unanswered call, talking time of an answered one. */
  readonly lastsMs: number;
}

/** A call in progress. */
interface OngoingCall {
  readonly calls: Calls;
  readonly life: number;
  readonly call: CallEventType;
  readonly phone: string;
  readonly timeMs: number;
  readonly durationS: number;
  readonly beganAtMs: SimTime;
  readonly endsAtMs: SimTime;
}

/** The telephone calls of a handset: those in progress, and the call log for those that have ended. */
export class Calls {
  readonly log: CallLog;
  readonly #phone: Phone;
  readonly #ongoing = new Set<OngoingCall>();

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
      ongoing: ongoing.map(({ call, phone, durationS, beganAtMs, endsAtMs }) => ({
        call,
        phone,
        durationS,
        beganAtMs,
        endsAtMs,
      })),
      unread: this.log.inspect(),
    };
  }

  /** Starts a call. When it ends, it is added to the log. */
  start({ phone, by, isAnswered, lastsMs }: PlannedCall): void {
    const { life, clockMs, context } = this.#phone;
    const { kernel } = context;
    const ongoing: OngoingCall = {
      calls: this,
      life,
      call: this.#callType(by, isAnswered),
      phone,
      timeMs: clockMs,
      durationS: isAnswered ? Math.round(lastsMs / 1000) : 0,
      beganAtMs: kernel.now,
      endsAtMs: kernel.now + lastsMs,
    };
    this.#ongoing.add(ongoing);
    kernel.in(lastsMs, Calls.#hungUp, ongoing);
  }

  #callType(by: "person" | "handset", isAnswered: boolean): CallEventType {
    if (by === "person") return isAnswered ? "mo_call" : "mo_miss";
    return isAnswered || this.#phone.has("no-mt-miss") ? "mt_call" : "mt_miss";
  }

  static #hungUp(this: void, ongoing: OngoingCall): void {
    const { calls, life, call, phone, timeMs, durationS, beganAtMs } = ongoing;
    calls.#ongoing.delete(ongoing);
    const { channel, context } = calls.#phone;
    if (life !== calls.#phone.life) context.tally.lost("calls", "switched-off", [{ channel, phone }]);
    else calls.log.addCall({ call, phone, timeMs, durationS, beganAtMs });
  }
}
