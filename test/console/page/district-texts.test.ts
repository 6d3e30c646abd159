import { expect, it } from "vitest";
import { NewestTexts } from "../../../src/console/page/district/newest-texts.js";
import { RecentCounts } from "../../../src/console/page/district/recent-counts.js";

const text = (phone: string, village = 0, body = `from ${phone}`) =>
  ({ kind: "text", village, channel: 1, phone, body }) as const;
const bodies = (texts: NewestTexts, nowMs: number) => texts.at(nowMs).map(({ body }) => body);

it("shows a text in words, then its answer in its place, then neither", () => {
  const texts = new NewestTexts();
  texts.add(text("+1"), 0);
  texts.add({ ...text("+1", 0, "drink a lot"), kind: "message" }, 200);
  expect(bodies(texts, 1000)).toEqual(["from +1"]);
  expect(bodies(texts, 2000)).toEqual(["drink a lot"]);
  expect(texts.at(2001)).toBe(texts.at(2002));
  expect(bodies(texts, 9000)).toEqual([]);
});

it("shows few: one of a village, not many at once, no answer without its question, nothing empty", () => {
  const texts = new NewestTexts();
  texts.add(text("+1"), 0);
  texts.add(text("+2", 1), 500);
  expect(bodies(texts, 500)).toEqual(["from +1"]);
  texts.add(text("+3"), 1500);
  expect(bodies(texts, 1500)).toEqual(["from +3"]);
  texts.add({ ...text("+4", 2), kind: "message" }, 3000);
  texts.add(text("+5", 2, "  "), 3000);
  expect(bodies(texts, 5000)).toEqual(["from +3"]);
  texts.clear();
  expect(bodies(texts, 5000)).toEqual([]);
});

it("counts what each village sent and got in the last ten seconds", () => {
  const groups = [1, 9].map((firstChannel) => ({ name: "", label: "", firstChannel, firstIndex: 0, count: 8 }));
  const recent = new RecentCounts();
  recent.add([[1, 4, 2]], 0);
  recent.add(
    [
      [1, 1, 0],
      [9, 0, 7],
    ],
    6000,
  );
  const counted = recent.at(6000, groups);
  expect(counted).toEqual([
    { texts: 5, messages: 2 },
    { texts: 0, messages: 7 },
  ]);
  expect(recent.at(7000, groups)).toBe(counted);
  expect(recent.at(12_000, groups)[0]).toEqual({ texts: 1, messages: 0 });
});
