import type { Kernel, Timer } from "../../sim/index.js";
import type { Posting } from "../types.js";
import { LONGEST_HOLD_MS, type Trouble } from "./trouble.js";

/** An event that trouble on the way holds back before one of its attempts. */
export interface HeldEvent {
  readonly posting: Posting;
  /** Number of the attempt, without copies. */
  readonly round: number;
  readonly trouble: Trouble;
}

/** An event that waits for later ones. */
interface Overtaken extends HeldEvent {
  readonly timer: Timer;
  /** Numbers of the later events that have left. */
  readonly left: Set<number>;
}

/**
 * Events that are held back: for a time, or until later events of their channel have left and were answered. One event
 * of a channel at a time waits to be overtaken, since events that wait for each other would leave in order.
 */
export class HeldEvents {
  readonly #kernel: Kernel;
  readonly #release: (event: HeldEvent) => void;
  /** By channel. */
  readonly #overtaken = new Map<number, Overtaken>();

  /** @param release - makes the attempt */
  constructor(kernel: Kernel, release: (event: HeldEvent) => void) {
    this.#kernel = kernel;
    this.#release = release;
  }

  /** Whether an event of the channel waits to be overtaken. */
  isHolding(channel: number): boolean {
    return this.#overtaken.has(channel);
  }

  /** Number of events that wait to be overtaken. */
  get overtaken(): number {
    return this.#overtaken.size;
  }

  hold(event: HeldEvent, order: number): void {
    const { posting, trouble } = event;
    if (trouble.overtakenBy === undefined) {
      this.#kernel.in(trouble.delayMs ?? 0, this.#release, event, order);
      return;
    }
    const timer = this.#kernel.in(LONGEST_HOLD_MS, () => this.#end(posting.channel), undefined, order);
    this.#overtaken.set(posting.channel, { ...event, timer, left: new Set() });
  }

  /** Records that an attempt has taken effect: its event has left before those that are held. */
  recordLeft({ channel, number }: Pick<Posting, "channel" | "number">): void {
    const held = this.#overtaken.get(channel);
    if (held === undefined || number <= held.posting.number) return;
    held.left.add(number);
    if (held.left.size < (held.trouble.overtakenBy ?? 0)) return;
    this.#kernel.cancel(held.timer);
    this.#end(channel);
  }

  #end(channel: number): void {
    const held = this.#overtaken.get(channel);
    if (held === undefined) return;
    this.#overtaken.delete(channel);
    this.#release(held);
  }
}
