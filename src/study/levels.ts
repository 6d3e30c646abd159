import { CONFIDENCE, type DescribedKnee, type Evidence, type Knee } from "./knee.js";

/**
 * How a trial ended. `void`: the generator did not produce the requested load, so the trial says nothing about the
 * receiver.
 */
export type LevelVerdict = "passed" | "failed" | "void";

/** The outcomes of the trials that count, at one value. */
export interface Level {
  readonly value: number;
  readonly passed: number;
  readonly failed: number;
  readonly voided: number;
}

/** Values that show that a receiver is not steady. */
export interface Contradiction {
  /** Easiest first. */
  readonly failedAt: readonly number[];
  /** Harder, and most trials passed. */
  readonly heldAt: number;
}

/** Random arrivals make trials of one value pass and fail within this distance of the limit, on the scale of hardness. */
const BY_CHANCE = Math.log(1.15);

/** A receiver is not steady if at least this many trials contradict a harder one. */
const LEAST_CONTRADICTIONS = 2;

interface Counts extends Omit<Level, "value"> {
  /** Of the void trials that failed, perhaps because of this machine: `TrialOutcome.doubt` of each. */
  readonly doubts: readonly number[];
}

/** Counts the outcomes of trials by value, and maps values to hardness: the logarithm, negated if smaller is harder. */
export class Levels {
  readonly #counts = new Map<number, { passed: number; failed: number; voided: number; doubts: readonly number[] }>();
  /** 1: larger values are harder; -1: smaller ones. */
  readonly #direction: 1 | -1;

  constructor(direction: 1 | -1) {
    this.#direction = direction;
  }

  /** Counts a trial. @param doubt - as `TrialOutcome.doubt` */
  add(value: number, verdict: LevelVerdict, doubt?: number): void {
    const counts = { ...this.countsAt(value) };
    counts[verdict === "void" ? "voided" : verdict]++;
    if (doubt !== undefined) counts.doubts = [...counts.doubts, doubt];
    this.#counts.set(value, counts);
  }

  countsAt(value: number): Counts {
    return this.#counts.get(value) ?? { passed: 0, failed: 0, voided: 0, doubts: [] };
  }

  /** Number of trials of a value that passed or failed. */
  judgedCount(value: number): number {
    const { passed, failed } = this.countsAt(value);
    return passed + failed;
  }

  /** The majority outcome of a value; undefined: a tie, or no trial. */
  verdictAt(value: number): "passed" | "failed" | undefined {
    const counts = this.countsAt(value);
    if (isPassed(counts)) return "passed";
    return isFailed(counts) ? "failed" : undefined;
  }

  isJudgedBeyond(value: number): boolean {
    return [...this.#counts.keys()].some(
      (other) => this.hardness(other) > this.hardness(value) && this.judgedCount(other) > 0,
    );
  }

  readonly hardness = (value: number): number => this.#direction * Math.log(value);

  valueOf(hardness: number): number {
    return Math.exp(this.#direction * hardness);
  }

  /** The value that is `times` as hard. */
  harder(value: number, times: number): number {
    return value * times ** this.#direction;
  }

  easier(value: number, other: number | undefined): number {
    return other === undefined || this.hardness(value) < this.hardness(other) ? value : other;
  }

  get hardestPassed(): number | undefined {
    return this.#values(isPassed).at(-1);
  }

  get easiestFailed(): number | undefined {
    return this.#values(isFailed)[0];
  }

  get isMonotone(): boolean {
    const { easiestFailed, hardestPassed } = this;
    if (easiestFailed === undefined || hardestPassed === undefined) return true;
    return this.hardness(easiestFailed) > this.hardness(hardestPassed);
  }

  /** Whether a trial of a harder value failed in doubt: this machine may be the reason. */
  hasDoubtsBeyond(value: number): boolean {
    const isHarder = (other: number): boolean => this.hardness(other) > this.hardness(value);
    return this.#values(({ doubts }) => doubts.length > 0).some(isHarder);
  }

  /**
   * Finds trials that failed far below a value that held, by more than chance explains. A single such trial may be an
   * accident.
   *
   * @param isExcused - whether the failures of a value say nothing about the receiver
   */
  contradiction(isExcused: (value: number) => boolean): Contradiction | undefined {
    const heldAt = this.hardestPassed;
    if (heldAt === undefined) return undefined;
    const isFarBelow = (value: number): boolean => this.hardness(value) < this.hardness(heldAt) - BY_CHANCE;
    const failedAt = this.#values(({ failed }) => failed > 0).filter((value) => isFarBelow(value) && !isExcused(value));
    const failures = failedAt.reduce((sum, value) => sum + this.countsAt(value).failed, 0);
    return failures < LEAST_CONTRADICTIONS ? undefined : { failedAt, heldAt };
  }

  get evidence(): Evidence[] {
    return [...this.#counts]
      .filter(([, { passed, failed, doubts }]) => passed + failed + doubts.length > 0)
      .map(([value, { passed, failed, doubts }]) => ({ hardness: this.hardness(value), passed, failed, doubts }));
  }

  get hasEvidence(): boolean {
    return [...this.#counts.keys()].some((value) => this.judgedCount(value) > 0);
  }

  /**
   * The hardest passed value up to the knee, and the easiest failed value beyond that. A pass beyond the knee does
   * not count.
   */
  bracketKnee(middle: number = Infinity): { holds: number | undefined; breaks: number | undefined } {
    const passed = this.#values(isPassed);
    const holds = passed.findLast((value) => this.hardness(value) <= middle) ?? passed[0];
    const isBeyond = (value: number): boolean => holds === undefined || this.hardness(value) > this.hardness(holds);
    return { holds, breaks: this.#values(isFailed).find(isBeyond) };
  }

  describeKnee({ low, middle, high }: Knee): DescribedKnee {
    const ends = [this.valueOf(low), this.valueOf(high)].toSorted((a, b) => a - b) as [number, number];
    return { value: this.valueOf(middle), low: ends[0], high: ends[1], confidence: CONFIDENCE };
  }

  list(): Level[] {
    return [...this.#counts]
      .map(([value, { passed, failed, voided }]) => ({ value, passed, failed, voided }))
      .toSorted((a, b) => a.value - b.value);
  }

  /** Easiest first. */
  #values(is: (counts: Counts) => boolean): number[] {
    return [...this.#counts]
      .filter(([, counts]) => is(counts))
      .map(([value]) => value)
      .toSorted((a, b) => this.hardness(a) - this.hardness(b));
  }
}

function isPassed({ passed, failed }: Counts): boolean {
  return passed > failed;
}

function isFailed({ passed, failed }: Counts): boolean {
  return failed > passed;
}
