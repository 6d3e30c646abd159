import type { Handset } from "./handset/handset.js";

/** The handsets of this part of the fleet. */
export class Handsets {
  /** In the order of their channels. */
  readonly list: Handset[] = [];
  /** By channel - 1; sparse in a part of a fleet. */
  readonly #byPlace: (Handset | undefined)[] = [];

  /** @param count - handsets in all parts */
  constructor(count: number) {
    this.#byPlace.length = count;
  }

  /** Adds a handset; channels ascend. */
  add(handset: Handset): void {
    this.list.push(handset);
    this.#byPlace[handset.channel - 1] = handset;
  }

  /** @throws RangeError when the channel is not in this part */
  at(channel: number): Handset {
    const handset = this.#byPlace[channel - 1];
    if (handset === undefined) throw new RangeError(`channel must be 1..${this.#byPlace.length}, got ${channel}`);
    return handset;
  }
}
