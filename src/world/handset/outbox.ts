import {
  partsOf,
  segmentsOf,
  addDelay,
  type CopyCause,
  type Delay,
  type DelayReason,
  type LostItem,
} from "../../wire/index.js";
import type { Incoming } from "../carrier/subscriber.js";
import { isRefusal, type SmsServiceState } from "../input.js";
import type { OutboxMessageView, OutboxView } from "./handset-view.js";
import { MessageHistory } from "./message-history.js";
import { causeOfCopy, type OutboxRow, type RowState, setState } from "./outbox-row.js";
import type { Phone } from "./phone.js";
import { Radio, type RadioAnswer } from "./radio.js";
import { SendRunner } from "./send-runner.js";
import { reportedId } from "./message-ids.js";
import type { WipeCause } from "./wipe-cause.js";

/** The network's report that a message has reached the person's phone. */
type Receipt = Omit<Extract<Incoming, { kind: "delivered" }>, "kind" | "held">;

/**
 * Messages between the service and the radio, and what the service learns of them
 * (docs/reference/handset.md#outgoing-messages). `acceptOffer` accepts a message of the service, the `SendRunner` hands
 * it to the radio, `#radioAnswered` reports it as sent, and `receiptArrived` as delivered.
 */
export class Outbox {
  readonly #phone: Phone;
  readonly #rows = new Map<number, OutboxRow>();
  readonly #history = new MessageHistory();
  readonly #radio: Radio;
  readonly #runner: SendRunner;
  /** Callbacks that came while the app was not running. Without fault callbacks-lost it hears them at its start. */
  #unheard: (() => void)[] = [];
  /**
   * Counts resets, and switch-offs with fault callbacks-lost: a delivery report for a message of an earlier epoch is
   * ignored.
   */
  #epoch = 0;

  constructor(phone: Phone) {
    this.#phone = phone;
    this.#radio = new Radio(phone, (row, answer) => this.#radioAnswered(row, answer));
    this.#runner = new SendRunner(phone, this.#radio);
  }

