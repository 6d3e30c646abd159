import type { Kernel } from "../../sim/index.js";

/**
 * Logical position of a run: kernel steps plus effects from outside the kernel (answers in paced and max runs, inputs
 * by hand or API). A re-executed run passes the same positions, so each recorded effect has the position at which it is
 * applied.
 */
export class RunPosition {
  readonly #kernel: Kernel;
  #outsideEffects = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  get value(): number {
    return this.#kernel.fired + this.#outsideEffects;
  }

  /** Call it after an effect from outside the kernel was recorded. */
  countOutsideEffect(): void {
    this.#outsideEffects++;
  }
}
