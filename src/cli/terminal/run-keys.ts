import type { RunStart } from "../../run/index.js";

/** What keys do while a run goes on at a terminal. */
export const keyHelp: readonly string[] = [
  "p    pause or resume the clock    t    pause or resume traffic",
  "+ -  10 % more or less traffic    > <  twice or half of it    1  back to 1x",
  "s    stop traffic for good        q    stop the run           ?  take this away",
];

/** Traffic is not made less or more than this by keys. */
const leastTimes = 0.01;
const mostTimes = 1000;

/** Factors of the keys; those that need no shift on most keyboards mean the same. */
const factors: ReadonlyMap<string, number> = new Map([
  ["+", 1.1],
  ["=", 1.1],
  ["-", 1 / 1.1],
  ["_", 1 / 1.1],
  [">", 2],
  [".", 2],
  ["<", 0.5],
  [",", 0.5],
]);

/** A run on which somebody can lay hands. */
export type HandledRun = RunStart & Required<Pick<RunStart, "hands">>;

/** Acts on a run as keys say. Everything that it does is recorded as done by hand. */
export class RunKeys {
  readonly #start: HandledRun;
  readonly #quit: () => void;
  #helps = false;

  /** @param quit - stops the run */
  constructor(start: HandledRun, quit: () => void) {
    this.#start = start;
    this.#quit = quit;
  }

  /** @returns what is to be shown from now on, if anything; undefined: the key means nothing */
  press(key: string): readonly string[] | undefined {
    this.#helps = key === "?" && !this.#helps;
    if (key === "?") return this.#helps ? keyHelp : [];
    if (key === "q") {
      this.#quit();
      return undefined; // whoever stops it says so
    }
    try {
      return this.#act(key);
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  }

  #act(key: string): readonly string[] | undefined {
    const { hands } = this.#start;
    const { clock, traffic } = this.#start.progress();
    const factor = factors.get(key);
    if (factor !== undefined) return this.#setTimes(traffic.times * factor);
    switch (key) {
      case "1":
        return this.#setTimes(1);
      case "p":
        if (clock?.isPaused === true) hands.resume();
        else hands.pause();
        return [];
      case "t":
        if (traffic.state === "stopped") return ["traffic was stopped: it does not begin again"];
        hands.perform("traffic", { state: traffic.state === "paused" ? "running" : "paused" });
        return [];
      case "s":
        hands.perform("traffic", { state: "stopped" });
        return [];
      default:
        return undefined;
    }
  }

  #setTimes(times: number): readonly string[] {
    const rounded = Number(Math.min(mostTimes, Math.max(leastTimes, times)).toFixed(3));
    this.#start.hands.perform("traffic", { times: `${rounded}x` });
    return [];
  }
}
