import { type Distribution, type Kernel, sample, type Timer } from "../../sim/index.js";
import type { HandsetGroup } from "../cast/cast.js";
import type { WorldContext } from "../world-context.js";
import { cloudShare, solarDay, SUN_STEP_MS, sunShare } from "./sun.js";

/** The phone's interface for its solar panel. */
export interface PanelHolder {
  readonly kernel: Kernel;
  readonly context: WorldContext;
  readonly group: HandsetGroup;
  /** What the panel gives under a sun at the zenith, percentage points an hour; 0: there is none. */
  readonly panelPerHour: number;
  /** Cover of the sky in percent, drawn for each day. */
  readonly clouds: Distribution<number>;
  /** Called when the yield has changed. */
  sunChanged(): void;
}

/** Number of steps in a day. */
const DAY_STEPS = 86_400_000 / SUN_STEP_MS;

/**
 * The yield of a phone's solar panel in quarter-hour steps (docs/reference/handset.md#solar-power). At night
 * it has one timer, for the first step of the morning. All phones of a group have the same clouds on a day, drawn
 * from a stream of the group and the day, so a part of a fleet has the clouds of the whole.
 */
export class SolarPanel {
  readonly #phone: PanelHolder;
  #timer: Timer | undefined;
  #day: { readonly number: number; readonly clouds: Distribution<number>; readonly share: number } | undefined;
  /** The yield now, percentage points an hour. */
  perHour = 0;

  constructor(phone: PanelHolder) {
    this.#phone = phone;
  }

  /** Computes the yield now, and plans the next step. */
  update(): void {
    const { kernel, panelPerHour } = this.#phone;
    if (this.#timer !== undefined) kernel.cancel(this.#timer);
    this.#timer = undefined;
    const step = Math.floor(kernel.now / SUN_STEP_MS);
    this.perHour = Math.round(panelPerHour * this.#yieldAt(step) * 100) / 100;
    if (panelPerHour === 0) return;
    let next = step + 1;
    if (this.perHour === 0) while (next < step + DAY_STEPS && this.#sunAt(next) === 0) next++;
    this.#timer = kernel.at(next * SUN_STEP_MS, SolarPanel.#stepDue, this);
  }

  static #stepDue(this: void, panel: SolarPanel): void {
    panel.#timer = undefined;
    const before = panel.perHour;
    panel.update();
    if (panel.perHour !== before) panel.#phone.sunChanged();
  }

  #yieldAt(step: number): number {
    const sun = this.#sunAt(step);
    return sun === 0 ? 0 : sun * this.#skyAt(step);
  }

  #sunAt(step: number): number {
    const { group, context } = this.#phone;
    return group.place === undefined ? 0 : sunShare(group.place, context.startsAtMs + step * SUN_STEP_MS);
  }

  /** The share of the clear sky's yield that the clouds of the day let through, 0..1. */
  #skyAt(step: number): number {
    const { group, context, clouds } = this.#phone;
    if (group.place === undefined) return 0;
    const number = solarDay(group.place, context.startsAtMs + step * SUN_STEP_MS);
    if (this.#day?.number !== number || this.#day.clouds !== clouds) {
      const stream = context.streams.get(`clouds/${group.name}/${number}`);
      this.#day = { number, clouds, share: cloudShare(Math.min(100, sample(clouds, stream)) / 100) };
    }
    return this.#day.share;
  }
}
