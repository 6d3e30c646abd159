import type { Carrier } from "./carrier/carrier.js";
import type { SimSpec } from "./cast/cast.js";
import type { Handset } from "./handset/handset.js";
import { Sim, type SimSlot } from "./handset/sim.js";
import type { Handsets } from "./handsets.js";
import type { WorldInput } from "./input.js";
import type { Population } from "./population.js";

type SimInput = Extract<WorldInput, { verb: "sim" }>;

/** Puts SIMs into the handsets, and finds them by their numbers: one phone has a number at a time. */
export class Sims {
  readonly #population: Population;
  readonly #handsets: Handsets;
  readonly #carriers: ReadonlyMap<string, Carrier>;
  /** The latest SIM of each number that was put into a phone; SIMs of the cast are not listed. */
  readonly #byNumber = new Map<string, Sim>();

  constructor(options: {
    readonly population: Population;
    readonly handsets: Handsets;
    readonly carriers: ReadonlyMap<string, Carrier>;
  }) {
    this.#population = options.population;
    this.#handsets = options.handsets;
    this.#carriers = options.carriers;
  }

  /** Gives a handset of the cast its second SIM. */
  addSecond(handset: Handset, spec: SimSpec): void {
    this.#insert(handset, 2, spec);
    if (spec.sends === true) handset.sendWith(2);
  }

  /** Applies a story step or a hand to one handset. */
  apply(handset: Handset, { slot = 1, phone, carrier, credit, state, sendsWith, forMs }: SimInput): void {
    if (phone !== undefined) this.#insert(handset, slot, { phone, carrier, credit });
    if (state !== undefined) handset.change(slot === 1 ? "simOut" : "secondSimOut", state === "none", forMs);
    if (sendsWith !== undefined) handset.sendWith(sendsWith);
  }

  /** Puts a SIM with a number into a slot. If another phone or slot has the number, it moves from there. */
  #insert(handset: Handset, slot: SimSlot, { phone, carrier, credit }: Omit<SimSpec, "sends">): void {
    const number = handset.numberIn(phone);
    const before = this.#simOf(number);
    const usual = before?.carrier ?? (handset.simAt(slot) ?? handset.castSim).carrier;
    const sim = new Sim({
      holder: handset,
      carrier: (carrier === undefined ? undefined : this.#carriers.get(carrier)) ?? usual,
      number,
      credit: credit ?? before?.credit,
    });
    this.#byNumber.set(number, sim);
    const from = before && this.#handsets.at(before.holder.channel);
    const slotBefore = before && from?.slotOf(before);
    before?.succeedBy(sim);
    handset.putSim(slot, sim);
    if (slotBefore === undefined || (from === handset && slotBefore === slot)) return;
    from?.putSim(slotBefore, undefined);
  }

  /** The last SIM with a number; undefined: no SIM of this part of the fleet had it. */
  #simOf(number: string): Sim | undefined {
    const known = this.#byNumber.get(number);
    if (known !== undefined) return known;
    const channel = this.#population.channelByPhone(number);
    return channel === undefined || !this.#population.hasChannel(channel)
      ? undefined
      : this.#handsets.at(channel).castSim;
  }
}
