import fc from "fast-check";
import { expect, it } from "vitest";
import { followRow } from "../../../src/console/page/design/list-cursor.js";

it("the cursor of a list stays on its row while rows come above it and go", () => {
  const rows = fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(
      rows,
      fc.nat(),
      fc.array(fc.integer({ max: -1 }), { maxLength: 300 }),
      fc.nat(),
      (before, at, added, gone) => {
        const key = before[at % before.length];
        const left = before.filter((row, index) => row === key || index % (1 + (gone % 7)) !== 1);
        const after = [...new Set(added), ...left];
        const followed = followRow(
          { index: at % before.length, key },
          { count: after.length, keyAt: (index) => after[index] },
        );
        expect(followed).toEqual({ index: after.indexOf(key as number), key });
      },
    ),
  );
});

it("a cursor on a row that is being fetched takes the row that comes, and one whose row is gone keeps its place", () => {
  const keyAt = (index: number): string | undefined => ["a", "b", "c"][index];
  expect(followRow({ index: 1, key: undefined }, { count: 3, keyAt: () => undefined })).toEqual({
    index: 1,
    key: undefined,
  });
  expect(followRow({ index: 1, key: undefined }, { count: 3, keyAt })).toEqual({ index: 1, key: "b" });
  expect(followRow({ index: 1, key: "x" }, { count: 3, keyAt })).toEqual({ index: 1, key: "x" });
  expect(followRow({ index: 9, key: "x" }, { count: 3, keyAt })).toEqual({ index: 2, key: undefined });
});
