import { sampleWhole, type SimTime, type Timer } from "../../sim/index.js";
import type { Command, DelayReason, SyncReport } from "../../wire/index.js";
import { AirplaneToggle } from "./airplane-toggle.js";
import {
  clearExchange,
  emptyExchange,
  type Exchange,
  noteDelay,
  noteFailure,
  noteServiceFailure,
  reportsOf,
} from "./exchange.js";
import type { SyncView } from "./handset-view.js";
import type { KeptReport, KeptReports } from "./kept-reports.js";
import { countReports, LastExchange } from "./last-exchange.js";
import type { Phone } from "./phone.js";
import { PreferredLink } from "./preferred-link.js";
import type { WipeCause } from "./wipe-cause.js";

/** The first poll comes within this time after the app starts (docs/reference/handset.md#numbers). */
const FIRST_POLL_MS = 5_000;

/**
 * The phone's exchanges with the service (docs/reference/handset.md#syncs): what triggers them and how they fail.
 * `requestSync` starts an exchange with a batch of `KeptReports`: `#sendRequest` → `#requestArrived` (the service
 * answers) → `#answerArrived` → `#applyCommands`. One exchange runs at a time; requests made meanwhile merge into one
 * after it.
 */
export class Sync {
  readonly #phone: Phone;
  readonly #reports: KeptReports;
  #current: Exchange<Sync> | undefined;
  #lastMs: SimTime = -Infinity;
  #isWanted = false;
  #isWantedForced = false;
  #pollTimer: Timer | undefined;
  /** A sync is due that waits for the data link, or for Doze to let the app work. */
  #owesPoll = false;
  /** Requests that have left and not arrived, also those whose exchange is over. */
  #requestsUnderWay = 0;
  /** The next maintenance window, while the phone dozes. */
  #windowTimer: Timer | undefined;
  #isPushUnderWay = false;
  #hasHeldPush = false;
  #firstPushMs: SimTime = -Infinity;
  #losing: { readonly what: "request" | "response"; times: number } | undefined;
  /** Fault answer-late: the commands of the previous answer. */
  #lateCommands: readonly Command[] = noCommands;
  #isFirst = true;
  /** Counts resets: a request of an earlier epoch never arrives. */
  #epoch = 0;
  /** Object pool of one: the last exchange, once nothing else refers to it. A phone makes millions of them in a run. */
  #pooled: Exchange<Sync> | undefined;
  #last: LastExchange | undefined;
  /** Only with the profile's `togglesAirplane`. */
  #toggle: AirplaneToggle | undefined;
  /** Only with the profile's `prefersNetwork`. */
  #preferred: PreferredLink | undefined;

  constructor(phone: Phone, reports: KeptReports) {
    this.#phone = phone;
    this.#reports = reports;
  }

