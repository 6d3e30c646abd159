import { expect, it } from "vitest";
import { markUnder } from "../../../src/console/page/time/track.js";
import type { PastMark } from "../../../src/console/protocol/index.js";

it("a pointer means a mark within six pixels, however wide the track and long the time is", () => {
  const mark: PastMark = { atMs: 500_000, kind: "beat", text: "Power cut", count: 1 };
  const past = { marks: [mark], fromMs: 0, untilMs: 1_000_000 };
  // 1000 s on 1000 and on 200 pixels: a pixel is 1 s, and 5 s.
  expect([506_000, 494_000, 507_000].map((atMs) => markUnder(past, atMs, 1000)?.text)).toEqual([
    "Power cut",
    "Power cut",
    undefined,
  ]);
  expect([530_000, 531_000].map((atMs) => markUnder(past, atMs, 200)?.text)).toEqual(["Power cut", undefined]);
});
