import type { Kernel, SimTime } from "../../sim/index.js";
import type { Delay, DelayReason } from "../../wire/index.js";

/** A time for which the carrier holds a text or a receipt, and the reason. */
export interface Holding {
  readonly sinceMs: SimTime;
  /** Absent: it is held now. */
  readonly untilMs?: SimTime;
  readonly why: DelayReason;
  /** The time before it for which it was held, for another reason. */
  readonly before?: Holding | undefined;
}

/** The delays of a text or a receipt that the carrier has held until now, as reports list them. */
export function delayOf(held: Holding | undefined, nowMs: SimTime): Delay[] | undefined {
  if (held === undefined) return undefined;
  const { why, sinceMs, untilMs = nowMs, before } = held;
  return [...(delayOf(before, nowMs) ?? []), { kind: "held-by-carrier", why, fromMs: sinceMs, untilMs, times: 1 }];
}

/** Calls `expire` at an instant, at once if it has passed. @param atMs - Infinity: never */
export function scheduleExpiry(kernel: Kernel, atMs: SimTime, expire: () => void): void {
  if (atMs !== Infinity) kernel.at(Math.max(kernel.now, atMs), expire, undefined);
}

/** Removes an item from a list of what is held. @returns whether it was there */
export function takeOut<T>(list: T[], one: T): boolean {
  const index = list.indexOf(one);
  if (index === -1) return false;
  list.splice(index, 1);
  return true;
}
