import { type SimTime, type Timer } from "../../sim/index.js";
import { addDelay, type CopyCause, type Delay, type DelayReason, type LostItem } from "../../wire/index.js";
import type { Incoming } from "../carrier.js";
import { isRefusal, type SmsServiceState } from "../input.js";
import type { OutboxMessageView, OutboxView } from "./handset-view.js";
import { MessageHistory } from "./message-history.js";
import { causeOfCopy, type OutboxRow, type RowState } from "./outbox-row.js";
import type { Phone } from "./phone.js";
import { Radio, type RadioAnswer } from "./radio.js";
import { partsOf, segmentsOf } from "./segments.js";
import { SendLimit } from "./send-limit.js";
import { reportedId } from "./message-ids.js";
import type { WipeCause } from "./wipe-cause.js";

/** The network's report that a message has reached the person's phone. */
type Receipt = Omit<Extract<Incoming, { kind: "delivered" }>, "kind" | "held">;

/**
 * Messages between the service and the radio: the pending and the retry list, ten tries, the send limit
 * (docs/reference/handset.md#outgoing-messages). `acceptOffer` accepts a message of the service, `#handToRadio` sends
 * it, `#radioAnswered` reports it as sent, and `receiptArrived` as delivered.
 */
export class Outbox {
  readonly #phone: Phone;
  readonly #rows = new Map<number, OutboxRow>();
  /** Never tried, oldest first. */
  #born: OutboxRow[] = [];
  /** Handed to the radio, which has not answered. */
  #waiting: OutboxRow[] = [];
  /** Waiting for their next try. */
  #retry: OutboxRow[] = [];
  readonly #history = new MessageHistory();
  #limit: SendLimit | undefined;
  readonly #radio: Radio;
  /** Callbacks that came while the app was not running. Without fault callbacks-lost it hears them at its start. */
  #unheard: (() => void)[] = [];
  #lastHandOverMs: SimTime = -Infinity;
  #timer: Timer | undefined;
  /**
   * Counts resets, and switch-offs with fault callbacks-lost: a delivery report for a message of an earlier epoch is
   * ignored.
   */
  #epoch = 0;
  /** Why messages last waited although nothing else came first, and until when: the reason of their delays. */
  #hold: { readonly why: DelayReason; untilMs: SimTime } | undefined;

  constructor(phone: Phone) {
    this.#phone = phone;
    this.#radio = new Radio(phone, (row, answer) => this.#radioAnswered(row, answer));
  }

