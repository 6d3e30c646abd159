import type { WallSpan } from "../measure/index.js";

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
export interface GrowthRates {
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

/** A difference of counts within this many standard deviations is chance. */
const BY_CHANCE = 2;

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
    return begin === undefined ? 0 : perSecond(dueBy(end) - dueBy(begin), end.atMs - begin.atMs);
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
    const answered = end.answered - begin.answered;
    if (answered < LEAST_ANSWERS) return undefined;
    const answeredPerMs = answered / (end.atMs - begin.atMs);
    const waitMs = mean(last) / answeredPerMs;
    const grownMs = waitMs - mean(second) / answeredPerMs;
    return { grownMs, inAMinuteMs: waitMs + (grownMs * MINUTE_MS) / (2 * quarterMs) };
  }

  /** Undefined: the receiver kept up, or the queue did not grow for long enough. */
  get saturation(): GrowthRates | undefined {
    return this.saturationOutside([]);
  }

  /**
   * The saturation while the queue grew, or else while the receiver refused attempts. Leaves out the time in which
   * something disturbed the receiver.
   *
   * @param disturbed - on the samples' clock
   */
  saturationOutside(disturbed: readonly WallSpan[]): GrowthRates | undefined {
    return this.#queueing(disturbed) ?? this.#shedding(disturbed);
  }

  #queueing(disturbed: readonly WallSpan[]): GrowthRates | undefined {
    const samples = this.#samples;
    const most = this.waitingMost;
    const begin = samples.findIndex(({ waiting }) => waiting >= most / 2);
    const peak = samples.findIndex(({ waiting }) => waiting === most);
    const end = samples.findLastIndex(({ waiting }) => waiting >= most / 2);
    if (begin < 0) return undefined;
    const growing = sumSteps(samples.slice(begin, peak + 1), disturbed);
    const full = sumSteps(samples.slice(begin, end + 1), disturbed);
    if (growing.ms < WINDOW_MS || full.accepted < LEAST_ANSWERS) return undefined;
    const due = perSecond(growing.due, growing.ms);
    const accepted = perSecond(full.accepted, full.ms);
    return accepted < KEEPS_UP * due ? { due, accepted } : undefined;
  }

  #shedding(disturbed: readonly WallSpan[]): GrowthRates | undefined {
    const begin = this.#samples.findIndex(({ answered, accepted }) => answered > accepted);
    if (begin < 0) return undefined;
    const { ms, due, accepted } = sumSteps(this.#samples.slice(begin), disturbed);
    if (ms < WINDOW_MS || accepted < LEAST_ANSWERS || accepted >= KEEPS_UP * due) return undefined;
    return { due: perSecond(due, ms), accepted: perSecond(accepted, ms) };
  }

  /**
   * How much longer attempts wait because the receiver accepted fewer than came due. Leaves out the time in which
   * something disturbed it. Milliseconds, by Little's law; 0: the receiver kept up, or chance explains the difference.
   *
   * @param disturbed - on the samples' clock
   */
  deficitMsOutside(disturbed: readonly WallSpan[]): number {
    const { ms, due, accepted } = sumSteps(this.#samples, disturbed);
    const deficit = due - accepted;
    if (accepted < LEAST_ANSWERS || deficit < BY_CHANCE * Math.sqrt(due)) return 0;
    return (deficit * ms) / accepted;
  }
}

/** Adds up what happened between samples, without the steps that touch a disturbed span. */
function sumSteps(
  samples: readonly LoadSample[],
  disturbed: readonly WallSpan[],
): { readonly ms: number; readonly due: number; readonly accepted: number } {
  const sum = { ms: 0, due: 0, accepted: 0 };
  samples.forEach((to, index) => {
    const from = samples[index - 1];
    if (from === undefined || disturbed.some(({ fromMs, untilMs }) => to.atMs > fromMs && from.atMs < untilMs)) return;
    sum.ms += to.atMs - from.atMs;
    sum.due += dueBy(to) - dueBy(from);
    sum.accepted += to.accepted - from.accepted;
  });
  return sum;
}

function dueBy({ answered, waiting }: LoadSample): number {
  return answered + waiting;
}

function mean(samples: readonly LoadSample[]): number {
  return samples.reduce((sum, { waiting }) => sum + waiting, 0) / samples.length;
}

function perSecond(count: number, ms: number): number {
  return ms <= 0 ? 0 : (count * 1000) / ms;
}
