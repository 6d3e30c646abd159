import type { Figures } from "../figures/index.js";
import { CELL_COUNT, type DurationHistograms } from "../figures/duration-histograms.js";

/** Limit of blocks per run, so that a block is longer than a stall that delays neighbouring attempts together. */
const BLOCKS_MAX = 40;

/** The attempts in one block of a run, a period of the axis. */
export interface Block {
  /** Attempts by the cell of their delivery time (`duration-histograms.ts`). */
  readonly cells: Uint32Array;
  readonly attempts: number;
  readonly failures: number;
  /** Attempts by status or error. */
  readonly answers: Readonly<Record<string, number>>;
}

/** Cuts a run into at most 40 blocks of equal length, by the due time of attempts. */
export function blocksOf({
  figures,
  spans,
}: {
  readonly figures: Figures;
  readonly spans: DurationHistograms;
}): Block[] {
  const { axis, perBucket, failures } = figures;
  const used = 1 + perBucket.attempts.findLastIndex((count) => count > 0);
  const count = Math.min(BLOCKS_MAX, used, axis.count);
  return Array.from({ length: count }, (_, index) => {
    const [from, until] = [Math.floor((index * used) / count), Math.floor(((index + 1) * used) / count)];
    const sum = (counts: readonly number[]): number => counts.slice(from, until).reduce((all, one) => all + one, 0);
    const attempts = sum(perBucket.attempts);
    const accepted = sum(perBucket.accepted);
    const cells = new Uint32Array(CELL_COUNT);
    for (let bucket = from; bucket < until; bucket++) spans.addCellsTo(bucket, cells);
    const answers = Object.fromEntries(failures.map(({ kind, perBucket: counts }) => [kind, sum(counts)]));
    return { cells, attempts, failures: attempts - accepted, answers: { ...answers, accepted } };
  });
}
