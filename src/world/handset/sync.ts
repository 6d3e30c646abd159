import { sampleWhole, type SimTime, type Timer } from "../../sim/index.js";
import {
  addDelay,
  type Command,
  type CopyCause,
  type DelayReason,
  type ReportedFact,
  type Report,
  type SyncAnswer,
  type SyncReport,
  type ReportOrigin,
} from "../../wire/index.js";
import type { InboundReport } from "../in-transit.js";
import type { ReportContext, Phone } from "./phone.js";

/** A report that the phone keeps until it is acknowledged. */
interface KeptReport extends ReportOrigin {
  readonly report: Report;
  readonly fact: ReportedFact | undefined;
  readonly causeOfCopy: CopyCause | undefined;
  repeatedBy: CopyCause | undefined;
  isApplied: boolean;
  isAcknowledged: boolean;
  /** It has been in a sync. */
  isTried: boolean;
}

/** One request to the service and what becomes of it. */
interface Exchange {
  readonly sync: Sync;
  life: number;
  requestedAtMs: SimTime;
  timeoutAtMs: SimTime;
  batch: readonly KeptReport[];
  body: SyncReport;
  isRepeat: boolean;
  /** What the link loses. */
  loses: "nothing" | "request" | "response";
  /** The value of `Sync.#epoch` when it began. */
  epoch: number;
  answer: SyncAnswer | undefined;
  /** Carries the request up and then the answer down. */
  timer: Timer | undefined;
  /** A timer for the end of the phone's patience has been set. */
  hasTimeout: boolean;
}

/** Shorter waits for a sync are not worth a word in a recording. */
const SHORT_WAIT_MS = 1_000;

/** After a start the first poll comes within this time (docs/reference/handset.md#numbers). */
const FIRST_POLL_MS = 5_000;

/**
 * The phone's exchanges with the service (docs/reference/handset.md#syncs): what triggers them, what they carry, how
 * they fail. `keepReport` queues a report; `requestSync` starts an exchange: `#sendRequest` → `#requestArrived` (the
 * service answers) → `#answerArrived` → `#applyCommands`. One exchange runs at a time; requests made meanwhile merge
 * into one after it.
 */
export class Sync {
  readonly #phone: Phone;
  #kept: KeptReport[] = none;
  #current: Exchange | undefined;
  #lastMs: SimTime = -Infinity;
  #isWanted = false;
  #isWantedForced = false;
  #pollTimer: Timer | undefined;
  #owesPoll = false;
  #isPushUnderWay = false;
  #hasHeldPush = false;
  #firstPushMs: SimTime = -Infinity;
  /** Why the last request for a sync was put off. */
  #waitsFor: DelayReason | undefined;
  #losing: { readonly what: "request" | "response"; times: number } | undefined;
  /** Fault answer-late: the answer before this one. */
  #lateCommands: readonly Command[] = noCommands;
  #isFirst = true;
  /** Counts resets: a request from before the last one never arrives, however long it has been under way. */
  #epoch = 0;
  /**
   * An exchange that is over and that nothing refers to: the next one takes its place. A phone has millions of them in
   * a run, and each new one would live just long enough to be dear to the collector.
   */
  #pooled: Exchange | undefined;

  constructor(phone: Phone) {
    this.#phone = phone;
  }

  get nowMs(): SimTime {
    return this.#phone.context.kernel.now;
  }

  /** Reports that the phone keeps. */
  get keptCount(): number {
    return this.#kept.length;
  }

  /** Texts and calls that wait in reports which the service has not taken over. */
  census(): { texts: number; calls: number } {
    let texts = 0;
    let calls = 0;
    for (const { report, isApplied } of this.#kept) {
      if (isApplied) continue;
      if (report.type === "mo_sms") texts++;
      else if (report.type === "call") calls++;
    }
    return { texts, calls };
  }

