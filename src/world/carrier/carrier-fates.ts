import type { Stream } from "../../sim/index.js";
import type { CarrierSettings } from "../cast/cast.js";
import type { ChangingValues } from "../changing-values.js";
import type { WorldContext } from "../world-context.js";

/** What a carrier can do to a text instead of carrying exactly one copy. */
export type CarrierFate = "loses" | "duplicates";

/** What a carrier does to the next texts of people to a handset, or to the next messages of a handset to people. */
interface PlannedFates {
  readonly fate: CarrierFate;
  readonly way: "texts" | "messages";
  readonly times: number;
}

/** Decides which texts a carrier loses or duplicates: the planned ones, and a drawn share of the others. */
export class CarrierFates {
  readonly #context: WorldContext;
  readonly #settings: ChangingValues<CarrierSettings>;
  /** By direction and channel. */
  readonly #planned = new Map<string, { readonly fate: CarrierFate; times: number }>();

  constructor(context: WorldContext, settings: ChangingValues<CarrierSettings>) {
    this.#context = context;
    this.#settings = settings;
  }

  /** Sets the fate of the next `times` texts to a handset, or messages from it; 0 clears it. */
  plan(channel: number, { fate, way, times }: PlannedFates): void {
    const key = `${way} ${channel}`;
    if (times > 0) this.#planned.set(key, { fate, times });
    else this.#planned.delete(key);
  }

  /** Draws how many copies of a text arrive: 0, 1 or 2. A planned fate needs no draw. */
  drawCopies(way: PlannedFates["way"], channel: number, sender: Stream): number {
    const planned = this.#takePlanned(way, channel);
    const { loses, duplicates } = this.#settings.current;
    if (planned === "loses" || (planned === undefined && loses > 0 && sender.chance(loses))) return 0;
    const isDoubled = planned === "duplicates" || (duplicates > 0 && sender.chance(duplicates));
    if (!isDoubled) return 1;
    this.#context.tally.copy("texts", "carrier");
    return 2;
  }

  #takePlanned(way: PlannedFates["way"], channel: number): CarrierFate | undefined {
    if (this.#planned.size === 0) return undefined;
    const key = `${way} ${channel}`;
    const planned = this.#planned.get(key);
    if (planned !== undefined && --planned.times === 0) this.#planned.delete(key);
    return planned?.fate;
  }
}
