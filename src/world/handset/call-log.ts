import type { InboundReport } from "../in-transit.js";
import type { CallLogState } from "../input.js";
import type { SimTime } from "../../sim/index.js";
import { addDelay, type DelayReason, type ReportedCallType, type ReportedFact } from "../../wire/index.js";
import type { CallView } from "./handset-view.js";
import type { ReportContext, Phone } from "./phone.js";

/** A row of the call log. `timeMs`: start of the call by the phone's clock. */
export interface LoggedCall {
  readonly call: ReportedCallType;
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

/** A call that the further observers of the log report too. */
interface ObservedCall {
  readonly call: UnreadCall;
  readonly fact: ReportedFact;
}

/** The calls that one further observer reports. `life`: the phone's when the first observer read them. */
interface Observation {
  readonly log: CallLog;
  readonly life: number;
  readonly observed: readonly ObservedCall[];
}

/** Maximum lag of a further observer behind the first (assumed). */
const OBSERVER_LAG_MS = 2_000;

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
   * next call after that triggers a read. While not claimed it loses them.
   */
  readUnread(): void {
    const phone = this.#phone;
    if (this.#unread.length === 0) return;
    if (!phone.app.isClaimed) return this.#drop();
    if (!phone.isWorking || !phone.canReadCalls) return;
    const unread = this.#unread.reverse();
    this.#unread = [];
    this.#newest = unread[0];
    const readCount = phone.has("call-log-newest-only") ? 1 : unread.length;
    const isObserved = phone.app.observerCount > 1;
    this.#newestFact = isObserved || phone.has("call-log-repeats") ? { event: 0 } : undefined;
    const observed: ObservedCall[] = [];
    for (const call of unread.slice(0, readCount)) {
      const fact = call === this.#newest ? this.#newestFact : isObserved ? { event: 0 } : undefined;
      this.#reportCall(call, { fact });
      if (isObserved && fact !== undefined) observed.push({ call, fact });
    }
    const skipped = unread.slice(readCount).map((call) => ({ channel: phone.channel, phone: call.phone }));
    if (skipped.length > 0) phone.context.tally.lost("calls", "skipped", skipped);
    phone.app.sync.requestSync({ forced: false });
    if (isObserved) this.#notifyFurther(observed);
  }

  /** Fault call-log-observers: each further observer reports the calls, a little later than the first. */
  #notifyFurther(observed: readonly ObservedCall[]): void {
    const { app, context, stream, life } = this.#phone;
    for (let observer = 2; observer <= app.observerCount; observer++) {
      const observation: Observation = { log: this, life, observed };
      context.kernel.in(stream.int(1, OBSERVER_LAG_MS), CallLog.#observedAgain, observation);
    }
  }

  static #observedAgain(this: void, { log, life, observed }: Observation): void {
    const phone = log.#phone;
    if (life !== phone.life || !phone.isWorking) return;
    for (const { call, fact } of observed) {
      phone.context.tally.copy("calls", "observers");
      log.#reportCall(call, { fact, causeOfCopy: "call-log-observers" });
    }
    phone.app.sync.requestSync({ forced: false });
  }

  /** The owner looks at the log or clears it: no row is new any more, so the app reports none of them. */
  useByOwner(state: CallLogState): void {
    const { channel, context } = this.#phone;
    this.#newest = undefined;
    const unread = this.#unread.map(({ phone }) => ({ channel, phone }));
    this.#unread = [];
    if (unread.length > 0) context.tally.lost("calls", state === "read" ? "call-log-read" : "call-log-cleared", unread);
  }

  /** The app of a phone that is not claimed reports no call. */
  #drop(): void {
    const { channel, context } = this.#phone;
    const dropped = this.#unread.map(({ phone }) => ({ channel, phone }));
    this.#unread = [];
    context.tally.lost("calls", "unclaimed", dropped);
  }

  /** Fault call-log-repeats: an app that starts reports the newest call again. */
  repeatNewest(): void {
    const phone = this.#phone;
    if (this.#newest === undefined || !phone.canReadCalls || !phone.app.isClaimed) return;
    if (!phone.has("call-log-repeats")) return;
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
