import type { SimTime } from "../../sim/index.js";
import type { Command, DelayReason, SyncReport } from "../../wire/index.js";
import { clearExchange, emptyExchange, type Exchange, noteDelay, noteFailure, noteServiceFailure } from "./exchange.js";
import type { SyncView } from "./handset-view.js";
import type { KeptReport, KeptReports } from "./kept-reports.js";
import { countReports, LastExchange } from "./last-exchange.js";
import type { Phone } from "./phone.js";

/**
 * The exchange with the service that is under way, from the request to the end of the sync, and how it fails
 * (docs/reference/handset.md#sync-steps): `start` → `#requestArrived` (the service answers) → `#answerArrived` →
 * `#applyCommands`. The app may repeat a failed exchange once. At the end it calls `onEnd`, also after a failure; but
 * not for an exchange that was stopped or abandoned.
 */
export class ExchangeRunner {
  readonly #phone: Phone;
  readonly #reports: KeptReports;
  readonly #onEnd: (isGood: boolean) => void;
  #current: Exchange<ExchangeRunner> | undefined;
  #lastGoodMs: SimTime = -Infinity;
  /** Requests that have left and not arrived, also those whose exchange is over. */
  #requestsUnderWay = 0;
  #losing: { readonly what: "request" | "response"; times: number } | undefined;
  /** Fault answer-late: the commands of the previous answer. */
  #lateCommands: readonly Command[] = noCommands;
  /** No answer has come since the app started. Fault answer-late posts the first request twice. */
  #isFirst = true;
  /** Counts resets and stops of the app: a request of an earlier epoch never arrives. */
  #epoch = 0;
  /** Object pool of one: the last exchange, once nothing else refers to it. A phone makes millions of them in a run. */
  #pooled: Exchange<ExchangeRunner> | undefined;
  #last: LastExchange | undefined;

  /** @param onEnd - called at the end of each exchange; `isGood`: its answer was applied */
  constructor(phone: Phone, reports: KeptReports, onEnd: (isGood: boolean) => void) {
    this.#phone = phone;
    this.#reports = reports;
    this.#onEnd = onEnd;
  }

