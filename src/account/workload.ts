import type { Kernel } from "../sim/index.js";
import { STEP_UNITS, TURN_UNITS } from "./slices.js";

/**
 * Counts the work of the account, in units of about a microsecond (`WorkBudget`). Work is counted, not timed, so that
 * the same inputs always give the same slices.
 */
export class Workload {
  readonly #kernel: Kernel;
  /** Number of timers that had fired when the current step began. */
  #fired = 0;
  #ofStep = 0;
  #ofTurn = 0;

  constructor(options: { kernel: Kernel }) {
    this.#kernel = options.kernel;
  }

  /** Begins an input from outside. Kernel steps need no call. */
  beginInput(): void {
    this.#ofStep = 0;
  }

  add(units: number): void {
    this.#beginStep();
    this.#ofStep += units;
    this.#ofTurn += units;
    if (this.#ofTurn < TURN_UNITS) return;
    this.#ofTurn = 0;
    this.#kernel.pause();
  }

  /** Whether the current kernel step, or input from outside, must leave its remaining work to later steps. */
  get isStepFull(): boolean {
    this.#beginStep();
    return this.#ofStep >= STEP_UNITS;
  }

  #beginStep(): void {
    const { fired } = this.#kernel;
    if (fired === this.#fired) return;
    this.#fired = fired;
    this.#ofStep = 0;
  }
}
