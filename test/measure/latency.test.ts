import fc from "fast-check";
import { expect, test } from "vitest";
import { Latency } from "../../src/measure/index.js";

test("nothing recorded is 0", () => {
  expect(new Latency().percentiles()).toEqual({ p50: null, p95: null, p99: null, max: null });
});

test("percentiles are those of the sorted list, to a thousandth; max is exact", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.001, max: 600_000, noNaN: true }), { minLength: 1, maxLength: 300 }),
      (spans) => {
        const latency = new Latency();
        for (const span of spans) latency.record(span);
        const sorted = spans.toSorted((a, b) => a - b);
        const { p50, p95, p99, max } = latency.percentiles();
        expect(max).toBe(sorted.at(-1));
        for (const [share, seen] of [
          [50, p50],
          [95, p95],
          [99, p99],
        ] as const) {
          const exact = sorted[Math.ceil((share / 100) * sorted.length) - 1] ?? 0;
          expect(Math.abs((seen ?? NaN) - exact)).toBeLessThanOrEqual(exact / 1000 + 0.001);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test("two add up to all, and odd spans do no harm", () => {
  const [one, two, both] = [new Latency(), new Latency(), new Latency()];
  for (let span = 1; span <= 100; span++) {
    (span % 3 === 0 ? one : two).record(span);
    both.record(span);
  }
  one.add(two);
  expect(one.percentiles()).toEqual(both.percentiles());
  expect(one.count).toBe(100);
  one.record(-5);
  one.record(10_000_000);
  expect(one.percentiles().max).toBe(10_000_000);
});
