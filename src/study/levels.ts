import { CONFIDENCE, type DescribedKnee, type Evidence, type Knee } from "./knee.js";

/**
 * How a trial ended. `void`: the generator did not produce the requested load, so the trial says nothing about the
 * receiver.
 */
export type Verdict = "passed" | "failed" | "void";

/** The outcomes of the trials that count, at one value. */
export interface Level {
  readonly value: number;
  readonly passed: number;
  readonly failed: number;
  readonly voided: number;
}

type Counts = Omit<Level, "value">;

/** Counts the outcomes of trials by value, and maps values to hardness: the logarithm, negated if smaller is harder. */
export class Levels {
  readonly #counts = new Map<number, { passed: number; failed: number; voided: number }>();
  /** 1: larger values are harder; -1: smaller ones. */
  readonly #direction: 1 | -1;

  constructor(direction: 1 | -1) {
    this.#direction = direction;
  }

  add(value: number, verdict: Verdict): void {
    const counts = this.#counts.get(value) ?? { passed: 0, failed: 0, voided: 0 };
    counts[verdict === "void" ? "voided" : verdict]++;
    this.#counts.set(value, counts);
  }

  countsAt(value: number): Counts {
    return this.#counts.get(value) ?? { passed: 0, failed: 0, voided: 0 };
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

  get evidence(): Evidence[] {
    return [...this.#counts]
      .filter(([, { passed, failed }]) => passed + failed > 0)
      .map(([value, { passed, failed }]) => ({ hardness: this.hardness(value), passed, failed }));
  }

  get hasEvidence(): boolean {
    return this.evidence.length > 0;
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
    return [...this.#counts].map(([value, counts]) => ({ value, ...counts })).toSorted((a, b) => a.value - b.value);
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
