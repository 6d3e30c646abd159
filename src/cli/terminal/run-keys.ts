import type { RunStart } from "../../run/index.js";

/** The help for the keys of a run at a terminal. */
export const keyHelp: readonly string[] = [
  "p    pause or resume the clock    t    pause or resume traffic",
  "+ -  10 % more or less traffic    > <  twice or half of it    1  back to 1x",
  "s    stop traffic for good        q    stop the run           ?  hide this",
];

/** Bounds of the traffic factor that keys can set. */
const leastTimes = 0.01;
const mostTimes = 1000;

/** Traffic factors of the keys. The other symbol on the same key of a US keyboard has the same factor. */
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

/** A run that accepts acts by hand. */
export type HandledRun = RunStart & Required<Pick<RunStart, "hands">>;

/** Changes a run by keys. Each change is recorded as done by hand. */
export class RunKeys {
  readonly #start: HandledRun;
  readonly #quit: () => void;
  #helps = false;

  /** @param quit - stops the run */
  constructor(start: HandledRun, quit: () => void) {
    this.#start = start;
    this.#quit = quit;
  }

  /** @returns the notice to show from now on, empty for none; undefined: the notice stays */
  press(key: string): readonly string[] | undefined {
    this.#helps = key === "?" && !this.#helps;
    if (key === "?") return this.#helps ? keyHelp : [];
    if (key === "q") {
      this.#quit();
      return undefined; // `quit` shows its own notice
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
