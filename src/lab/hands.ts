import { LabError } from "../base/index.js";
import { fakesOf, type HandProblem, readHand, type Scenario } from "../scenario/index.js";
import type { Lab } from "./lab.js";
import type { LiveClock } from "./time/clock.js";

/**
 * Does by hand what a step of a story does, now; it is recorded.
 *
 * @param hand - `args`: plain data, such as of JSON
 * @returns what is wrong with it; empty: it was done
 */
export function performHand(
  lab: Lab,
  scenario: Scenario,
  { verb, args }: { readonly verb: string; readonly args: unknown },
): readonly HandProblem[] {
  const { input, problems } = readHand(verb, args, scenario.cast, fakesOf(scenario));
  if (input === undefined) return problems;
  if (input.to === "expect") {
    const message = "An expectation is nothing that can be done.";
    return [{ path: "", code: "unknown-verb", severity: "error", message }];
  }
  lab.write({ kind: "hand", json: JSON.stringify({ verb, args }) }, () => lab.perform(input));
  return [];
}

/** Records that somebody changes the clock; it is changed after that. */
export function noteClock(
  lab: Lab,
  change: {
    readonly isPaused?: boolean | undefined;
    readonly speed?: number | undefined;
    readonly stepMs?: number | undefined;
  },
): void {
  lab.write({ kind: "clock", json: JSON.stringify(change) }, () => undefined);
}

/** The hands of somebody who watches a run. What is done when it has ended does nothing. */
export class RunHands {
  readonly #lab: Lab;
  readonly #scenario: Scenario;
  #isOver = false;

  constructor(lab: Lab, scenario: Scenario) {
    this.#lab = lab;
    this.#scenario = scenario;
  }

  /**
   * Does now what a step of a story does: `traffic` with `{ times: "2x" }`.
   *
   * @throws LabError `bad-options` with what is wrong
   */
  perform(verb: string, args: unknown): void {
    if (this.#isOver) return;
    const [problem] = performHand(this.#lab, this.#scenario, { verb, args });
    if (problem === undefined) return;
    throw new LabError("bad-options", problem.message, problem.hint === undefined ? {} : { hint: problem.hint });
  }

  /** Stops virtual time where it is. @throws LabError `bad-options` where the run is not paced */
  pause(): void {
    this.#changeClock(true, (clock) => clock.pause());
  }

  /** Lets virtual time go on. @throws LabError `bad-options` where the run is not paced */
  resume(): void {
    this.#changeClock(false, (clock) => clock.resume());
  }

  /** The run is over. */
  end(): void {
    this.#isOver = true;
  }

  #changeClock(isPaused: boolean, change: (clock: LiveClock) => void): void {
    const { clock } = this.#lab;
    if (clock === undefined) {
      throw new LabError("bad-options", "only the clock of a paced run can be paused", {
        hint: "play it with --pace 1x",
      });
    }
    if (this.#isOver) return;
    noteClock(this.#lab, { isPaused });
    change(clock);
  }
}
