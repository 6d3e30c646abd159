import fc from "fast-check";
import { expect, it } from "vitest";
import { bucketOf, newAxis } from "../../src/report/figures/axis.js";
import { heatMapOf } from "../../src/report/figures/heat.js";
import { DurationHistograms } from "../../src/report/figures/duration-histograms.js";

it("percentiles equal those of a sorted list within 0.8 % and half a microsecond; the maximum is exact", () => {
  const spans = fc.array(fc.double({ min: 0, max: 2_000_000, noNaN: true }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(spans, fc.integer({ min: 1, max: 100 }), (list, percent) => {
      const counts = new DurationHistograms(2);
      for (const ms of list) counts.add(1, ms);
      const sorted = list.toSorted((a, b) => a - b);
      const exact = sorted[Math.ceil((percent / 100) * list.length) - 1] ?? 0;
      const [found = null] = counts.percentiles(1, [percent]);
      expect(Math.abs((found ?? -1) - exact)).toBeLessThanOrEqual(0.008 * exact + 0.0006);
      expect(counts.maxMs(1)).toBe(sorted.at(-1));
      expect(counts.percentiles(0, [percent])).toEqual([null]);
    }),
  );
});

it("a heat map has each duration in the column of its bucket", () => {
  const spans = fc.array(fc.double({ min: 0.1, max: 2000, noNaN: true }), { maxLength: 20 });
  fc.assert(
    fc.property(spans, spans, (first, second) => {
      const counts = new DurationHistograms(2);
      for (const ms of first) counts.add(0, ms);
      for (const ms of second) counts.add(1, ms);
      const { rowsFromMs, counts: cells } = heatMapOf(counts, 2);
      const rows = rowsFromMs.length;
      const column = (at: number): number[] => cells.slice(at * rows, (at + 1) * rows);
      expect([0, 1].map((at) => column(at).reduce((sum, count) => sum + count, 0))).toEqual([
        first.length,
        second.length,
      ]);
    }),
    // The longest duration of the first bucket is just below a row's upper bound.
    { examples: [[[999.4235], []]] },
  );
});

it("every instant of an axis has a bucket, and there are at most 600", () => {
  const span = fc.integer({ min: 0, max: 400 * 86_400_000 });
  fc.assert(
    fc.property(
      span,
      fc.integer({ min: 0, max: 1e6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (length, things, at) => {
        const axis = newAxis("virtual", { fromMs: 5, untilMs: 5 + length, leastWidthMs: 1000, itemCount: things });
        expect(axis.count).toBeLessThanOrEqual(600);
        const instant = 5 + Math.floor(length * at);
        const bucket = bucketOf(axis, instant);
        expect(bucket).toBeLessThan(axis.count);
        const endMs = axis.fromMs + (bucket + 1) * axis.widthMs;
        expect(instant).toBeGreaterThanOrEqual(endMs - axis.widthMs);
        // The end itself is in the last bucket.
        expect(instant).toBeLessThanOrEqual(endMs);
      },
    ),
  );
});
