import { expect, it } from "vitest";
import { FrameRing } from "../../src/console/frame-ring.js";

function ringOf(count: number, most: { frames: number; bytes: number }): FrameRing {
  const ring = new FrameRing(most);
  for (let frame = 1; frame <= count; frame++) ring.push({ frame, bytes: Buffer.alloc(10) });
  return ring;
}

const after = (ring: FrameRing, frame: number): number[] | undefined => ring.after(frame)?.map((one) => one.frame);

it("has the frames after one, as long as none of them is gone", () => {
  const ring = ringOf(9, { frames: 4, bytes: 1000 });
  expect(after(ring, 7)).toEqual([8, 9]);
  expect(after(ring, 9)).toEqual([]);
  expect(after(ring, 5)).toEqual([6, 7, 8, 9]);
  expect(after(ring, 4)).toBeUndefined();
});

it("is bounded by bytes, too, and knows no frames that are still to come", () => {
  const ring = ringOf(9, { frames: 100, bytes: 35 });
  expect(after(ring, 6)).toEqual([7, 8, 9]);
  expect(after(ring, 5)).toBeUndefined();
  expect(after(ring, 10)).toBeUndefined();
  expect(after(new FrameRing({ frames: 1, bytes: 1 }), 0)).toBeUndefined();
});
