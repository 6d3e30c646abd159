import { CONFIDENCE, kneeOf, type Knee } from "./knee.js";

/**
 * How a trial ended. `void`: the load was not what it should have been, by our own doing, so that it says nothing of the
 * receiver.
 */
export type Verdict = "passed" | "failed" | "void";

/** What was tried at one value. */
export interface Level {
  readonly value: number;
  readonly passed: number;
  readonly failed: number;
  readonly voided: number;
}

/** How a search goes. */
export interface SearchOptions {
  /** Where it begins; > 0. */
  readonly from: number;
  /** The hardest value of interest; absent: none. Below `from`: the smaller the harder. */
  readonly to?: number;
  /** Whether `from` is the easiest value of interest; else easier ones are tried when it fails. */
  readonly isFromEasiest: boolean;
  /** At most so many trials are made of a level in one go: an odd number, so that there is a majority. */
  readonly trials: number;
  /** The search ends when the knee is known to so much on either side, a share. */
  readonly precision: number;
  /** The nearest value that can be tried. */
  readonly round: (value: number) => number;
  /** Whether there can be such a value at all; default: all. */
  readonly isPossible?: (value: number) => boolean;
  /** Why it is to end now, with what is known; undefined: it is not. */
  readonly endsBy?: () => "time" | "stopped" | "receiver" | undefined;
}

/** What a search has found. */
export interface Capacity {
  /**
   * `knee`: where it breaks is known; `at-least`: nothing failed, up to `holds`; `below`: even the easiest value failed;
   * `unknown`: no trial counted.
   */
  readonly kind: "knee" | "at-least" | "below" | "unknown";
  /** Ascending. */
  readonly levels: readonly Level[];
  /** Where half of the trials pass, and an interval that holds it with `confidence`. Only for a `knee`. */
  readonly knee?: { readonly value: number; readonly low: number; readonly high: number; readonly confidence: number };
  /** The hardest value at which most trials passed, short of the knee. */
  readonly holds?: number;
  /** The easiest value at which most trials failed, beyond `holds`. */
  readonly breaks?: number;
  /** From this value on our own side fell behind its schedule. */
  readonly generatorLimit?: number;
  /** Why it is not known better: the bound `to`, our own side, what a scenario can say, no more trials, or see `endsBy`. */
  readonly limitedBy?: "bound" | "generator" | "scenario" | "trials" | "time" | "stopped" | "receiver";
  /** False: a value failed although a harder one passed. */
  readonly isMonotone: boolean;
}

/** More trials than this are never made: a receiver whose answers follow no rule would keep the search busy for ever. */
const MOST_TRIALS = 120;

/** So often the value is halved where even the first one fails: to a thousandth. */
const MOST_HALVINGS = 10;

/** So many more void trials in one go than others mean that our own side cannot do it. Fewer may be an accident. */
const MOST_VOIDS = 3;

/**
 * Searches for the value at which trials begin to fail: doubles until they do, then tries the middle of where the knee may
 * be, until that is narrow enough. Several trials of a level are made in one go, up to a majority; levels are tried again
 * where outcomes contradict each other. Ends after 120 trials at the latest.
 *
 * @param trial - plays one trial; what it throws ends the search
 */
export async function searchCapacity(
  trial: (value: number) => Promise<Verdict>,
  options: SearchOptions,
): Promise<Capacity> {
  const search = new Search(trial, options);
  await search.run();
  return search.result();
}

class Search {
  readonly #trial: (value: number) => Promise<Verdict>;
  readonly #options: SearchOptions;
  readonly #levels = new Map<number, { passed: number; failed: number; voided: number }>();
  /** 1: more is harder; -1: less is. */
  readonly #direction: 1 | -1;
  #trials = 0;
  /** A value has held and another one has not: there is a knee. */
  #isBracketed = false;
  #generatorLimit: number | undefined;
  #limitedBy: Capacity["limitedBy"];

