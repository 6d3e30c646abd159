/** A sample of a trial's load. Counts are since its begin. */
export interface LoadSample {
  /** Wall milliseconds. */
  readonly atMs: number;
  readonly answered: number;
  readonly accepted: number;
  /** Attempts due and unanswered: in flight, or waiting for a connection. */
  readonly waiting: number;
}

/** Rates while the receiver's queue grew, in attempts per second. */
export interface Saturation {
  readonly due: number;
  readonly accepted: number;
}

/** Minimum length of a growth; in less time single answers dominate. Wall milliseconds. */
const WINDOW_MS = 500;

/** A receiver that accepts less than this share of the due attempts is saturated. */
const KEEPS_UP = 0.9;

/** Fewer attempts than this are not a queue: at a low rate a single one in flight can fill the window. */
const LEAST_WAITING = 20;

/** A mean needs at least this many samples. */
const LEAST_SAMPLES = 5;

const MINUTE_MS = 60_000;

/** A rate needs at least this many answers. */
const LEAST_ANSWERS = 20;

/**
 * Measures the load of one trial: attempts due, accepted and waiting. While a queue grows, the rate of accepted
 * attempts is the receiver's limit, known within seconds to a few per cent.
 */
export class LoadMeter {
  readonly #samples: LoadSample[] = [];

  sample(sample: LoadSample): void {
    this.#samples.push(sample);
  }

  /**
   * The wait of the last queued attempt at the answer rate of the last `windowMs` (Little's law), in milliseconds;
   * undefined: the trial is shorter than the window.
   */
  waitMs(windowMs: number): number | undefined {
    const last = this.#samples.at(-1);
    const first = last && this.#samples.findLast(({ atMs }) => atMs <= last.atMs - windowMs);
    if (last === undefined || first === undefined) return undefined;
    if (last.waiting < LEAST_WAITING) return 0;
    return (last.waiting * (last.atMs - first.atMs)) / (last.answered - first.answered);
  }

  /** Maximum of waiting attempts. */
  get waitingMost(): number {
    return Math.max(0, ...this.#samples.map(({ waiting }) => waiting));
  }

  /** Attempts due per second, over the last third of the load. 0: too few samples. */
  get due(): number {
    const samples = this.#samples;
    const total = samples.at(-1);
    if (total === undefined) return 0;
    const end = samples.find((sample) => dueBy(sample) === dueBy(total)) ?? total;
    const begin = samples.findLast(
      ({ atMs }) => atMs <= (samples[0]?.atMs ?? 0) + ((end.atMs - (samples[0]?.atMs ?? 0)) * 2) / 3,
    );
    return begin === undefined ? 0 : perSecond(begin, end, dueBy);
  }

  /**
   * How much longer attempts waited in the last quarter of the load than in the second, and the wait a minute later at
   * the same growth. Milliseconds, by Little's law; undefined: too few samples.
   */
  get growth(): { readonly grownMs: number; readonly inAMinuteMs: number } | undefined {
    const samples = this.#samples;
    const [first, total] = [samples[0], samples.at(-1)];
    if (first === undefined || total === undefined) return undefined;
    const end = samples.find((sample) => dueBy(sample) === dueBy(total)) ?? total;
    const quarterMs = (end.atMs - first.atMs) / 4;
    const quarter = (index: number): LoadSample[] =>
      samples.filter(({ atMs }) => {
        const place = (atMs - first.atMs) / quarterMs;
        return place >= index && place < index + 1;
      });
    const [second, last] = [quarter(1), quarter(3)];
    const begin = second[0];
    if (begin === undefined || last.length < LEAST_SAMPLES || second.length < LEAST_SAMPLES) return undefined;
    const answeredPerMs = (end.answered - begin.answered) / (end.atMs - begin.atMs);
    if (!(answeredPerMs > 0)) return undefined;
    const waitMs = mean(last) / answeredPerMs;
    const grownMs = waitMs - mean(second) / answeredPerMs;
    return { grownMs, inAMinuteMs: waitMs + (grownMs * MINUTE_MS) / (2 * quarterMs) };
  }

  /** Undefined: the receiver kept up, or the queue did not grow for long enough. */
  get saturation(): Saturation | undefined {
    const samples = this.#samples;
    const most = this.waitingMost;
    const begin = samples.findIndex(({ waiting }) => waiting >= most / 2);
    const peak = samples.findIndex(({ waiting }) => waiting === most);
    const end = samples.findLastIndex(({ waiting }) => waiting >= most / 2);
    const [first, top, last] = [samples[begin], samples[peak], samples[end]];
    if (first === undefined || top === undefined || last === undefined) return undefined;
    const isLong = top.atMs - first.atMs >= WINDOW_MS && last.accepted - first.accepted >= LEAST_ANSWERS;
    if (!isLong) return undefined;
    const due = perSecond(first, top, dueBy);
    const accepted = perSecond(first, last, (sample) => sample.accepted);
    return accepted < KEEPS_UP * due ? { due, accepted } : undefined;
  }
}

function dueBy({ answered, waiting }: LoadSample): number {
  return answered + waiting;
}

function mean(samples: readonly LoadSample[]): number {
  return samples.reduce((sum, { waiting }) => sum + waiting, 0) / samples.length;
}

function perSecond(from: LoadSample, to: LoadSample, of: (sample: LoadSample) => number): number {
  const ms = to.atMs - from.atMs;
  return ms <= 0 ? 0 : ((of(to) - of(from)) * 1000) / ms;
}
