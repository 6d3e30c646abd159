import type { CarrierSettings } from "../cast/cast.js";
import type { ChangingValues } from "../changing-values.js";
import type { WorldContext } from "../world-context.js";
import { scheduleExpiry, takeOut } from "./holding.js";
import type { Incoming, IncomingText, NumberHolder, Subscriber } from "./subscriber.js";

/** Options of a text that is not part of a backlog. */
const alone = { isMoreComing: false };

/** Texts and receipts held for a handset that is unreachable. */
interface Backlog {
  readonly queue: Incoming[];
  isFlowing: boolean;
}

/** The next delivery of a backlog to its handset. */
interface NextStep {
  readonly backlogs: Backlogs;
  readonly to: Subscriber;
  readonly backlog: Backlog;
}

/**
 * The last step to a handset: a text or receipt that arrives is delivered, or held while the handset is unreachable.
 * What is held is delivered in order when the handset is reachable again. Held texts may also expire, or follow their
 * number to another SIM; receipts do neither.
 */
export class Backlogs implements NumberHolder {
  readonly #context: WorldContext;
  readonly #settings: ChangingValues<CarrierSettings>;
  readonly #held = new Map<Subscriber, Backlog>();

  constructor(context: WorldContext, settings: ChangingValues<CarrierSettings>) {
    this.#context = context;
    this.#settings = settings;
  }

  /** Whether nothing is held. */
  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Counts the texts that are held. */
  get textCount(): number {
    let count = 0;
    for (const { queue } of this.#held.values()) {
      for (const incoming of queue) if (incoming.kind === "text") count++;
    }
    return count;
  }

  /** The texts that are held, with the SIMs that they go to. */
  *texts(): Generator<[Subscriber, IncomingText]> {
    for (const [to, { queue }] of this.#held) {
      for (const one of queue) if (one.kind === "text") yield [to, one];
    }
  }

  /**
   * Delivers to a reachable handset without a backlog, else queues.
   *
   * @returns false when it is queued; true when no carrier keeps it any more: it was delivered, dropped or lost
   */
  deliverOrHold(to: Subscriber, incoming: Incoming): boolean {
    const backlog = this.#held.size === 0 ? undefined : this.#held.get(to);
    if (to.isReachable && backlog === undefined) {
      to.receive(incoming, alone);
      return true;
    }
    const { current } = to;
    if (current === undefined) return this.#loseWithNumber(to, incoming);
    // A receipt does not follow a number: the phone that waited for it has lost it.
    if (current !== to) {
      return incoming.kind === "delivered" || current.carrier.backlogs.deliverOrHold(current, incoming);
    }
    this.hold(to, incoming);
    return false;
  }

  /** Queues for a handset, and schedules the expiry of a text. */
  hold(to: Subscriber, incoming: Incoming): void {
    const { kernel } = this.#context;
    incoming.held = { sinceMs: kernel.now, why: to.unreachableBecause ?? "backlog", before: incoming.held };
    const backlog = this.#held.get(to);
    if (backlog !== undefined) backlog.queue.push(incoming);
    else this.#held.set(to, { queue: [incoming], isFlowing: false });
    if (incoming.kind !== "text") return;
    const expiresAtMs = incoming.sentAtMs + this.#settings.current.expiresAfterMs;
    scheduleExpiry(kernel, expiresAtMs, () => this.#expire(to, incoming));
  }

  #expire(to: Subscriber, incoming: IncomingText): void {
    const backlog = this.#held.get(to);
    if (backlog === undefined || !takeOut(backlog.queue, incoming)) return;
    if (backlog.queue.length === 0 && !backlog.isFlowing) this.#held.delete(to);
    const { from, text } = incoming;
    this.#context.tally.lost("texts", "expired", [{ channel: to.channel, phone: from, text }]);
  }

  /**
   * The SIM was swapped for another, so no phone has the number: a text counts as lost, a receipt is dropped.
   *
   * @returns true, for `deliverOrHold`
   */
  #loseWithNumber(to: Subscriber, incoming: Incoming): boolean {
    if (incoming.kind === "text") {
      const { from, text } = incoming;
      this.#context.tally.lost("texts", "sim-swapped", [{ channel: to.channel, phone: from, text }]);
    }
    return true;
  }

  /**
   * Call it when a number is no longer in its phone: the texts held for it follow the number to its next SIM, or are
   * lost when no phone has it. Held receipts are dropped.
   */
  move(from: Subscriber): void {
    const backlog = this.#held.get(from);
    if (backlog === undefined) return;
    this.#held.delete(from);
    const { current } = from;
    for (const incoming of backlog.queue.splice(0)) {
      if (incoming.held !== undefined) incoming.held = { ...incoming.held, untilMs: this.#context.kernel.now };
      if (current === undefined) this.#loseWithNumber(from, incoming);
      else if (incoming.kind === "text") current.carrier.backlogs.hold(current, incoming);
    }
  }

  /**
   * Delivers what was held for a handset, in order of arrival, with small gaps. Call it when the handset is reachable.
   */
  release(to: Subscriber): void {
    const backlog = this.#held.get(to);
    if (backlog === undefined || backlog.isFlowing || !to.isReachable) return;
    backlog.isFlowing = true;
    this.#deliverNext(to, backlog);
  }

  #deliverNext(to: Subscriber, backlog: Backlog): void {
    const incoming = backlog.queue.shift();
    const isMoreComing = backlog.queue.length > 0;
    if (!isMoreComing && this.#held.get(to) === backlog) this.#held.delete(to);
    if (incoming === undefined) to.backlogInterrupted();
    else to.receive(incoming, { isMoreComing });
    if (!isMoreComing) return;
    const step: NextStep = { backlogs: this, to, backlog };
    this.#context.kernel.in(to.heldGapMs(), Backlogs.#nextDue, step);
  }

  static #nextDue(this: void, { backlogs, to, backlog }: NextStep): void {
    if (to.isReachable || backlog.queue.length === 0) backlogs.#deliverNext(to, backlog);
    else {
      backlog.isFlowing = false;
      to.backlogInterrupted();
    }
  }
}