  /** Ids that wait for their first try, then those that wait for the radio's answer. */
  get pending(): readonly number[] {
    if (this.#runner.isEmpty) return noIds;
    const { born, waiting } = this.#runner;
    return [...born, ...waiting].map((row) => reportedId(this.#phone, row.id));
  }

  /** Ids whose last try failed and which wait for the next. */
  get retry(): readonly number[] {
    if (this.#runner.isEmpty) return noIds;
    const { born, retry } = this.#runner;
    const ghosts = born.some((row) => row.hasGhost) ? born.filter((row) => row.hasGhost) : [];
    if (retry.length === 0 && ghosts.length === 0) return noIds;
    return [...retry, ...ghosts].map((row) => reportedId(this.#phone, row.id));
  }

  /** Texts that the ledger counts as queued on the phone. */
  get openCount(): number {
    let count = 0;
    for (const row of this.#rows.values()) if (row.isOpen) count++;
    return count;
  }

  get pendingCount(): number {
    return this.#runner.isEmpty ? 0 : this.#runner.born.length + this.#runner.waiting.length;
  }

  get retryCount(): number {
    return this.#runner.isEmpty ? 0 : this.#runner.retry.length;
  }

  /**
   * The service has failed a message and queues it no longer: from now on only the phone counts it in the ledger.
   *
   * @returns false when the phone neither has nor had it; if its offer still arrives, it counts as a copy
   */
  disown(id: number): boolean {
    const row = this.#rows.get(id);
    if (row !== undefined) row.isResent = true;
    else if (!this.#history.isForgotten(id)) {
      this.#history.forget(id);
      return false;
    }
    return true;
  }

  /** Whether the phone has, or had, a message that may still be queued at the service. */
  holds(id: number): boolean {
    return this.#rows.has(id) || this.#history.isForgotten(id);
  }

  /** The messages, and when the send runner next runs. */
  inspect(): OutboxView {
    const { profile } = this.#phone;
    const { born, waiting, retry, nextAtMs } = this.#runner;
    const over = [...this.#rows.values()].filter(
      ({ state }) => state === "sent" || state === "delivered" || state === "failed",
    );
    return {
      messages: [...born, ...waiting, ...retry, ...over].map((row) => this.#viewOf(row)),
      nextPassAtMs: nextAtMs,
      triesMax: profile.retryWaitsMs.length + 1,
    };
  }

  #viewOf(row: OutboxRow): OutboxMessageView {
    const { id, to, text, segments, state, tries, acceptedAtMs, changedAtMs } = row;
    return { id, to, text, segments, state, tries, acceptedAtMs, changedAtMs, ...this.#runner.waitOf(row) };
  }

  /** Accepts a message that the service offers (docs/reference/handset.md#offers). */
  acceptOffer(id: number, to: string, text: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) this.#acceptUnknown(id, to, text);
    else if (row.state === "sent") this.#reportState("mt_sent", id, "offered-again");
    else if (row.state === "delivered") {
      this.#reportState("mt_sent", id, "offered-again");
      this.#reportState("mt_dlvd", id, "offered-again");
    } else if (row.state === "failed") this.#acceptFailed(row, text);
  }

  #acceptUnknown(id: number, to: string, text: string): void {
    const outcome = this.#history.outcomeOf(id);
    if (outcome !== undefined) {
      this.#reportState("mt_sent", id, "offered-again");
      if (outcome === "delivered") this.#reportState("mt_dlvd", id, "offered-again");
      return;
    }
    const isResent = this.#history.takeForgotten(id);
    if (isResent) this.#phone.context.tally.copy("texts", "resent");
    const row: OutboxRow = {
      id,
      to: /^\d{11,}$/.test(to) ? `+${to}` : to, // docs/reference/handset.md#offers
      text,
      segments: segmentsOf(text).count,
      state: "born",
      tries: 0,
      changedAtMs: this.#phone.context.kernel.now,
      isOpen: true,
      isAtRadio: false,
      hasGhost: false,
      isReportedEarly: false,
      isResent,
      acceptedAtMs: this.#phone.context.kernel.now,
      delays: undefined,
    };
    this.#rows.set(id, row);
    this.#runner.add(row);
  }

  #acceptFailed(row: OutboxRow, text: string): void {
    if (!this.#phone.has("failed-resend")) return this.#reportState("mt_fail", row.id);
    this.#phone.context.tally.copy("texts", "resent");
    row.text = text;
    row.tries = 0;
    row.isOpen = true;
    row.hasGhost = true;
    row.isResent = true;
    this.#setState(row, "born");
    this.#runner.add(row);
  }

  /**
   * One pass of the runner (docs/reference/handset.md#send-runner): unanswered rows first, then new messages, then due
   * retries.
   */
  runPass(): void {
    if (!this.#phone.isWorking) return this.#runner.beginHold();
    if (this.#phone.has("early-sent")) this.#reportEarly();
    this.#runner.sendNext();
  }

  /** Fault early-sent: reports unanswered messages as sent that the phone got more than `earlySentAfterMs` ago. */
  #reportEarly(): void {
    const untilMs = this.#phone.context.kernel.now - this.#phone.profile.earlySentAfterMs;
    for (const row of this.#runner.waiting.filter((one) => one.acceptedAtMs < untilMs)) {
      this.#runner.removeWaiting(row);
      this.#setState(row, "sent");
      row.isReportedEarly = true;
      if (!row.isAtRadio) this.#loseReportedEarly(row);
      this.#reportState("mt_sent", row.id, undefined, row);
      this.#phone.app.sync.requestSync({ forced: false });
    }
  }

  /** Counts a message as lost: it was reported as sent, but the radio never sent it and will not answer. */
  #loseReportedEarly(row: OutboxRow): void {
    if (!row.isReportedEarly || !row.isOpen) return;
    row.isOpen = false;
    this.#phone.context.tally.lost("texts", "early-sent", [this.#lostItem(row)]);
  }

  #lostItem({ id, to, text }: OutboxRow): LostItem {
    return { channel: this.#phone.channel, phone: to, text, message: id };
  }

  /** Handles the end of a text at the radio, which calls back unless its state is `silent` or `swallows`. */
  #radioAnswered(row: OutboxRow, { state, sentCount, isUnpaid }: RadioAnswer): void {
    const phone = this.#phone;
    row.isAtRadio = false;
    const isOnAir = state === "silent" || (state === "ok" && !isRefusal(phone.radio));
    if (isOnAir) {
      row.isOpen = false;
      phone.transmitText({ id: row.id, epoch: this.#epoch, to: row.to, text: row.text });
      row.text = "";
    } else if (sentCount > 0 && sentCount < row.segments) this.#transmitFragment(row, sentCount);
    if (state === "silent" || state === "swallows" || this.#isDeaf()) return this.#loseReportedEarly(row);
    const answer = isOnAir ? "ok" : isRefusal(state) ? state : phone.radio;
    const failedBy = this.#causeOf(answer, isUnpaid === true);
    if (phone.app.isRunning) this.#calledBack(row, answer, failedBy);
    else this.#unheard.push(() => this.#calledBack(row, answer, failedBy));
  }

  /** Why the radio refused a text; undefined: it did not, or its reason is not known. */
  #causeOf(answer: SmsServiceState, isUnpaid: boolean): DelayReason | undefined {
    if (isUnpaid) return "no-credit";
    if (answer === "no-service" && !this.#phone.hasSim) return "no-sim";
    return isRefusal(answer) ? answer : undefined;
  }

  /** Whether the app misses the callbacks that come now. */
  #isDeaf(): boolean {
    const { app, isPaused } = this.#phone;
    return (isPaused || !app.isOpened) && this.#phone.has("callbacks-lost");
  }

  /**
   * Handles the radio's callback.
   *
   * @param answer - `ok`: the text is on air
   * @param failedBy - why it is not, if that is known
   */
  #calledBack(row: OutboxRow, answer: SmsServiceState, failedBy: DelayReason | undefined): void {
    const { context, app } = this.#phone;
    if (row.state === "pending") this.#runner.removeWaiting(row);
    if (answer !== "ok") {
      const { now } = context.kernel;
      const at = { fromMs: now, untilMs: now };
      if (failedBy !== undefined) row.delays = addDelay(row.delays, { kind: "radio-failed", why: failedBy, ...at });
      return this.#tryFailed(row);
    }
    this.#setState(row, "sent");
    this.#reportState("mt_sent", row.id, causeOfCopy(row), row);
    app.sync.requestSync({ forced: false });
  }

  /** Puts the first segments of a failed text on air: the person gets them again with the next try. */
  #transmitFragment({ id, to, text }: OutboxRow, sentCount: number): void {
    this.#phone.context.tally.copy("texts", "part-failed");
    const sent = partsOf(text).slice(0, sentCount).join("");
    this.#phone.transmitText({ id, epoch: this.#epoch, to, text: sent, isFragment: true });
  }

  /** Schedules the next try, or reports the message as failed after the last try. */
  #tryFailed(row: OutboxRow): void {
    const phone = this.#phone;
    row.tries++;
    if (row.tries <= phone.profile.retryWaitsMs.length) return this.#runner.addRetry(row);
    this.#setState(row, "failed");
    row.isOpen = false;
    row.text = "";
    phone.context.tally.failed("texts");
    this.#reportState("mt_fail", row.id, undefined, row);
    phone.app.sync.requestSync({ forced: false });
  }

  /** Handles the network's report that a text has reached the person's phone. */
  receiptArrived(receipt: Receipt, delays: Delay[] | undefined): void {
    const { id, epoch, isFurther } = receipt;
    const phone = this.#phone;
    const { app } = phone;
    if (epoch !== this.#epoch || this.#isDeaf()) return;
    if (!app.isRunning) {
      this.#unheard.push(() => this.receiptArrived(receipt, delays));
      return;
    }
    // Without fault delivered-per-part the app waits for one delivery report of a message, even of several segments.
    if (!app.isOpened || (isFurther && !phone.has("delivered-per-part"))) return;
    const row = this.#rows.get(id);
    if (row?.state === "sent") this.#setState(row, "delivered");
    this.#history.markDelivered(id);
    const cause = row === undefined ? undefined : causeOfCopy(row);
    this.#reportState("mt_dlvd", id, isFurther ? "part-reported" : cause, { delays });
    app.sync.requestSync({ forced: false });
  }

  /** Handles the service's acknowledgement of a final report. */
  acknowledged(type: "mt_sent" | "mt_dlvd" | "mt_fail", id: number): void {
    const row = this.#rows.get(id);
    if (row === undefined || row.isOpen || type === "mt_dlvd") return;
    if (type === "mt_fail") {
      if (row.state !== "failed") return;
      this.#rows.delete(id);
      this.#history.forget(id);
      return;
    }
    if (row.state !== "sent" && row.state !== "delivered") return;
    this.#rows.delete(id);
    const isDelivered = row.state === "delivered" && !this.#phone.has("regress-after-delivered");
    this.#history.add(id, { isDelivered, countMax: this.#phone.profile.historyRows });
  }

  /** Called when the app's process ends: the radio continues to send, but the app hears no callbacks. */
  appStopped(): void {
    this.#runner.stop();
  }

  /** Called when the app works again after a stop. */
  appStarted(): void {
    const unheard = this.#unheard;
    this.#unheard = [];
    for (const callback of unheard) callback();
  }

  switchedOff(): void {
    this.appStopped();
    const isLost = this.#phone.has("callbacks-lost");
    // The radio's answers are lost. A phone without fault callbacks-lost counts each as a failed try.
    this.#radio.clear();
    if (isLost) this.#epoch++; // no delivery report comes after it (docs/reference/handset.md#restart-pause-and-reset)
    for (const row of this.#rows.values()) {
      if (!row.isAtRadio) continue;
      row.isAtRadio = false;
      if (isLost) this.#loseReportedEarly(row);
      else {
        this.#runner.removeWaiting(row);
        this.#tryFailed(row);
      }
    }
  }

  /**
   * Empties the table (docs/reference/handset.md#restart-pause-and-reset). From now on only the service has an open
   * message, as queued; one that it has disowned is lost. All other ids are kept as forgotten, so that a message
   * offered again counts as a copy.
   */
  wipe(cause: WipeCause): void {
    this.#radio.clear();
    this.#unheard = [];
    for (const row of this.#rows.values()) {
      if (row.isOpen && !row.isReportedEarly && !row.isResent) continue;
      if (row.isOpen) this.#phone.context.tally.lost("texts", cause, [this.#lostItem(row)]);
      this.#history.forget(row.id);
    }
    this.#history.forgetAll();
    this.#rows.clear();
    this.#runner.clear();
    this.#epoch++;
  }

  /**
   * @param causeOfCopy - why this report may repeat an earlier one
   * @param row - source of the acceptance time and of the delays, which move to the report; absent when unknown
   */
  #reportState(
    type: "mt_sent" | "mt_dlvd" | "mt_fail",
    id: number,
    causeOfCopy?: CopyCause,
    row?: Partial<Pick<OutboxRow, "acceptedAtMs" | "delays">>,
  ): void {
    this.#phone.app.reports.keep(
      { type, id: reportedId(this.#phone, id), timeMs: this.#phone.clockMs },
      {
        beganAtMs: row?.acceptedAtMs,
        causeOfCopy,
        delays: row?.delays,
      },
    );
    if (row !== undefined) row.delays = undefined;
  }

  #setState(row: OutboxRow, state: RowState): void {
    setState(row, state, this.#phone.context.kernel.now);
  }
}

const noIds: readonly number[] = [];
