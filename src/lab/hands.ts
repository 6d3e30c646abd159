import { LabError } from "../base/index.js";
import { fakesOf, type HandProblem, readHand, type Scenario } from "../scenario/index.js";
import type { Lab } from "./lab.js";
import type { LiveClock } from "./time/clock.js";

/**
 * Performs a story verb now, by hand, and records it as an input.
 *
 * @param hand - `args`: plain data, as from JSON
 * @returns problems; empty: it was performed
 */
export function performHand(
  lab: Lab,
  scenario: Scenario,
  { verb, args }: { readonly verb: string; readonly args: unknown },
): readonly HandProblem[] {
  const { input, problems } = readHand(verb, args, scenario.cast, fakesOf(scenario));
  if (input === undefined) return problems;
  if (input.to === "expect" || input.to === "check" || (input.to === "log" && input.beat !== undefined)) {
    const message = `${input.to === "expect" ? "An expectation" : input.to === "check" ? "A check" : "A beat"} cannot be performed by hand.`;
    return [{ path: "", code: "unknown-verb", severity: "error", message }];
  }
  const undone = lab.write({ kind: "hand", json: JSON.stringify({ verb, args }) }, () => lab.perform(input));
  return undone.map((message) => ({ path: verb, code: "unknown-reference", severity: "error", message }));
}

/** Records a change of the clock (write-ahead). The caller then changes the clock. */
export function recordClockChange(
  lab: Lab,
  change: {
    readonly isPaused?: boolean | undefined;
    readonly speed?: number | undefined;
    readonly stepMs?: number | undefined;
  },
): void {
  lab.write({ kind: "clock", json: JSON.stringify(change) }, () => undefined);
}

/** Changes that the user of a running `handset run` makes. After the run's end, calls do nothing. */
export class RunHands {
  readonly #lab: Lab;
  readonly #scenario: Scenario;
  #isOver = false;

  constructor(lab: Lab, scenario: Scenario) {
    this.#lab = lab;
    this.#scenario = scenario;
  }

  /**
   * Performs a story verb now, such as `traffic` with `{ times: "2x" }`.
   *
   * @throws LabError `bad-options` with the first problem
   */
  perform(verb: string, args: unknown): void {
    if (this.#isOver) return;
    const [problem] = performHand(this.#lab, this.#scenario, { verb, args });
    if (problem === undefined) return;
    throw new LabError("bad-options", problem.message, problem.hint === undefined ? {} : { hint: problem.hint });
  }

  /** Pauses virtual time. @throws LabError `bad-options` if the run is not paced */
  pause(): void {
    this.#changeClock(true, (clock) => clock.pause());
  }

  /** Lets virtual time pass again. @throws LabError `bad-options` if the run is not paced */
  resume(): void {
    this.#changeClock(false, (clock) => clock.resume());
  }

  /** Call it when the run is over. */
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
    recordClockChange(this.#lab, { isPaused });
    change(clock);
  }
}
