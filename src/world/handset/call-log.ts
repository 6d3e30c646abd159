import type { InboundReport } from "../in-transit.js";
import type { SimTime } from "../../sim/index.js";
import { addDelay, type CallEventType, type DelayReason, type ReportedFact } from "../../wire/index.js";
import type { CallView } from "./handset-view.js";
import type { ReportContext, Phone } from "./phone.js";

/** A row of the call log. `timeMs`: start of the call by the phone's clock. */
export interface LoggedCall {
  readonly call: CallEventType;
  readonly phone: string;
  readonly timeMs: number;
  /** Seconds talked; 0 for an unanswered call. */
  readonly durationS: number;
  readonly beganAtMs: SimTime;
}

interface UnreadCall extends LoggedCall {
  /** When the call ended. */
  readonly atMs: SimTime;
  /** Why the app did not read it immediately. */
  readonly why: DelayReason | undefined;
}

/**
 * Calls that have ended and wait for the app to read them (docs/reference/handset.md#call-log). The app itself places
 * and answers no calls.
 */
export class CallLog {
  readonly #phone: Phone;
  #unread: UnreadCall[] = [];
  #newest: UnreadCall | undefined;
  /** Shared by all reports of the newest call. */
  #newestFact: ReportedFact | undefined;

  constructor(phone: Phone) {
    this.#phone = phone;
  }

  get unreadCount(): number {
    return this.#unread.length;
  }

  /** The reports that the app will make of the calls that it has not read. */
  unreadReports(): InboundReport[] {
    return this.#unread.map(({ call, phone, timeMs, durationS }) => ({ type: "call", call, phone, timeMs, durationS }));
  }

  /** The unread calls, in the order in which they ended. */
  inspect(): CallView[] {
    return this.#unread.map(({ call, phone, durationS, beganAtMs }) => ({ call, phone, durationS, beganAtMs }));
  }

  addCall(call: LoggedCall): void {
    const { context, blockedBy: hindrance, canReadCalls } = this.#phone;
    this.#unread.push({
      ...call,
      atMs: context.kernel.now,
      why: hindrance ?? (canReadCalls ? undefined : "no-permission"),
    });
    this.readUnread();
  }

  /**
   * Makes the app read the unread calls, newest first. While paused, or without the permission, it reads nothing; the
   * next call after that triggers a read.
   */
  readUnread(): void {
    const phone = this.#phone;
    if (this.#unread.length === 0 || !phone.isWorking || !phone.canReadCalls) return;
    const unread = this.#unread.reverse();
    this.#unread = [];
    this.#newest = unread[0];
    const readCount = phone.has("call-log-newest-only") ? 1 : unread.length;
    this.#newestFact = phone.has("call-log-repeats") ? { event: 0 } : undefined;
    for (const call of unread.slice(0, readCount))
      this.#reportCall(call, call === this.#newest ? { fact: this.#newestFact } : undefined);
    const skipped = unread.slice(readCount).map((call) => ({ channel: phone.channel, phone: call.phone }));
    if (skipped.length > 0) phone.context.tally.lost("calls", "skipped", skipped);
    phone.app.sync.requestSync({ forced: false });
  }

  /** Fault call-log-repeats: an app that starts reports the newest call again. */
  repeatNewest(): void {
    if (this.#newest === undefined || !this.#phone.canReadCalls || !this.#phone.has("call-log-repeats")) return;
    this.#phone.context.tally.copy("calls", "told-again");
    this.#reportCall(this.#newest, { fact: this.#newestFact, causeOfCopy: "call-log-repeats" });
  }

  #reportCall(
    { call, phone, timeMs, durationS, beganAtMs, atMs, why }: UnreadCall,
    double: ReportContext | undefined,
  ): void {
    const { now } = this.#phone.context.kernel;
    const isFirst = double?.causeOfCopy === undefined;
    const hold = { kind: "held-by-phone", why: why ?? null, fromMs: atMs, untilMs: now } as const;
    const delays = isFirst && now > atMs ? addDelay(undefined, hold) : undefined;
    const report = { type: "call", call, phone, timeMs, durationS } as const;
    this.#phone.app.reports.keep(report, { beganAtMs, phoneAtMs: isFirst ? atMs : now, delays, ...double });
  }
}
