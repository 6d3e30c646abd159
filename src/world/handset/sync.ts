import { sampleWhole, type SimTime, type Timer } from "../../sim/index.js";
import type { SyncReport } from "../../wire/index.js";
import { AirplaneToggle } from "./airplane-toggle.js";
import { reportsOf } from "./exchange.js";
import { ExchangeRunner } from "./exchange-runner.js";
import type { SyncView } from "./handset-view.js";
import type { KeptReports } from "./kept-reports.js";
import type { Phone } from "./phone.js";
import { PreferredLink } from "./preferred-link.js";
import type { WipeCause } from "./wipe-cause.js";

/** The first poll comes within this time after the app starts (docs/reference/handset.md#numbers). */
const FIRST_POLL_MS = 5_000;

/**
 * When the phone syncs with the service (docs/reference/handset.md#syncs): polls, pushes, new reports, a link that
 * returns, the maintenance windows of Doze. `requestSync` starts an exchange with a batch of `KeptReports`, which the
 * `ExchangeRunner` carries out. One exchange runs at a time; requests made meanwhile merge into one after it.
 */
export class Sync {
  readonly #phone: Phone;
  readonly #reports: KeptReports;
  readonly #exchanges: ExchangeRunner;
  #isWanted = false;
  #isWantedForced = false;
  #pollTimer: Timer | undefined;
  /** A sync is due that waits for the data link, or for the next maintenance window of Doze. */
  #owesPoll = false;
  /** The next maintenance window, while the phone dozes. */
  #windowTimer: Timer | undefined;
  #isPushUnderWay = false;
  #hasHeldPush = false;
  #firstPushMs: SimTime = -Infinity;
  /** Only with the profile's `togglesAirplane`. */
  #toggle: AirplaneToggle | undefined;
  /** Only with the profile's `prefersNetwork`. */
  #preferred: PreferredLink | undefined;

  constructor(phone: Phone, reports: KeptReports) {
    this.#phone = phone;
    this.#reports = reports;
    this.#exchanges = new ExchangeRunner(phone, reports, (isGood) => this.#exchangeEnded(isGood));
  }

  /** @param afterMs - time to the first poll; default: drawn from 0 to `FIRST_POLL_MS` */
  startPolling(afterMs?: number): void {
    if (this.#pollTimer !== undefined) return;
    const { context, stream } = this.#phone;
    this.#pollTimer = context.kernel.in(afterMs ?? stream.int(0, FIRST_POLL_MS), Sync.#pollDue, this);
  }

  /** Makes the next `times` exchanges lose their request or their answer; 0 for none. */
  loseExchanges(what: "request" | "response", times: number): void {
    this.#exchanges.loseExchanges(what, times);
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
    this.#stop("switched-off");
  }

  /** Called when the app's process ends: a request that is under way never arrives. */
  appStopped(): void {
    this.#stop("app-stopped");
  }

  #stop(why: "switched-off" | "app-stopped"): void {
    this.#exchanges.stop(why);
    if (this.#pollTimer !== undefined) this.#phone.context.kernel.cancel(this.#pollTimer);
    this.#pollTimer = undefined;
    this.#owesPoll = false;
    this.#isWanted = false;
    this.#isWantedForced = false;
    this.#phone.useSecondLink(false);
    this.#preferred?.stop();
  }

  /** Removes all reports and abandons the exchange under way. */
  wipe(cause: WipeCause): void {
    this.#reports.wipe(cause);
    this.#exchanges.abandon();
    this.#isWanted = false;
    this.#isWantedForced = false;
  }

  /** Starts a sync, or postpones it (docs/reference/handset.md#sync-triggers, docs/reference/handset.md#sync-steps). */
  requestSync({ forced: isForced, isUrgent }: { readonly forced: boolean; readonly isUrgent?: boolean }): void {
    const phone = this.#phone;
    const reports = this.#reports;
    const { registration, isClaimed } = phone.app;
    // A phone that is not claimed syncs at each trigger (docs/reference/handset.md#registration).
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
    if (this.#exchanges.isBusy) {
      reports.syncDelayedBy ??= "sync-under-way";
      this.#isWanted = true;
      this.#isWantedForced ||= forced;
      return;
    }
    const { now } = phone.context.kernel;
    const { quietFrom, quietMs, batch: batchSize } = phone.profile;
    if (!forced && reports.count === 0) return;
    if (forced && reports.count >= quietFrom && now - this.#exchanges.lastGoodMs < quietMs) {
      reports.syncDelayedBy ??= "quiet-time";
      return;
    }
    if (phone.profile.prefersNetwork !== "none" && !this.#prepareLink(forced)) return;
    const batch = reports.batch(batchSize);
    const body: SyncReport = {
      clockAtMs: phone.clockMs,
      status: phone.status(),
      registration,
      reports: reportsOf(batch),
      origins: batch,
    };
    reports.noteFirstTry(batch);
    this.#exchanges.start(batch, body);
  }

  /** Changes to the kind of link that the app prefers, or waits for it. @returns whether a sync can start now */
  #prepareLink(forced: boolean): boolean {
    this.#preferred ??= new PreferredLink(this.#phone, (isForced) => {
      // Urgent, because Doze does not stop a sync that began before it and has waited for its link.
      this.requestSync({ forced: isForced, isUrgent: true });
    });
    if (this.#preferred.prepare(forced)) return true;
    this.#reports.syncDelayedBy = "preferred-network";
    return false;
  }

