import type { SimTime } from "../../sim/index.js";
import type { Phone } from "./phone.js";

const minute = 60_000;

/**
 * Old apps turn airplane mode on and off to reconnect a network that hangs, if their user allows it
 * (docs/reference/handset.md#network-handling). The app checks the conditions at each poll.
 */
export class AirplaneToggle {
  readonly #phone: Phone;
  readonly #beganAtMs: SimTime;
  #toggledAtMs: SimTime = -Infinity;

  constructor(phone: Phone) {
    this.#phone = phone;
    this.#beganAtMs = phone.context.kernel.now;
  }

  /**
   * Turns airplane mode on if the conditions are met.
   *
   * @param syncedAtMs - when the last good sync was requested; -Infinity: never
   */
  check(syncedAtMs: SimTime): void {
    const phone = this.#phone;
    const { now } = phone.context.kernel;
    const since = (atMs: SimTime): number => now - Math.max(atMs, this.#beganAtMs);
    if (!phone.isWorking || now - this.#toggledAtMs < 10 * minute) return;
    const isStuck = phone.app.retryCount > 0 && since(phone.sentAtMs) >= 10 * minute;
    if (since(syncedAtMs) < 10 * minute && since(phone.heardAtMs) < 20 * minute && !isStuck) return;
    this.#toggledAtMs = now;
    phone.toggleAirplane(15_000);
  }
}
