import { type SimTime, type Timer } from "../../sim/index.js";
import { addDelay, type DelayReason } from "../../wire/index.js";
import type { OutboxMessageView } from "./handset-view.js";
import { type OutboxRow, setState } from "./outbox-row.js";
import type { Phone } from "./phone.js";
import type { Radio } from "./radio.js";
import { SendLimit } from "./send-limit.js";

/**
 * The messages that are not sent yet: the pending and the retry list, and the runner that hands one after the other to
 * the radio (docs/reference/handset.md#send-runner). It decides which message is next, and when: the gap between sends,
 * the send limit, the waits before retries.
 */
export class SendRunner {
  readonly #phone: Phone;
  readonly #radio: Radio;
  #born: OutboxRow[] = [];
  #waiting: OutboxRow[] = [];
  #retry: OutboxRow[] = [];
  /** Number of messages in the three lists, so that a sync without unsent messages (nearly all) reads one number. */
  #count = 0;
  #limit: SendLimit | undefined;
  #lastHandOverMs: SimTime = -Infinity;
  #timer: Timer | undefined;
  /**
   * The last obstacle to all new messages (the app does not relay, or the send limit) and its end; Infinity: it lasts.
   * It is the reason of the delay of a message that was accepted before its end.
   */
  #hold: { readonly why: DelayReason; untilMs: SimTime } | undefined;

  constructor(phone: Phone, radio: Radio) {
    this.#phone = phone;
    this.#radio = radio;
  }

  /** Whether no message is unsent. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Messages that were never tried, oldest first. */
  get born(): readonly OutboxRow[] {
    return this.#born;
  }

  /** Messages that the radio has and has not answered. */
  get waiting(): readonly OutboxRow[] {
    return this.#waiting;
  }

  /** Messages that wait for their next try. */
  get retry(): readonly OutboxRow[] {
    return this.#retry;
  }

  /** When it hands over the next message by itself; null: not before the next pass. */
  get nextAtMs(): SimTime | null {
    return this.#timer?.atMs ?? null;
  }

  /** Adds a message that was never tried. Does not start to send. */
  add(row: OutboxRow): void {
    this.#born.push(row);
    this.#count++;
  }

  /** Adds a message whose try has failed, and sends the next one if the profile `retriesOnTime`. */
  addRetry(row: OutboxRow): void {
    const phone = this.#phone;
    setState(row, "retry", phone.context.kernel.now);
    this.#retry.push(row);
    this.#count++;
    if (phone.profile.retriesOnTime && phone.isWorking) this.sendNext();
  }

  /** Removes a message from those that the radio has not answered. */
  removeWaiting(row: OutboxRow): void {
    this.#removeFrom(this.#waiting, row);
  }

  /** Hands the next sendable message to the radio, if there is one, then schedules the next pass. */
  sendNext(): void {
    const { kernel } = this.#phone.context;
    if (this.#timer !== undefined) kernel.cancel(this.#timer);
    this.#timer = undefined;
    if (this.#count === this.#waiting.length) return;
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

  #handToRadio(row: OutboxRow): void {
    const phone = this.#phone;
    const { now } = phone.context.kernel;
    const { acceptedAtMs } = row;
    if (row.state === "born" && row.tries === 0 && now > acceptedAtMs) {
      const why = this.#hold !== undefined && acceptedAtMs < this.#hold.untilMs ? this.#hold.why : null;
      row.delays = addDelay(row.delays, { kind: "outbox", why, fromMs: acceptedAtMs, untilMs: now });
    }
    this.#removeFrom(row.state === "born" ? this.#born : this.#retry, row);
    setState(row, "pending", now);
    this.#waiting.push(row);
    this.#count++;
    this.#lastHandOverMs = now;
    row.hasGhost = false;
    row.isAtRadio = true;
    this.#radio.handOver(row);
    phone.drain(phone.profile.drainPerText * row.segments);
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
    if (fewest !== Infinity && roomAtMs > now) this.#holdFor("send-limit");
    const isOnTime = profile.retriesOnTime && !this.#phone.isDozing;
    if (!isOnTime && roomAtMs > now) return; // the next pass checks again
    const atMs = Math.max(Math.min(roomAtMs, nextDueMs), this.#lastHandOverMs + profile.sendGapMs);
    if (atMs !== Infinity) this.#timer = context.kernel.at(atMs, SendRunner.#sendDue, this);
  }

  static #sendDue(this: void, runner: SendRunner): void {
    runner.#timer = undefined;
    if (runner.#phone.isWorking) runner.sendNext();
    else runner.beginHold();
  }

  /** Notes why the app does not relay now: the messages that were never tried wait for this reason. */
  beginHold(): void {
    this.#holdFor(this.#phone.blockedBy);
  }

  #holdFor(why: DelayReason | undefined): void {
    if (why === undefined || this.#born.length === 0) return;
    if (this.#hold?.untilMs !== Infinity || this.#hold.why !== why) this.#hold = { why, untilMs: Infinity };
  }

  #dueAtMs(row: OutboxRow): SimTime {
    const { retryWaitsMs, retryEarlyMs } = this.#phone.profile;
    return row.changedAtMs + Math.max(0, (retryWaitsMs[row.tries - 1] ?? 0) - retryEarlyMs);
  }

  #sendLimit(): SendLimit | undefined {
    const { packs, packLimit, packWindowMs } = this.#phone.profile;
    if (packs === undefined) return undefined;
    const counted = this.#phone.has("packs-uncounted") ? packs - 1 : packs;
    return (this.#limit ??= new SendLimit({ packs: counted, limit: packLimit, windowMs: packWindowMs }));
  }

  /** Why a message waits, and until when if known. */
  waitOf(row: OutboxRow): Pick<OutboxMessageView, "waitsFor" | "untilMs"> {
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
    return { waitsFor: "runner", untilMs: this.nextAtMs };
  }

  /** Stops sending until the next pass, and forgets the sends that the limit has counted. */
  stop(): void {
    if (this.#timer !== undefined) this.#phone.context.kernel.cancel(this.#timer);
    this.#timer = undefined;
    this.beginHold();
    this.#limit = undefined; // the app counts sends in memory only (docs/reference/handset.md#send-runner)
  }

  /** Forgets all messages. */
  clear(): void {
    this.#born = [];
    this.#waiting = [];
    this.#retry = [];
    this.#count = 0;
  }

  #removeFrom(list: OutboxRow[], row: OutboxRow): void {
    const index = list.indexOf(row);
    if (index === -1) return;
    list.splice(index, 1);
    this.#count--;
  }
}