  constructor(trial: (value: number) => Promise<Verdict>, options: SearchOptions) {
    this.#trial = trial;
    this.#options = options;
    this.#direction = options.to !== undefined && options.to < options.from ? -1 : 1;
  }

  async run(): Promise<void> {
    if ((await this.#findPassing()) && (await this.#findFailing())) await this.#narrow();
    else if (this.#limitedBy === "generator" && this.#hardestPassed() !== undefined) await this.#narrow();
  }

  /** Goes on to easier values until one passes. */
  async #findPassing(): Promise<boolean> {
    const { from, isFromEasiest, round } = this.#options;
    let value = round(from);
    for (let halvings = 0; ; halvings++) {
      const verdict = await this.#visit(value);
      if (verdict === "passed") return true;
      const next = round(this.#harder(value, 0.5));
      if (verdict === undefined || isFromEasiest || halvings === MOST_HALVINGS || next === value || next <= 0) {
        return false;
      }
      value = next;
    }
  }

  /** Doubles until a value fails. @returns false where none does, and `#limitedBy` says why */
  async #findFailing(): Promise<boolean> {
    const { to, round, isPossible = () => true } = this.#options;
    for (;;) {
      if (this.#easiestFailed() !== undefined) return (this.#isBracketed = true);
      if (this.#generatorLimit !== undefined) return this.#limit("generator");
      const value = this.#hardestPassed() as number; // `#findPassing` has found one
      if (to !== undefined && this.#hardness(value) >= this.#hardness(to)) return this.#limit("bound");
      const doubled = round(this.#harder(value, 2));
      const next = to !== undefined && this.#hardness(doubled) > this.#hardness(to) ? to : doubled;
      if (next === value || !isPossible(next)) return this.#limit("scenario");
      if ((await this.#visit(next)) === undefined) return false;
    }
  }

  /**
   * Tries the middle of where the knee may be until that is narrow enough, then both ends: there it shows how gradual the
   * knee is, which the middle alone would not tell, and whether the answer is to be trusted.
   */
  async #narrow(): Promise<void> {
    const { precision } = this.#options;
    for (let ends: ("low" | "high")[] = ["low", "high"]; ;) {
      const knee = this.#knee();
      const isNarrow = knee !== undefined && knee.high - knee.low <= 2 * Math.log1p(precision);
      if (!isNarrow) ends = ["low", "high"];
      const end = isNarrow ? ends.shift() : "middle";
      if (end === undefined) return;
      const value = this.#next(knee, end);
      if (value === undefined || (await this.#visit(value)) === undefined) return;
      if (this.#easiestFailed() !== undefined) this.#isBracketed = true;
    }
  }

  /** The value to be tried next; undefined where another trial would not tell more. */
  #next(knee: Knee | undefined, end: keyof Knee): number | undefined {
    const { round, precision, trials } = this.#options;
    const limit = this.#generatorLimit;
    const value = knee === undefined ? Infinity : round(this.#valueOf(knee[end]));
    if (limit !== undefined && (knee === undefined || this.#hardness(value) >= this.#hardness(limit))) {
      const passed = this.#hardestPassed();
      if (passed === undefined) return undefined;
      const [low, high] = [this.#hardness(passed), this.#hardness(limit)];
      const between = round(this.#valueOf((low + high) / 2));
      if (this.#levels.has(between) || high - low <= 2 * Math.log1p(precision)) {
        this.#limit("generator");
        return undefined;
      }
      return between;
    }
    // Whole numbers cannot be told apart further: what lies beside each other is tried until it is sure enough.
    const known = this.#levels.get(value);
    const isWorn = known !== undefined && known.passed + known.failed >= 3 * trials;
    return isWorn ? undefined : value;
  }

  /** Plays trials of a value up to a majority. @returns undefined where the search is to end */
  async #visit(value: number): Promise<Verdict | undefined> {
    const { trials, endsBy = () => undefined } = this.#options;
    const level = this.#levels.get(value) ?? { passed: 0, failed: 0, voided: 0 };
    const majority = Math.floor(trials / 2) + 1;
    const now = { passed: 0, failed: 0, void: 0 };
    while (now.passed < majority && now.failed < majority) {
      if (this.#trials >= MOST_TRIALS) return void this.#limit("trials");
      const end = endsBy();
      if (end !== undefined) return void this.#limit(end);
      this.#trials++;
      const verdict = await this.#trial(value);
      now[verdict]++;
      level[verdict === "void" ? "voided" : verdict]++;
      this.#levels.set(value, level);
      if (now.void >= MOST_VOIDS + now.passed + now.failed) {
        this.#generatorLimit = this.#easier(value, this.#generatorLimit);
        return "void";
      }
    }
    return now.passed >= majority ? "passed" : "failed";
  }

  result(): Capacity {
    const levels = [...this.#levels]
      .map(([value, level]) => ({ value, ...level }))
      .toSorted((a, b) => a.value - b.value);
    const knee = this.#knee();
    const middle = knee?.middle ?? Infinity;
    const passed = this.#values(isPassed);
    const failed = this.#values(isFailed);
    // A lucky trial beyond the knee is no promise.
    const holds = passed.findLast((value) => this.#hardness(value) <= middle) ?? passed[0];
    const isBeyond = (value: number): boolean => holds === undefined || this.#hardness(value) > this.#hardness(holds);
    const breaks = failed.find(isBeyond);
    const [easiestFailed, hardestPassed] = [failed[0], passed.at(-1)];
    return {
      kind: knee !== undefined ? "knee" : holds !== undefined ? "at-least" : failed.length > 0 ? "below" : "unknown",
      levels,
      ...(knee !== undefined && { knee: this.#described(knee) }),
      ...(holds !== undefined && { holds }),
      ...(breaks !== undefined && { breaks }),
      ...(this.#generatorLimit !== undefined && { generatorLimit: this.#generatorLimit }),
      ...(this.#limitedBy !== undefined && { limitedBy: this.#limitedBy }),
      isMonotone:
        easiestFailed === undefined ||
        hardestPassed === undefined ||
        this.#hardness(easiestFailed) > this.#hardness(hardestPassed),
    };
  }

  #described({ low, middle, high }: Knee): NonNullable<Capacity["knee"]> {
    const ends = [this.#valueOf(low), this.#valueOf(high)].toSorted((a, b) => a - b) as [number, number];
    return { value: this.#valueOf(middle), low: ends[0], high: ends[1], confidence: CONFIDENCE };
  }

  #knee(): Knee | undefined {
    if (!this.#isBracketed) return undefined;
    const evidence = [...this.#levels]
      .filter(([, { passed, failed }]) => passed + failed > 0)
      .map(([value, { passed, failed }]) => ({ hardness: this.#hardness(value), passed, failed }));
    return kneeOf(evidence, Math.min(0.02, this.#options.precision / 5));
  }

  #hardestPassed(): number | undefined {
    return this.#values(isPassed).at(-1);
  }

  #easiestFailed(): number | undefined {
    return this.#values(isFailed)[0];
  }

  /** The easiest first. */
  #values(is: (level: Omit<Level, "value">) => boolean): number[] {
    return [...this.#levels]
      .filter(([, level]) => is(level))
      .map(([value]) => value)
      .toSorted((a, b) => this.#hardness(a) - this.#hardness(b));
  }

  #limit(by: NonNullable<Capacity["limitedBy"]>): false {
    this.#limitedBy = by;
    return false;
  }

  #hardness(value: number): number {
    return this.#direction * Math.log(value);
  }

  #valueOf(hardness: number): number {
    return Math.exp(this.#direction * hardness);
  }

  #harder(value: number, times: number): number {
    return value * times ** this.#direction;
  }

  #easier(value: number, other: number | undefined): number {
    return other === undefined || this.#hardness(value) < this.#hardness(other) ? value : other;
  }
}

function isPassed({ passed, failed }: Omit<Level, "value">): boolean {
  return passed > failed;
}

function isFailed({ passed, failed }: Omit<Level, "value">): boolean {
  return failed > passed;
}