  get #now(): SimTime {
    return this.#phone.context.kernel.now;
  }

  /** @param afterMs - time to the first poll; default: drawn from 0 to `FIRST_POLL_MS` */
  startPolling(afterMs?: number): void {
    if (this.#pollTimer !== undefined) return;
    const { context, stream } = this.#phone;
    this.#pollTimer = context.kernel.in(afterMs ?? stream.int(0, FIRST_POLL_MS), Sync.#pollDue, this);
  }

  /** Makes the next `times` exchanges lose their request or their answer; 0 for none. */
  loseExchanges(what: "request" | "response", times: number): void {
    this.#losing = times > 0 ? { what, times } : undefined;
  }

  /** Sends the service's push message to the phone. Has no effect while an earlier push has not reached the app. */
  sendPush(): void {
    const { context, stream, profile } = this.#phone;
    if (this.#isPushUnderWay || this.#hasHeldPush || this.#phone.has("retired-push")) return;
    if (profile.pushLoses > 0 && stream.chance(profile.pushLoses)) return;
    this.#isPushUnderWay = true;
    context.kernel.in(sampleWhole(profile.pushAfter, stream), Sync.#pushArrived, this);
  }

  /** Called when the data link is back: a poll or push that waited for it now triggers a sync. */
  linkReturned(): void {
    const phone = this.#phone;
    const isDue = this.#owesPoll || this.#hasHeldPush;
    const isUrgent = this.#hasHeldPush;
    if (isUrgent) {
      this.#notePush();
      phone.app.wake();
    }
    this.#owesPoll = false;
    this.#hasHeldPush = false;
    if (isDue) this.requestSync({ forced: true, isUrgent });
  }

  switchedOff(): void {
    this.#stopped("switched-off");
  }

  /** Called when the app's process ends: a request that is under way never arrives. */
  appStopped(): void {
    this.#stopped("app-stopped");
    this.#epoch++;
  }

  #stopped(why: "switched-off" | "app-stopped"): void {
    if (this.#current !== undefined) this.#recordEnd(this.#current, noteFailure(this.#current, why, this.#now));
    if (this.#pollTimer !== undefined) this.#phone.context.kernel.cancel(this.#pollTimer);
    this.#pollTimer = undefined;
    this.#owesPoll = false;
    this.#current = undefined;
    this.#isWanted = false;
    this.#isWantedForced = false;
    this.#phone.useSecondLink(false);
    this.#preferred?.stop();
    this.#lateCommands = noCommands;
    this.#isFirst = true;
  }

  /** Removes all reports and abandons the exchange under way. */
  wipe(cause: WipeCause): void {
    this.#reports.wipe(cause);
    this.#lateCommands = noCommands;
    this.#epoch++;
    this.#current = undefined;
    this.#isWanted = false;
    this.#isWantedForced = false;
  }

  /** Starts a sync, or postpones it (docs/reference/handset.md#sync-triggers, docs/reference/handset.md#sync-steps). */
  requestSync({ forced: isForced, isUrgent }: { readonly forced: boolean; readonly isUrgent?: boolean }): void {
    const phone = this.#phone;
    const reports = this.#reports;
    const { registration, isClaimed } = phone.app;
    // A phone that is not claimed syncs at each trigger (docs/reference/handset.md#sync-triggers).
    const forced = isForced || !isClaimed;
    if (!phone.isOn || phone.isPaused || !phone.app.isRunning) {
      reports.syncDelayedBy = phone.blockedBy;
      return;
    }
    if (phone.isDozing && isUrgent !== true) {
      reports.syncDelayedBy = "dozing";
      this.#owesPoll ||= forced || reports.count > 0;
      return;
    }
    if (this.#current !== undefined) {
      reports.syncDelayedBy ??= "sync-under-way";
      this.#isWanted = true;
      this.#isWantedForced ||= forced;
      return;
    }
    const { now } = phone.context.kernel;
    const { quietFrom, quietMs, batch: batchSize } = phone.profile;
    if (!forced && reports.count === 0) return;
    if (forced && reports.count >= quietFrom && now - this.#lastMs < quietMs) {
      reports.syncDelayedBy ??= "quiet-time";
      return;
    }
    if (phone.profile.prefersNetwork !== "none" && !this.#hasPreferredLink(forced)) return;
    const batch = reports.batch(batchSize);
    const body: SyncReport = {
      clockAtMs: phone.clockMs,
      status: phone.status(),
      registration,
      reports: reportsOf(batch),
      origins: batch,
    };
    reports.noteFirstTry(batch);
    this.#sendRequest(batch, body, { requestedAtMs: now, isRepeat: false });
  }

  /** Whether a sync can start: on the network that the app prefers, or after it has waited for it. */
  #hasPreferredLink(forced: boolean): boolean {
    this.#preferred ??= new PreferredLink(this.#phone, (isForced) => {
      // As a phone that was woken: the wait began before Doze.
      this.requestSync({ forced: isForced, isUrgent: true });
    });
    if (this.#preferred.isReady(forced)) return true;
    this.#reports.syncDelayedBy = "preferred-network";
    return false;
  }

  /** Called when the phone's links have changed. */
  linksChanged(): void {
    this.#preferred?.linksChanged();
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
    const exchange = this.#pooled ?? emptyExchange(this);
    this.#pooled = undefined;
    exchange.batch = batch;
    exchange.body = body;
    exchange.answer = undefined;
    exchange.life = life;
    exchange.epoch = this.#epoch;
    exchange.requestedAtMs = requestedAtMs;
    exchange.timeoutAtMs = kernel.now + phone.profile.syncTimeoutMs;
    exchange.isRepeat = isRepeat;
    const hasPortal = phone.hasPortal;
    exchange.loses = phone.hasData && !hasPortal ? this.#drawLoss() : "nothing";
    this.#current = exchange;
    if (!phone.hasData) {
      this.#repeatOrEnd(exchange, noteDelay(exchange, "no-network", kernel.now));
    } else if (hasPortal) {
      // The portal's answer is no JSON (docs/reference/handset.md#network-handling).
      kernel.in(phone.latencyMs(), Sync.#portalAnswered, exchange);
    } else if (exchange.loses === "request") this.#awaitTimeout(exchange);
    else {
      const latencyMs = phone.latencyMs();
      this.#requestsUnderWay++;
      if (exchange.timer !== undefined) kernel.reschedule(exchange.timer, latencyMs, Sync.#requestArrived);
      else exchange.timer = kernel.in(latencyMs, Sync.#requestArrived, exchange);
      // A request that takes longer than the phone waits still reaches the service.
      if (latencyMs > phone.profile.syncTimeoutMs) this.#awaitTimeout(exchange);
    }
  }

  /** Pools an exchange whose answer is applied, unless its timeout timer still refers to it. */
  #poolExchange(exchange: Exchange<Sync>): void {
    if (exchange.hasTimeout) return;
    clearExchange(exchange);
    this.#pooled = exchange;
  }

  #drawLoss(): Exchange<Sync>["loses"] {
    const losing = this.#losing;
    if (losing !== undefined) {
      if (--losing.times === 0) this.#losing = undefined;
      return losing.what;
    }
    const { linkLoses, stream } = this.#phone;
    if (linkLoses === 1) return "request"; // nothing gets through
    if (linkLoses === 0 || !stream.chance(linkLoses)) return "nothing";
    return stream.chance(0.5) ? "request" : "response";
  }

  static #requestArrived(this: void, exchange: Exchange<Sync>): void {
    const { sync } = exchange;
    const phone = sync.#phone;
    sync.#requestsUnderWay--;
    if (exchange.epoch !== sync.#epoch || exchange.life !== phone.life) return;
    if (!phone.hasData) {
      if (sync.#current === exchange) {
        sync.#repeatOrEnd(exchange, noteDelay(exchange, "no-network", sync.#now));
      }
      return;
    }
    const answer = phone.context.ports.uplink(phone.channel, exchange.body);
    exchange.answer = answer;
    if (answer?.accepted === true) sync.#reports.markApplied(exchange.batch, answer.commands);
    else if (answer?.error === "server-error") sync.#reports.markFirstApplied(exchange.batch, answer.applied);
    if (sync.#current !== exchange) return;
    if (answer === undefined) return sync.#awaitTimeout(exchange);
    const { kernel } = phone.context;
    const arrivesAtMs = kernel.now + phone.latencyMs();
    if (exchange.loses === "response" || arrivesAtMs > exchange.timeoutAtMs) sync.#awaitTimeout(exchange);
    else if (exchange.timer?.done === true)
      kernel.reschedule(exchange.timer, arrivesAtMs - kernel.now, Sync.#answerArrived);
    else exchange.timer = kernel.at(arrivesAtMs, Sync.#answerArrived, exchange);
  }

  static #answerArrived(this: void, exchange: Exchange<Sync>): void {
    const { sync, answer } = exchange;
    const phone = sync.#phone;
    if (sync.#current !== exchange) return;
    if (!phone.hasData || answer === undefined) {
      return sync.#repeatOrEnd(exchange, noteFailure(exchange, "link-lost", sync.#now));
    }
    if (!answer.accepted && answer.error === "server-error") {
      // "Network Error": the answer is no JSON (docs/reference/handset.md#sync-errors)
      return sync.#repeatOrEnd(exchange, noteServiceFailure(exchange, answer.why, sync.#now));
    }
    if (!answer.accepted) {
      // "Time Wrong": the phone keeps all reports (docs/reference/handset.md#sync-errors)
      sync.#recordEnd(exchange, noteDelay(exchange, "clock-off", sync.#now));
      if (phone.has("resets-when-refused")) return phone.app.resetItself();
      return sync.#endExchange({ isGood: false });
    }
    if (sync.#isFirst && phone.has("answer-late")) {
      sync.#isFirst = false;
      sync.#recordEnd(exchange, noteFailure(exchange, "answer-late", sync.#now));
      return sync.#sendRequest(exchange.batch, exchange.body, {
        requestedAtMs: exchange.requestedAtMs,
        isRepeat: true,
      });
    }
    sync.#isFirst = false;
    sync.#lastMs = exchange.requestedAtMs;
    sync.#recordEnd(exchange, undefined);
    if (phone.has("answer-late")) {
      const late = sync.#lateCommands;
      sync.#lateCommands = answer.commands;
      noteFailure(exchange, "answer-late", sync.#now);
      sync.#applyCommands(exchange.batch, late);
    } else sync.#applyCommands(exchange.batch, answer.commands);
    sync.#poolExchange(exchange);
    sync.#endExchange({ isGood: true });
  }

  #applyCommands(batch: readonly KeptReport[], commands: readonly Command[]): void {
    let acknowledged = 0;
    for (const command of commands) {
      if (command.type === "send") this.#phone.app.acceptMessage(command.id, command.phone, command.text);
      else if (command.type !== "ack") this.#phone.app.registrationChanged(command);
      else {
        const kept = batch[command.report - 1];
        // With fault answer-late an ack may meet a report that the service has refused: the phone sends it again.
        if (kept === undefined || kept.isAcknowledged || !kept.isApplied) continue;
        kept.isAcknowledged = true;
        acknowledged++;
        this.#phone.app.acknowledged(kept.report);
      }
    }
    this.#reports.removeAcknowledged(batch, acknowledged);
  }

  /**
   * Fault answer-late: after a failed exchange the app applies the acknowledgements of the answer before it, to the
   * reports that now have their numbers. Those that the service never got are lost. A request that may still arrive
   * keeps its reports.
   */
  #acknowledgeWrongly(batch: readonly KeptReport[]): void {
    if (this.#requestsUnderWay > 0) return;
    let acknowledged = 0;
    for (const command of this.#lateCommands) {
      if (command.type !== "ack") continue;
      const kept = batch[command.report - 1];
      if (kept === undefined || kept.isAcknowledged) continue;
      kept.isAcknowledged = true;
      acknowledged++;
      if (kept.isApplied) this.#phone.app.acknowledged(kept.report);
      else this.#reports.loseAcknowledged(kept.report);
    }
    this.#reports.removeAcknowledged(batch, acknowledged);
  }

  #awaitTimeout(exchange: Exchange<Sync>): void {
    if (exchange.hasTimeout) return;
    exchange.hasTimeout = true;
    this.#phone.context.kernel.at(exchange.timeoutAtMs, Sync.#timedOut, exchange);
  }

  static #timedOut(this: void, exchange: Exchange<Sync>): void {
    // The timeout ends only the current exchange; an answer in transit never arrives after it.
    if (exchange.sync.#current !== exchange) return;
    exchange.sync.#repeatOrEnd(exchange, noteFailure(exchange, "sync-timeout", exchange.sync.#now));
  }

  static #portalAnswered(this: void, exchange: Exchange<Sync>): void {
    const { sync } = exchange;
    if (sync.#current === exchange) sync.#repeatOrEnd(exchange, noteDelay(exchange, "captive-portal", sync.#now));
  }

  /** Whether a probe of another server fails too. A captive portal answers it, so the app takes the link for good. */
  #probeFails(): boolean {
    const { hasData, linkLoses, hasPortal, stream } = this.#phone;
    if (!hasData) return true;
    return !hasPortal && linkLoses > 0 && stream.chance(linkLoses);
  }

  /** @param failedBy - why the exchange failed */
  #repeatOrEnd(exchange: Exchange<Sync>, failedBy: DelayReason): void {
    const phone = this.#phone;
    this.#recordEnd(exchange, failedBy);
    const { flipsNetwork, repeatsSync } = phone.profile;
    const isFlipping = !exchange.isRepeat && flipsNetwork && phone.canFlip && this.#probeFails();
    if (isFlipping) phone.flipLink();
    if (isFlipping || (repeatsSync && !exchange.isRepeat)) {
      this.#sendRequest(exchange.batch, exchange.body, { requestedAtMs: exchange.requestedAtMs, isRepeat: true });
      return;
    }
    if (phone.has("answer-late")) this.#acknowledgeWrongly(exchange.batch);
    this.#endExchange({ isGood: false });
  }

  /** @param failedBy - undefined when the answer was applied */
  #recordEnd(exchange: Exchange<Sync>, failedBy: DelayReason | undefined): void {
    (this.#last ??= new LastExchange()).record(exchange, failedBy, this.#now);
  }

  /** The current state of the syncs. */
  inspect(): SyncView {
    const current = this.#current;
    const poll = this.#pollTimer;
    const losing = this.#losing;
    return {
      current:
        current === undefined
          ? null
          : {
              requestedAtMs: current.requestedAtMs,
              timeoutAtMs: current.timeoutAtMs,
              isRepeat: current.isRepeat,
              reports: countReports(current.batch),
              isAnswered: current.answer !== undefined,
            },
      last: this.#last?.view() ?? null,
      nextPollAtMs: poll === undefined || poll.done ? null : poll.atMs,
      isWanted: this.#isWanted,
      isPushed: this.#isPushUnderWay || this.#hasHeldPush,
      putOffBy: this.#reports.syncDelayedBy ?? null,
      losing: losing === undefined ? null : { ...losing },
    };
  }

  /**
   * Runs the outbox, then starts the follow-up sync or the one requested during the exchange
   * (docs/reference/handset.md#sync-steps).
   */
  #endExchange({ isGood }: { readonly isGood: boolean }): void {
    const phone = this.#phone;
    const isWanted = this.#isWanted;
    const isForced = this.#isWantedForced;
    this.#current = undefined;
    this.#isWanted = false;
    this.#isWantedForced = false;
    phone.useSecondLink(false); // the next sync begins on the first link again
    phone.app.runOutbox();
    if (isGood && this.#reports.count > phone.profile.followUpAbove) this.requestSync({ forced: true });
    if (isWanted) this.requestSync({ forced: isForced });
  }

  static #pollDue(this: void, sync: Sync): void {
    const phone = sync.#phone;
    const { profile } = phone;
    const { kernel } = phone.context;
    if (sync.#pollTimer !== undefined) kernel.reschedule(sync.#pollTimer, profile.pollEveryMs, Sync.#pollDue);
    if (phone.isPaused) return;
    if (profile.togglesAirplane) (sync.#toggle ??= new AirplaneToggle(phone)).check(sync.#lastMs);
    if (phone.isDozing) {
      sync.#owesPoll = true;
      return;
    }
    if (profile.pollNeedsNetwork && !phone.hasData) sync.#owesPoll = true;
    else sync.requestSync({ forced: sync.#isPollForced() });
    if (profile.runsAtPoll && sync.#current === undefined) phone.app.runOutbox();
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

  /** Called when Doze begins or ends. */
  dozeChanged(): void {
    const phone = this.#phone;
    const { kernel } = phone.context;
    if (this.#windowTimer !== undefined) kernel.cancel(this.#windowTimer);
    this.#windowTimer = undefined;
    if (phone.isDozing) this.#windowTimer = kernel.in(phone.profile.dozeEveryMs, Sync.#windowDue, this);
    else this.#workAfterDoze();
  }

  /** A maintenance window of Doze: what was put off runs now. */
  static #windowDue(this: void, sync: Sync): void {
    const phone = sync.#phone;
    sync.#windowTimer = phone.context.kernel.in(phone.profile.dozeEveryMs, Sync.#windowDue, sync);
    sync.#workAfterDoze();
  }

  #workAfterDoze(): void {
    const isDue = this.#owesPoll;
    if (!this.#phone.isWorking) return;
    if (this.#phone.hasData) this.#owesPoll = false;
    if (isDue) this.requestSync({ forced: true, isUrgent: true });
    if (this.#current === undefined) this.#phone.app.runOutbox();
  }

  static #pushArrived(this: void, sync: Sync): void {
    const phone = sync.#phone;
    sync.#isPushUnderWay = false;
    if (!phone.isOn || !phone.hasData || phone.hasPortal) sync.#hasHeldPush = true;
    else {
      sync.#notePush();
      phone.app.wake();
      sync.requestSync({ forced: true, isUrgent: true });
    }
  }

  #notePush(): void {
    if (this.#firstPushMs === -Infinity) this.#firstPushMs = this.#phone.context.kernel.now;
  }
}

const noCommands: readonly Command[] = [];