  /** Called when the phone's links have changed. */
  linksChanged(): void {
    this.#preferred?.linksChanged();
  }

  /** The current state of the syncs. */
  inspect(): SyncView {
    const poll = this.#pollTimer;
    const { current, last, losing } = this.#exchanges.inspect();
    return {
      current,
      last,
      nextPollAtMs: poll === undefined || poll.done ? null : poll.atMs,
      isWanted: this.#isWanted,
      isPushed: this.#isPushUnderWay || this.#hasHeldPush,
      putOffBy: this.#reports.syncDelayedBy ?? null,
      losing,
    };
  }

  /**
   * Runs the outbox, then starts the follow-up sync or the one requested during the exchange
   * (docs/reference/handset.md#sync-steps).
   */
  #exchangeEnded(isGood: boolean): void {
    const phone = this.#phone;
    const isWanted = this.#isWanted;
    const isForced = this.#isWantedForced;
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
    if (profile.togglesAirplane) (sync.#toggle ??= new AirplaneToggle(phone)).check(sync.#exchanges.lastGoodMs);
    if (phone.isDozing) {
      sync.#owesPoll = true;
      return;
    }
    if (profile.pollNeedsNetwork && !phone.hasData) sync.#owesPoll = true;
    else sync.requestSync({ forced: sync.#isPollForced() });
    if (profile.runsAtPoll && !sync.#exchanges.isBusy) phone.app.runOutbox();
  }

  #isPollForced(): boolean {
    const { profile, activeAtMs, context } = this.#phone;
    const { now } = context.kernel;
    return (
      now - this.#exchanges.lastGoodMs >= profile.pollIdleMs ||
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

  /** A maintenance window of Doze: the app does the work that Doze has delayed. */
  static #windowDue(this: void, sync: Sync): void {
    const phone = sync.#phone;
    sync.#windowTimer = phone.context.kernel.in(phone.profile.dozeEveryMs, Sync.#windowDue, sync);
    sync.#workAfterDoze();
  }

  /** Starts the sync that is due, and sends messages. */
  #workAfterDoze(): void {
    const isDue = this.#owesPoll;
    if (!this.#phone.isWorking) return;
    if (this.#phone.hasData) this.#owesPoll = false;
    if (isDue) this.requestSync({ forced: true, isUrgent: true });
    if (!this.#exchanges.isBusy) this.#phone.app.runOutbox();
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
