import { expect, it } from "vitest";
import type { ChainStep } from "../../../src/console/protocol/index.js";
import { copyCausesOf, foldCopies } from "../../../src/console/page/chain/fold-copies.js";

/** A text with a number of copies, each with its event, an attempt and an answer. */
function stepsWith(copies: number): ChainStep[] {
  return Array.from({ length: copies + 1 }, (_, at) =>
    ["event", "attempt", "reply"].map((kind) => ({
      kind,
      text: "",
      at: "",
      at_ms: at * 1000,
      for_ms: null,
      event: `1/${at + 1}`,
      message: null,
      handset: null,
      person: null,
      try: null,
      copy_of: kind === "event" && at > 0 ? "1/1" : null,
      copy_why: kind === "event" && at > 0 ? (at === 3 ? "the carrier" : "the network") : null,
      by_hand: false,
    })),
  ).flat();
}

/** The events that are shown, and the copies of each fold. */
function shownOf(id: string, copies: number, isWhole = false): unknown[] {
  return foldCopies({ id, steps: stepsWith(copies) }, isWhole).flatMap((shown): unknown[] => {
    if (shown.kind === "fold") return [shown.copies];
    return shown.step.kind === "event" ? [shown.step.event] : [];
  });
}

it("few copies are all shown, each step once", () => {
  expect(shownOf("1/1", 5)).toEqual(["1/1", "1/2", "1/3", "1/4", "1/5", "1/6"]);
});

it("of many copies the first, the asked one and the last are shown, the others are folded", () => {
  expect(shownOf("1/1", 9)).toEqual(["1/1", "1/2", "1/3", ["1/4", "1/5", "1/6", "1/7", "1/8", "1/9"], "1/10"]);
  expect(shownOf("1/7", 9)).toEqual(["1/1", "1/2", "1/3", ["1/4", "1/5", "1/6"], "1/7", ["1/8", "1/9"], "1/10"]);
  expect(shownOf("1/7", 9, true)).toHaveLength(10);
});

it("one or two steps between shown ones are not folded", () => {
  const steps = stepsWith(9);
  const [late] = steps.splice(11, 1);
  steps.splice(-1, 0, ...(late === undefined ? [] : [late]));
  const folds = foldCopies({ id: "1/1", steps }, false).filter(({ kind }) => kind === "fold");
  expect(folds).toHaveLength(1);
});

it("each cause is said once, with how many copies it made", () => {
  expect(copyCausesOf({ steps: stepsWith(5) })).toBe("the network (4 times); the carrier (once)");
  expect(copyCausesOf({ steps: stepsWith(2) })).toBe("the network");
});
