import type { Conditions } from "./conditions.js";
import { type Sim, type SimSlot, simSlots } from "./sim.js";

/** Which SIMs are taken out now. */
type SimsOut = Pick<Conditions, "simOut" | "secondSimOut">;

/** The SIM slots of a phone that has, or had, another SIM than the one of the cast. */
export class SimSlots {
  readonly #sims: (Sim | undefined)[];
  /** The slot for texts; while its SIM is out, the other one sends (docs/reference/handset.md#android-limits). */
  sendsWith: SimSlot = 1;

  constructor(first: Sim) {
    this.#sims = [first, undefined];
  }

  at(slot: SimSlot): Sim | undefined {
    return this.#sims[slot - 1];
  }

  put(slot: SimSlot, sim: Sim | undefined): void {
    this.#sims[slot - 1] = sim;
  }

  slotOf(sim: Sim): SimSlot | undefined {
    return simSlots.find((slot) => this.at(slot) === sim);
  }

  isIn(sim: Sim, out: SimsOut): boolean {
    return simSlots.some((slot) => this.#usable(slot, out) === sim);
  }

  countIn(out: SimsOut): number {
    return simSlots.filter((slot) => this.#usable(slot, out) !== undefined).length;
  }

  /** The SIM for texts: the chosen one, or the other while that one is out. */
  sending(out: SimsOut): Sim | undefined {
    return this.#usable(this.sendsWith, out) ?? this.#usable(this.sendsWith === 1 ? 2 : 1, out);
  }

  #usable(slot: SimSlot, { simOut, secondSimOut }: SimsOut): Sim | undefined {
    return (slot === 1 ? simOut : secondSimOut) ? undefined : this.at(slot);
  }
}
