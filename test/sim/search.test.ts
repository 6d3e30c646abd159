import fc from "fast-check";
import { expect, it } from "vitest";
import { lastIndexWhere } from "../../src/sim/index.js";

it("finds the last index for which the condition holds, or 0", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(60), (numbers, limit) => {
      const sorted = numbers.toSorted((a, b) => a - b);
      const found = lastIndexWhere(sorted.length, (index) => (sorted[index] as number) <= limit);
      expect(found).toBe(Math.max(0, sorted.filter((number) => number <= limit).length - 1));
    }),
  );
});