  get #now(): SimTime {
    return this.#phone.context.kernel.now;
  }

  /** Whether an exchange is under way. */
  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** When the last exchange was requested whose answer was applied; -Infinity: none was. */
  get lastGoodMs(): SimTime {
    return this.#lastGoodMs;
  }

  /** Makes the next `times` exchanges lose their request or their answer; 0 for none. */
  loseExchanges(what: "request" | "response", times: number): void {
    this.#losing = times > 0 ? { what, times } : undefined;
  }

  /** Starts an exchange. The caller makes sure that none is under way. */
  start(batch: readonly KeptReport[], body: SyncReport): void {
    this.#sendRequest(batch, body, { requestedAtMs: this.#now, isRepeat: false });
  }

  /** Ends the exchange under way as failed: the phone is off, or the app does not run. */
  stop(why: "switched-off" | "app-stopped"): void {
    if (this.#current !== undefined) this.#recordEnd(this.#current, noteFailure(this.#current, why, this.#now));
    this.#current = undefined;
    this.#lateCommands = noCommands;
    this.#isFirst = true;
    // A request of an app that has ended never arrives.
    if (why === "app-stopped") this.#epoch++;
  }

  /** Forgets the exchange under way, whose request never arrives. */
  abandon(): void {
    this.#lateCommands = noCommands;
    this.#epoch++;
    this.#current = undefined;
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
      kernel.in(phone.latencyMs(), ExchangeRunner.#portalAnswered, exchange);
    } else if (exchange.loses === "request") this.#awaitTimeout(exchange);
    else {
      const latencyMs = phone.latencyMs();
      this.#requestsUnderWay++;
      if (exchange.timer !== undefined) kernel.reschedule(exchange.timer, latencyMs, ExchangeRunner.#requestArrived);
      else exchange.timer = kernel.in(latencyMs, ExchangeRunner.#requestArrived, exchange);
      // A request that takes longer than the phone waits still reaches the service.
      if (latencyMs > phone.profile.syncTimeoutMs) this.#awaitTimeout(exchange);
    }
  }

  #drawLoss(): Exchange<ExchangeRunner>["loses"] {
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

  static #requestArrived(this: void, exchange: Exchange<ExchangeRunner>): void {
    const { runner } = exchange;
    const phone = runner.#phone;
    runner.#requestsUnderWay--;
    if (exchange.epoch !== runner.#epoch || exchange.life !== phone.life) return;
    if (!phone.hasData) {
      if (runner.#current === exchange) {
        runner.#repeatOrEnd(exchange, noteDelay(exchange, "no-network", runner.#now));
      }
      return;
    }
    const answer = phone.context.ports.uplink(phone.channel, exchange.body);
    exchange.answer = answer;
    if (answer?.accepted === true) runner.#reports.markApplied(exchange.batch, answer.commands);
    else if (answer?.error === "server-error") runner.#reports.markFirstApplied(exchange.batch, answer.applied);
    if (runner.#current !== exchange) return;
    if (answer === undefined) return runner.#awaitTimeout(exchange);
    const { kernel } = phone.context;
    const arrivesAtMs = kernel.now + phone.latencyMs();
    if (exchange.loses === "response" || arrivesAtMs > exchange.timeoutAtMs) runner.#awaitTimeout(exchange);
    else if (exchange.timer?.done === true)
      kernel.reschedule(exchange.timer, arrivesAtMs - kernel.now, ExchangeRunner.#answerArrived);
    else exchange.timer = kernel.at(arrivesAtMs, ExchangeRunner.#answerArrived, exchange);
  }

  static #answerArrived(this: void, exchange: Exchange<ExchangeRunner>): void {
    const { runner, answer } = exchange;
    const phone = runner.#phone;
    if (runner.#current !== exchange) return;
    if (!phone.hasData || answer === undefined) {
      return runner.#repeatOrEnd(exchange, noteFailure(exchange, "link-lost", runner.#now));
    }
    if (!answer.accepted && answer.error === "server-error") {
      // "Network Error": the answer is no JSON (docs/reference/handset.md#sync-errors)
      return runner.#repeatOrEnd(exchange, noteServiceFailure(exchange, answer.why, runner.#now));
    }
    if (!answer.accepted) {
      // "Time Wrong": the phone keeps all reports (docs/reference/handset.md#sync-errors)
      runner.#recordEnd(exchange, noteDelay(exchange, "clock-off", runner.#now));
      if (phone.has("resets-when-refused")) return phone.app.resetItself();
      return runner.#endExchange(false);
    }
    if (runner.#isFirst && phone.has("answer-late")) {
      runner.#isFirst = false;
      runner.#recordEnd(exchange, noteFailure(exchange, "answer-late", runner.#now));
      return runner.#sendRequest(exchange.batch, exchange.body, {
        requestedAtMs: exchange.requestedAtMs,
        isRepeat: true,
      });
    }
    runner.#isFirst = false;
    runner.#lastGoodMs = exchange.requestedAtMs;
    runner.#recordEnd(exchange, undefined);
    if (phone.has("answer-late")) {
      const late = runner.#lateCommands;
      runner.#lateCommands = answer.commands;
      noteFailure(exchange, "answer-late", runner.#now);
      runner.#applyCommands(exchange.batch, late);
    } else runner.#applyCommands(exchange.batch, answer.commands);
    runner.#poolExchange(exchange);
    runner.#endExchange(true);
  }

  #applyCommands(batch: readonly KeptReport[], commands: readonly Command[]): void {
    let acknowledged = 0;
    for (const command of commands) {
      if (command.type === "send") this.#phone.app.acceptMessage(command.id, command.phone, command.text);
      else if (command.type !== "ack") this.#phone.app.registrationChanged(command);
      else {
        const kept = batch[command.report - 1];
        // With fault answer-late an ack may name a report that the service has not applied: the phone keeps that one.
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
   * reports that now have their numbers. Those that the service never got are lost. While a request may still arrive,
   * it applies none.
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

  #awaitTimeout(exchange: Exchange<ExchangeRunner>): void {
    if (exchange.hasTimeout) return;
    exchange.hasTimeout = true;
    this.#phone.context.kernel.at(exchange.timeoutAtMs, ExchangeRunner.#timedOut, exchange);
  }

  static #timedOut(this: void, exchange: Exchange<ExchangeRunner>): void {
    // The timeout ends only the current exchange; an answer in transit never arrives after it.
    if (exchange.runner.#current !== exchange) return;
    exchange.runner.#repeatOrEnd(exchange, noteFailure(exchange, "sync-timeout", exchange.runner.#now));
  }

  static #portalAnswered(this: void, exchange: Exchange<ExchangeRunner>): void {
    const { runner } = exchange;
    if (runner.#current === exchange) runner.#repeatOrEnd(exchange, noteDelay(exchange, "captive-portal", runner.#now));
  }

  /** Draws whether the app's probe of another server fails too. A captive portal answers it, so the link seems good. */
  #probeFails(): boolean {
    const { hasData, linkLoses, hasPortal, stream } = this.#phone;
    if (!hasData) return true;
    return !hasPortal && linkLoses > 0 && stream.chance(linkLoses);
  }

  /** @param failedBy - why the exchange failed */
  #repeatOrEnd(exchange: Exchange<ExchangeRunner>, failedBy: DelayReason): void {
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
    this.#endExchange(false);
  }

  /** @param failedBy - undefined when the answer was applied */
  #recordEnd(exchange: Exchange<ExchangeRunner>, failedBy: DelayReason | undefined): void {
    (this.#last ??= new LastExchange()).record(exchange, failedBy, this.#now);
  }

  /** Pools an exchange whose answer is applied, unless its timeout timer still refers to it. */
  #poolExchange(exchange: Exchange<ExchangeRunner>): void {
    if (exchange.hasTimeout) return;
    clearExchange(exchange);
    this.#pooled = exchange;
  }

  #endExchange(isGood: boolean): void {
    this.#current = undefined;
    this.#onEnd(isGood);
  }

  /** The exchange under way, the last one that ended, and those that will be lost. */
  inspect(): Pick<SyncView, "current" | "last" | "losing"> {
    const current = this.#current;
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
      losing: losing === undefined ? null : { ...losing },
    };
  }
}

const noCommands: readonly Command[] = [];
