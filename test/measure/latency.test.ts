import fc from "fast-check";
import { build } from "hdr-histogram-js";
import { expect, it } from "vitest";
import { Latency } from "../../src/measure/index.js";
import { runs } from "../support/effort.js";

const spans = fc.array(fc.double({ min: 0.001, max: 600_000, noNaN: true }), { minLength: 1, maxLength: 300 });

function latencyOf(all: Iterable<number>): Latency {
  const latency = new Latency();
  for (const span of all) latency.record(span);
  return latency;
}

it("an empty histogram has null values, not 0", () => {
  const latency = new Latency();
  expect(latency.percentiles()).toEqual({ p50: null, p95: null, p99: null, max: null });
  expect([latency.minMs, latency.meanMs, latency.maxMs, latency.percentile(99.9)]).toEqual([null, null, null, null]);
  expect(latency.countsUpTo([1, 2])).toEqual([0, 0]);
  expect(latency.bytes).toBe(0);
});

it("percentiles equal those of the sorted list to a thousandth; minimum, mean and maximum are exact", () => {
  fc.assert(
    fc.property(spans, fc.double({ min: 0.01, max: 100, noNaN: true }), (all, percentile) => {
      const latency = latencyOf(all);
      const sorted = all.toSorted((a, b) => a - b);
      expect(latency.maxMs).toBe(sorted.at(-1));
      expect(latency.minMs).toBe(sorted[0]);
      expect(latency.meanMs).toBeCloseTo(all.reduce((sum, span) => sum + span, 0) / all.length, 6);
      for (const wanted of [50, 95, 99, percentile]) {
        const exact = sorted[Math.max(0, Math.ceil((wanted * sorted.length) / 100 - 1e-6) - 1)] ?? 0;
        expect(Math.abs((latency.percentile(wanted) ?? NaN) - exact)).toBeLessThanOrEqual(exact / 1000 + 0.001);
      }
    }),
    { numRuns: runs(50) },
  );
});

it("its buckets equal those of the library's histogram", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3_600_000_000 }), { minLength: 1, maxLength: 200 }), (all) => {
      const library = build({
        lowestDiscernibleValue: 1,
        highestTrackableValue: 3_600_000_000,
        numberOfSignificantValueDigits: 3,
      });
      for (const microseconds of all) library.recordValue(microseconds);
      const ours = latencyOf(all.map((microseconds) => microseconds / 1000));
      for (const percentile of [1, 10, 50, 75, 90]) {
        const theirs = Math.min(library.getValueAtPercentile(percentile) / 1000, Math.max(...all) / 1000);
        expect(Math.max(theirs, ours.minMs ?? 0)).toBeCloseTo(ours.percentile(percentile) ?? NaN, 6);
      }
    }),
    { numRuns: runs(50) },
  );
});

it("the sum of two histograms equals one of all values, packed or not", () => {
  fc.assert(
    fc.property(spans, spans, (one, two) => {
      const both = latencyOf([...one, ...two]);
      const added = latencyOf(one);
      added.add(latencyOf(two));
      const packed = latencyOf(one);
      packed.addPacked(latencyOf(two).pack());
      for (const sum of [added, packed]) {
        expect(sum.pack()).toEqual({ ...both.pack(), sumMs: sum.sumMs });
        expect(sum.sumMs).toBeCloseTo(both.sumMs, 3);
      }
    }),
    { numRuns: runs(25) },
  );
});

it("counts up to bounds like a cumulative histogram with these bounds", () => {
  fc.assert(
    fc.property(spans, (all) => {
      const boundsMs = [1, 10, 100, 1000, 10_000, 100_000];
      const counts = latencyOf(all).countsUpTo(boundsMs);
      boundsMs.forEach((bound, index) => {
        const within = (width: number): number => all.filter((span) => span <= bound * width).length;
        expect(counts[index]).toBeGreaterThanOrEqual(within(0.998) - 0);
        expect(counts[index]).toBeLessThanOrEqual(within(1.002));
      });
    }),
    { numRuns: runs(25) },
  );
});

it("invalid durations do no harm, and clear() empties it", () => {
  const latency = latencyOf([-5, 10_000_000]);
  expect(latency.percentiles().max).toBe(10_000_000);
  expect(latency.minMs).toBe(0);
  expect(latency.percentile(99.9)).toBe(10_000_000);
  latency.clear();
  expect(latency.count).toBe(0);
  latency.record(3);
  expect(latency.percentiles()).toEqual({ p50: 3, p95: 3, p99: 3, max: 3 });
});

it("99.9 of a thousand is the 999th", () => {
  const latency = latencyOf(Array.from({ length: 1000 }, (_, index) => index + 1));
  expect(latency.percentile(99.9)).toBeCloseTo(999, 0);
  expect(latency.percentile(50)).toBeCloseTo(500, 0);
});