  /** Texts and calls in reports which the service has not taken over. */
  openReports(): InboundReport[] {
    return this.#kept.flatMap(({ report, isApplied }) =>
      !isApplied && (report.type === "mo_sms" || report.type === "call") ? [report] : [],
    );
  }

  keepReport(report: Report, origin?: ReportContext): void {
    const kept: KeptReport = {
      report,
      fact: origin?.fact,
      event: 0,
      causeOfCopy: origin?.causeOfCopy,
      repeatedBy: undefined,
      isApplied: false,
      isAcknowledged: false,
      isTried: false,
      beganAtMs: origin?.beganAtMs ?? null,
      phoneAtMs: origin?.phoneAtMs ?? this.#phone.context.kernel.now,
      delays: origin?.delays,
    };
    this.#waitsFor = undefined;
    // Mostly it is alone, and a list that grows makes room for many at once.
    if (this.#kept.length === 0) this.#kept = [kept];
    else this.#kept.push(kept);
  }

  /** @param afterMs - when the first poll comes, from now */
  startPolling(afterMs?: number): void {
    if (this.#pollTimer !== undefined) return;
    const { context, stream } = this.#phone;
    this.#pollTimer = context.kernel.in(afterMs ?? stream.int(0, FIRST_POLL_MS), Sync.#pollDue, this);
  }

  /** The next exchanges lose their request or their answer. */
  loseExchanges(what: "request" | "response", times: number): void {
    this.#losing = times > 0 ? { what, times } : undefined;
  }

  /** The service wakes the phone. Pushes that have not arrived yet are one. */
  sendPush(): void {
    const { context, stream, profile } = this.#phone;
    if (this.#isPushUnderWay || this.#hasHeldPush) return;
    if (profile.pushLoses > 0 && stream.chance(profile.pushLoses)) return;
    this.#isPushUnderWay = true;
    context.kernel.in(sampleWhole(profile.pushAfter, stream), Sync.#pushArrived, this);
  }

  /** A data link is back: what has waited for it happens now. */
  linkReturned(): void {
    const isDue = this.#owesPoll || this.#hasHeldPush;
    if (this.#hasHeldPush) this.#notePush();
    this.#owesPoll = false;
    this.#hasHeldPush = false;
    if (isDue) this.requestSync({ forced: true });
  }

  switchedOff(): void {
    if (this.#current !== undefined) noteFailure(this.#current, "switched-off");
    if (this.#pollTimer !== undefined) this.#phone.context.kernel.cancel(this.#pollTimer);
    this.#pollTimer = undefined;
    this.#owesPoll = false;
    this.#current = undefined;
    this.#isWanted = false;
    this.#isWantedForced = false;
    this.#lateCommands = noCommands;
    this.#isFirst = true;
  }

  /** Forgets all reports; those that the service has not taken over are lost. */
  wipe(): void {
    const { tally } = this.#phone.context;
    const { texts, calls } = this.census();
    if (texts > 0) tally.lost("texts", "reset", texts);
    if (calls > 0) tally.lost("calls", "reset", calls);
    this.#kept = none;
    this.#lateCommands = noCommands;
    this.#epoch++;
    this.#current = undefined;
    this.#isWanted = false;
    this.#isWantedForced = false;
  }

  /**
   * Asks for a sync, by the rules of docs/reference/handset.md#sync-triggers and docs/reference/handset.md#sync-steps.
   */
  requestSync({ forced }: { readonly forced: boolean }): void {
    const phone = this.#phone;
    if (!phone.isOn || phone.isPaused) {
      this.#waitsFor = phone.blockedBy;
      return;
    }
    if (this.#current !== undefined) {
      this.#waitsFor ??= "sync-under-way";
      this.#isWanted = true;
      this.#isWantedForced ||= forced;
      return;
    }
    const { now } = phone.context.kernel;
    const { quietFrom, quietMs, batch: batchSize } = phone.profile;
    if (!forced && this.#kept.length === 0) return;
    if (forced && this.#kept.length >= quietFrom && now - this.#lastMs < quietMs) {
      this.#waitsFor ??= "quiet-time";
      return;
    }
    const batch = this.#kept.length === 0 ? nothing : this.#kept.slice(0, batchSize);
    const body: SyncReport = {
      clockAtMs: phone.clockMs,
      status: phone.status(),
      reports: reportsOf(batch),
      origins: batch,
    };
    this.#noteWaiting(batch);
    this.#sendRequest(batch, body, { requestedAtMs: now, isRepeat: false });
  }

  /** Reports that go for the first time have waited since the phone had them, or since what held them ended. */
  #noteWaiting(batch: readonly KeptReport[]): void {
    const { now } = this.#phone.context.kernel;
    for (const kept of batch) {
      if (kept.isTried) continue;
      kept.isTried = true;
      const fromMs = kept.delays?.at(-1)?.untilMs ?? kept.phoneAtMs;
      if (now - fromMs < SHORT_WAIT_MS) continue;
      kept.delays = addDelay(kept.delays, {
        kind: "waited-for-sync",
        why: this.#waitsFor ?? null,
        fromMs,
        untilMs: now,
      });
    }
    this.#waitsFor = undefined;
  }

  #sendRequest(
    batch: readonly KeptReport[],
    body: SyncReport,
    { requestedAtMs, isRepeat }: { readonly requestedAtMs: SimTime; readonly isRepeat: boolean },
  ): void {
    const phone = this.#phone;
    const { kernel } = phone.context;
    const life = phone.life;
    phone.drain(phone.profile.drainPerSync);
    if (phone.life !== life) return;
    const exchange = this.#pooled ?? this.#newExchange();
    this.#pooled = undefined;
    exchange.batch = batch;
    exchange.body = body;
    exchange.answer = undefined;
    exchange.life = life;
    exchange.epoch = this.#epoch;
    exchange.requestedAtMs = requestedAtMs;
    exchange.timeoutAtMs = kernel.now + phone.profile.syncTimeoutMs;
    exchange.isRepeat = isRepeat;
    exchange.loses = phone.hasData ? this.#drawLoss() : "nothing";
    this.#current = exchange;
    if (!phone.hasData) {
      noteDelay(exchange, "no-network", kernel.now);
      this.#repeatOrEnd(exchange);
    } else if (exchange.loses === "request") this.#awaitTimeout(exchange);
    else {
      const latencyMs = phone.latencyMs();
      if (exchange.timer !== undefined) kernel.reschedule(exchange.timer, latencyMs, Sync.#requestArrived);
      else exchange.timer = kernel.in(latencyMs, Sync.#requestArrived, exchange);
      // A request may be on its way for longer than the phone waits; it reaches the service all the same.
      if (latencyMs > phone.profile.syncTimeoutMs) this.#awaitTimeout(exchange);
    }
  }

  /**
   * One that carries nothing yet. Made together with what it carries, that would be given a place among what lives long,
   * as exchanges do, each time: the engine puts an object where the one goes that it is made for.
   */
  #newExchange(): Exchange {
    return {
      sync: this,
      life: 0,
      requestedAtMs: 0,
      timeoutAtMs: 0,
      batch: nothing,
      body: noBody,
      isRepeat: false,
      loses: "nothing",
      epoch: 0,
      answer: undefined,
      timer: undefined,
      hasTimeout: false,
    };
  }

  /** Puts an exchange aside whose answer has come and been applied, unless a timer still knows of it. */
  #poolExchange(exchange: Exchange): void {
    if (exchange.hasTimeout) return;
    exchange.batch = nothing;
    exchange.body = noBody;
    this.#pooled = exchange;
  }

  #drawLoss(): Exchange["loses"] {
    const losing = this.#losing;
    if (losing !== undefined) {
      if (--losing.times === 0) this.#losing = undefined;
      return losing.what;
    }
    const { linkLoses, stream } = this.#phone;
    if (linkLoses === 0 || !stream.chance(linkLoses)) return "nothing";
    return stream.chance(0.5) ? "request" : "response";
  }

  static #requestArrived(this: void, exchange: Exchange): void {
    const { sync } = exchange;
    const phone = sync.#phone;
    if (exchange.epoch !== sync.#epoch || exchange.life !== phone.life) return;
    if (!phone.hasData) {
      if (sync.#current === exchange) {
        noteDelay(exchange, "no-network", sync.nowMs);
        sync.#repeatOrEnd(exchange);
      }
      return;
    }
    const answer = phone.context.ports.uplink(phone.channel, exchange.body);
    exchange.answer = answer;
    if (answer?.accepted === true) sync.#markTakenOver(exchange.batch, answer.commands);
    if (sync.#current !== exchange) return;
    if (answer === undefined) return sync.#awaitTimeout(exchange);
    const { kernel } = phone.context;
    const arrivesAtMs = kernel.now + phone.latencyMs();
    if (exchange.loses === "response" || arrivesAtMs > exchange.timeoutAtMs) sync.#awaitTimeout(exchange);
    else if (exchange.timer?.done === true)
      kernel.reschedule(exchange.timer, arrivesAtMs - kernel.now, Sync.#answerArrived);
    else exchange.timer = kernel.at(arrivesAtMs, Sync.#answerArrived, exchange);
  }

  /** What the service has taken over now exists there; taken over again, it exists there twice. */
  #markTakenOver(batch: readonly KeptReport[], commands: readonly Command[]): void {
    const { tally } = this.#phone.context;
    for (const command of commands) {
      if (command.type !== "ack") continue;
      const kept = batch[command.report - 1];
      if (kept === undefined) continue;
      if (kept.isApplied) {
        if (kept.report.type === "mo_sms") tally.copy("texts", "lost-response");
        else if (kept.report.type === "call") tally.copy("calls", "lost-response");
      }
      kept.isApplied = true;
    }
  }

  static #answerArrived(this: void, exchange: Exchange): void {
    const { sync, answer } = exchange;
    const phone = sync.#phone;
    if (sync.#current !== exchange) return;
    if (!phone.hasData || answer === undefined) {
      noteFailure(exchange, "link-lost");
      return sync.#repeatOrEnd(exchange);
    }
    if (!answer.accepted) {
      // "Time Wrong": everything is kept (docs/reference/handset.md#sync-errors)
      noteDelay(exchange, "clock-off", sync.nowMs);
      return sync.#endExchange({ isGood: false });
    }
    if (sync.#isFirst && phone.has("answer-late")) {
      sync.#isFirst = false;
      noteFailure(exchange, "answer-late");
      return sync.#sendRequest(exchange.batch, exchange.body, {
        requestedAtMs: exchange.requestedAtMs,
        isRepeat: true,
      });
    }
    sync.#isFirst = false;
    sync.#lastMs = exchange.requestedAtMs;
    if (phone.has("answer-late")) {
      const late = sync.#lateCommands;
      sync.#lateCommands = answer.commands;
      noteFailure(exchange, "answer-late");
      sync.#applyCommands(exchange.batch, late);
    } else sync.#applyCommands(exchange.batch, answer.commands);
    sync.#poolExchange(exchange);
    sync.#endExchange({ isGood: true });
  }

  #applyCommands(batch: readonly KeptReport[], commands: readonly Command[]): void {
    let acknowledged = 0;
    for (const command of commands) {
      if (command.type === "send") this.#phone.acceptMessage(command.id, command.phone, command.text);
      else {
        const kept = batch[command.report - 1];
        if (kept === undefined || kept.isAcknowledged) continue;
        kept.isAcknowledged = true;
        acknowledged++;
        this.#phone.acknowledged(kept.report);
      }
    }
    if (acknowledged === 0) return;
    if (acknowledged === batch.length && batch.length === this.#kept.length) this.#kept = none;
    else this.#kept = this.#kept.filter((kept) => !kept.isAcknowledged);
  }

  #awaitTimeout(exchange: Exchange): void {
    if (exchange.hasTimeout) return;
    exchange.hasTimeout = true;
    this.#phone.context.kernel.at(exchange.timeoutAtMs, Sync.#timedOut, exchange);
  }

  static #timedOut(this: void, exchange: Exchange): void {
    // An answer that is on its way has its own event, which is not later than this one.
    if (exchange.sync.#current !== exchange) return;
    noteFailure(exchange, "sync-timeout");
    exchange.sync.#repeatOrEnd(exchange);
  }

  #repeatOrEnd(exchange: Exchange): void {
    if (this.#phone.profile.repeatsSync && !exchange.isRepeat) {
      this.#sendRequest(exchange.batch, exchange.body, { requestedAtMs: exchange.requestedAtMs, isRepeat: true });
    } else this.#endExchange({ isGood: false });
  }

  /** After an attempt, good or bad: the outbox runs, then what was asked for meanwhile (7.2, steps 9 and 11). */
  #endExchange({ isGood }: { readonly isGood: boolean }): void {
    const phone = this.#phone;
    const isWanted = this.#isWanted;
    const isForced = this.#isWantedForced;
    this.#current = undefined;
    this.#isWanted = false;
    this.#isWantedForced = false;
    phone.runOutbox();
    if (isGood && this.#kept.length > phone.profile.followUpAbove) this.requestSync({ forced: true });
    if (isWanted) this.requestSync({ forced: isForced });
  }

  static #pollDue(this: void, sync: Sync): void {
    const phone = sync.#phone;
    const { profile } = phone;
    const { kernel } = phone.context;
    if (sync.#pollTimer !== undefined) kernel.reschedule(sync.#pollTimer, profile.pollEveryMs, Sync.#pollDue);
    if (phone.isPaused) return;
    if (profile.pollNeedsNetwork && !phone.hasData) sync.#owesPoll = true;
    else sync.requestSync({ forced: sync.#isPollForced() });
    if (profile.runsAtPoll && sync.#current === undefined) phone.runOutbox();
  }

  #isPollForced(): boolean {
    const { profile, activeAtMs, context } = this.#phone;
    const { now } = context.kernel;
    return (
      now - this.#lastMs >= profile.pollIdleMs ||
      now - activeAtMs < profile.pollActiveMs ||
      now - this.#firstPushMs < profile.pollPushedMs
    );
  }

  static #pushArrived(this: void, sync: Sync): void {
    const phone = sync.#phone;
    sync.#isPushUnderWay = false;
    if (!phone.isOn || !phone.hasData) sync.#hasHeldPush = true;
    else {
      sync.#notePush();
      sync.requestSync({ forced: true });
    }
  }

  #notePush(): void {
    if (this.#firstPushMs === -Infinity) this.#firstPushMs = this.#phone.context.kernel.now;
  }
}

const nothing: readonly KeptReport[] = [];
const noReports: readonly Report[] = [];
const noCommands: readonly Command[] = [];
/** What is kept where nothing is: never written to, and shared, as most phones have nothing to tell most of the time. */
const none: KeptReport[] = [];
const noBody: SyncReport = {
  clockAtMs: 0,
  status: { powerSource: "BAT", powerStatus: "UNK", powerLevel: -1, networkType: "", pending: [], retry: [] },
  reports: noReports,
};

/** The phone does not learn that the service has these reports. A request that never arrived makes no copies. */
function noteFailure(exchange: Exchange, why: DelayReason & CopyCause): void {
  const { batch, loses, sync } = exchange;
  if (loses !== "request") for (const kept of batch) kept.repeatedBy = loses === "response" ? "answer-lost" : why;
  const isLost = { nothing: why, request: "request-lost", response: "answer-lost" } as const;
  noteDelay(exchange, isLost[loses], sync.nowMs);
}

function noteDelay({ batch, requestedAtMs: fromMs }: Exchange, why: DelayReason, untilMs: SimTime): void {
  for (const kept of batch) kept.delays = addDelay(kept.delays, { kind: "sync-failed", why, fromMs, untilMs });
}

function reportsOf(batch: readonly KeptReport[]): readonly Report[] {
  const [first] = batch;
  if (first === undefined) return noReports;
  return batch.length === 1 ? [first.report] : batch.map(({ report }) => report);
}
