import type { HeatMap } from "./figures.js";
import type { DurationHistograms } from "./duration-histograms.js";

const COLUMNS_MAX = 150;
const ROWS_PER_DECADE = 8;
/** Latencies below this share the lowest row. */
const LOWEST_MS = 0.1;

/** A heat map from the histograms of the buckets: columns are time, rows are latency on a logarithmic scale. */
export function heatMapOf(spans: DurationHistograms, buckets: number): HeatMap {
  const bucketsPerColumn = Math.max(1, Math.ceil(buckets / COLUMNS_MAX));
  const columns = Math.ceil(buckets / bucketsPerColumn);
  const [lowest, highest] = rowRange(spans, buckets);
  const rows = highest - lowest + 1;
  const counts = Array.from({ length: columns * rows }, () => 0);
  for (let bucket = 0; bucket < buckets; bucket++) {
    const column = Math.floor(bucket / bucketsPerColumn);
    spans.forEachCell(bucket, (spanMs, count) => {
      // The middle of a cell may lie one row above the longest duration in the cell.
      const at = column * rows + Math.min(heatRowOf(spanMs), highest) - lowest;
      counts[at] = (counts[at] ?? 0) + count;
    });
  }
  const rowsFromMs = Array.from({ length: rows }, (_, row) => LOWEST_MS * 10 ** ((lowest + row) / ROWS_PER_DECADE));
  return { bucketsPerColumn, columns, rowsFromMs, counts };
}

function heatRowOf(spanMs: number): number {
  return Math.max(0, Math.floor(Math.log10(Math.max(spanMs, LOWEST_MS) / LOWEST_MS) * ROWS_PER_DECADE));
}

/** The lowest and the highest row with any attempts. */
function rowRange(spans: DurationHistograms, buckets: number): [lowest: number, highest: number] {
  let [lowest, highest] = [Infinity, -Infinity];
  for (let bucket = 0; bucket < buckets; bucket++) {
    if (spans.count(bucket) === 0) continue;
    const [least = null] = spans.percentiles(bucket, [0]);
    lowest = Math.min(lowest, heatRowOf(least ?? 0));
    highest = Math.max(highest, heatRowOf(spans.maxMs(bucket) ?? 0));
  }
  return lowest === Infinity ? [0, 0] : [lowest, highest];
}