  /** Ids that wait for their first try, then those that wait for the radio's answer. */
  get pending(): readonly number[] {
    if (this.#born.length === 0 && this.#waiting.length === 0) return noIds;
    return [...this.#born, ...this.#waiting].map((row) => reportedId(this.#phone, row.id));
  }

  /** Ids whose last try failed and which wait for the next. */
  get retry(): readonly number[] {
    const ghosts = this.#born.some((row) => row.hasGhost) ? this.#born.filter((row) => row.hasGhost) : [];
    if (this.#retry.length === 0 && ghosts.length === 0) return noIds;
    return [...this.#retry, ...ghosts].map((row) => reportedId(this.#phone, row.id));
  }

  /** Texts that the ledger counts as queued on the phone. */
  get openCount(): number {
    let count = 0;
    for (const row of this.#rows.values()) if (row.isOpen) count++;
    return count;
  }

  get pendingCount(): number {
    return this.#born.length + this.#waiting.length;
  }

  get retryCount(): number {
    return this.#retry.length;
  }

  /**
   * The service no longer queues a message: from now on only the phone accounts for it.
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
    const over = [...this.#rows.values()].filter(
      ({ state }) => state === "sent" || state === "delivered" || state === "failed",
    );
    return {
      messages: [...this.#born, ...this.#waiting, ...this.#retry, ...over].map((row) => this.#viewOf(row)),
      nextPassAtMs: this.#timer?.atMs ?? null,
      triesMax: profile.retryWaitsMs.length + 1,
    };
  }

  #viewOf(row: OutboxRow): OutboxMessageView {
    const { id, to, text, segments, state, tries, acceptedAtMs, changedAtMs } = row;
    return { id, to, text, segments, state, tries, acceptedAtMs, changedAtMs, ...this.#waitOf(row) };
  }

  /** Why a message waits, and until when if known. */
  #waitOf(row: OutboxRow): Pick<OutboxMessageView, "waitsFor" | "untilMs"> {
    const { now } = this.#phone.context.kernel;
    if (row.state === "pending") return { waitsFor: "radio", untilMs: this.#radio.answersAtMs(row) };
    if (row.state !== "born" && row.state !== "retry") return { waitsFor: "acknowledgement", untilMs: null };
    const dueAtMs = row.state === "retry" ? this.#dueAtMs(row) : now;
    if (dueAtMs > now) return { waitsFor: "retry-wait", untilMs: dueAtMs };
    if (!this.#phone.isWorking) return { waitsFor: "blocked", untilMs: null };
    const roomAtMs = this.#sendLimit()?.roomAtMs(row.segments, now) ?? now;
    if (roomAtMs > now) return { waitsFor: "send-limit", untilMs: roomAtMs === Infinity ? null : roomAtMs };
    const gapEndsMs = this.#lastHandOverMs + this.#phone.profile.sendGapMs;
    if (gapEndsMs > now) return { waitsFor: "gap", untilMs: gapEndsMs };
    return { waitsFor: "runner", untilMs: this.#timer?.atMs ?? null };
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
    this.#born.push(row);
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
    this.#born.push(row);
  }

  /**
   * One pass of the runner (docs/reference/handset.md#send-runner): unanswered rows first, then new messages, then due
   * retries.
   */
  runPass(): void {
    if (!this.#phone.isWorking) return this.#beginHold(this.#phone.blockedBy);
    if (this.#phone.has("early-sent")) this.#reportEarly();
    this.#sendNext();
  }

  /** Fault early-sent: reports messages as sent when the radio has not answered for too long. */
  #reportEarly(): void {
    const untilMs = this.#phone.context.kernel.now - this.#phone.profile.earlySentAfterMs;
    for (const row of this.#waiting.filter((one) => one.acceptedAtMs < untilMs)) {
      this.#removeFrom(this.#waiting, row);
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

  /** Hands the next sendable message to the radio, if there is one, then schedules the next pass. */
  #sendNext(): void {
    const { kernel } = this.#phone.context;
    if (this.#timer !== undefined) kernel.cancel(this.#timer);
    this.#timer = undefined;
    if (this.#born.length === 0 && this.#retry.length === 0) return;
    const gapEndsMs = this.#lastHandOverMs + this.#phone.profile.sendGapMs;
    const life = this.#phone.life;
    if (kernel.now >= gapEndsMs) {
      const row = this.#claimSendable();
      if (row !== undefined) {
        if (this.#hold?.untilMs === Infinity) this.#hold.untilMs = kernel.now;
        this.#handToRadio(row);
      }
      if (this.#phone.life !== life) return;
    }
    this.#scheduleNext();
  }

  #scheduleNext(): void {
    const { profile, context } = this.#phone;
    const { now } = context.kernel;
    let fewest = Infinity;
    let nextDueMs = Infinity;
    for (const row of this.#born) fewest = Math.min(fewest, row.segments);
    for (const row of this.#retry) {
      const dueAtMs = this.#dueAtMs(row);
      if (dueAtMs <= now) fewest = Math.min(fewest, row.segments);
      else nextDueMs = Math.min(nextDueMs, dueAtMs);
    }
    const roomAtMs = fewest === Infinity ? Infinity : (this.#sendLimit()?.roomAtMs(fewest, now) ?? now);
    if (fewest !== Infinity && roomAtMs > now) this.#beginHold("send-limit");
    const isOnTime = profile.retriesOnTime && !this.#phone.isDozing;
    if (!isOnTime && roomAtMs > now) return; // the next pass checks again
    const atMs = Math.max(Math.min(roomAtMs, nextDueMs), this.#lastHandOverMs + profile.sendGapMs);
    if (atMs !== Infinity) this.#timer = context.kernel.at(atMs, Outbox.#sendDue, this);
  }

  /** Notes why the messages that were not tried yet wait. */
  #beginHold(why: DelayReason | undefined): void {
    if (why === undefined || this.#born.length === 0) return;
    if (this.#hold?.untilMs !== Infinity || this.#hold.why !== why) this.#hold = { why, untilMs: Infinity };
  }

  static #sendDue(this: void, outbox: Outbox): void {
    outbox.#timer = undefined;
    if (outbox.#phone.isWorking) outbox.#sendNext();
    else outbox.#beginHold(outbox.#phone.blockedBy);
  }

  #dueAtMs(row: OutboxRow): SimTime {
    const { retryWaitsMs, retryEarlyMs } = this.#phone.profile;
    return row.changedAtMs + Math.max(0, (retryWaitsMs[row.tries - 1] ?? 0) - retryEarlyMs);
  }

  /** The next sendable message; counts it against the send limit. */
  #claimSendable(): OutboxRow | undefined {
    const { now } = this.#phone.context.kernel;
    const limit = this.#sendLimit();
    let tooMany = Infinity; // fewest segments that exceed the room of every package
    for (const list of [this.#born, this.#retry]) {
      for (const row of list) {
        if (row.segments >= tooMany || (list === this.#retry && this.#dueAtMs(row) > now)) continue;
        if (limit === undefined || limit.countSend(row.segments, now)) return row;
        tooMany = row.segments;
      }
    }
    return undefined;
  }

  #sendLimit(): SendLimit | undefined {
    const { packs, packLimit, packWindowMs } = this.#phone.profile;
    if (packs === undefined) return undefined;
    const counted = this.#phone.has("packs-uncounted") ? packs - 1 : packs;
    return (this.#limit ??= new SendLimit({ packs: counted, limit: packLimit, windowMs: packWindowMs }));
  }

  #handToRadio(row: OutboxRow): void {
    const phone = this.#phone;
    const { now } = phone.context.kernel;
    const { acceptedAtMs } = row;
    if (row.state === "born" && row.tries === 0 && now > acceptedAtMs) {
      const why = this.#hold !== undefined && acceptedAtMs < this.#hold.untilMs ? this.#hold.why : null;
      row.delays = addDelay(row.delays, { kind: "outbox", why, fromMs: acceptedAtMs, untilMs: now });
    }
    this.#removeFrom(row.state === "born" ? this.#born : this.#retry, row);
    this.#setState(row, "pending");
    this.#waiting.push(row);
    this.#lastHandOverMs = now;
    row.hasGhost = false;
    row.isAtRadio = true;
    this.#radio.handOver(row);
    phone.drain(phone.profile.drainPerText * row.segments);
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

  /** Why the radio refuses a text. */
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
    if (row.state === "pending") this.#removeFrom(this.#waiting, row);
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
    if (row.tries <= phone.profile.retryWaitsMs.length) {
      this.#setState(row, "retry");
      this.#retry.push(row);
      if (phone.profile.retriesOnTime && phone.isWorking) this.#sendNext();
      return;
    }
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
    // The app waits for one delivery report of a message, however many segments it has.
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

  /** Called when the app's process ends: the radio sends on, but nobody hears its callbacks. */
  appStopped(): void {
    if (this.#timer !== undefined) this.#phone.context.kernel.cancel(this.#timer);
    this.#timer = undefined;
    this.#beginHold(this.#phone.blockedBy);
    this.#limit = undefined; // the app counts sends in memory only (docs/reference/handset.md#send-runner)
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
    if (isLost) this.#epoch++; // no delivery report comes after a shutdown (#restart-pause-and-reset)
    for (const row of this.#rows.values()) {
      if (!row.isAtRadio) continue;
      row.isAtRadio = false;
      if (isLost) this.#loseReportedEarly(row);
      else {
        this.#removeFrom(this.#waiting, row);
        this.#tryFailed(row);
      }
    }
  }

  /**
   * Empties the table (docs/reference/handset.md#restart-pause-and-reset). From now on only the service has an open
   * message, as queued; one that it has disowned is lost. All other ids are kept as forgotten, so that a message offered
   * again counts as a copy.
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
    this.#born = [];
    this.#waiting = [];
    this.#retry = [];
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
    row.state = state;
    row.changedAtMs = this.#phone.context.kernel.now;
  }

  #removeFrom(list: OutboxRow[], row: OutboxRow): void {
    const index = list.indexOf(row);
    if (index !== -1) list.splice(index, 1);
  }
}

const noIds: readonly number[] = [];
