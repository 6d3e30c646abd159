import { expect, test } from "vitest";
import { compareRecordings, renderComparison, renderComparisonHtml } from "../../src/report/index.js";
import { recorded, recordedSound, receiverWithFault } from "./faulty.js";

test("two lockstep runs of one seed: the same events", async () => {
  const { url } = await receiverWithFault(() => false);
  const comparison = compareRecordings((await recordedSound()).recording, await recorded(url));
  expect(comparison).toMatchObject({ isSame: true, difference: undefined, cautions: [] });
  expect(comparison.rows.filter(({ section }) => section !== "latency" && section !== "types")).toSatisfy(
    (rows: { change: string }[]) => rows.every(({ change }) => change === "same"),
  );
});

test("another story: the first event that differs, on both sides", async () => {
  const { url } = await receiverWithFault(() => false);
  const other = await recorded(url, { set: ["story.0.at=6m"] });
  const { isSame, difference, cautions } = compareRecordings((await recordedSound()).recording, other);
  expect(isSame).toBe(false);
  expect(difference?.after).toBeGreaterThan(50);
  // Up to the fifth minute both days are the same.
  expect(difference?.one?.atMs).toBeGreaterThan(300_000);
  expect(cautions).toHaveLength(1);
  expect(cautions[0]).toContain("story.0.at=6m");
});

test("a receiver that fails more often is worse, and not by chance", async () => {
  const badly = await receiverWithFault((nth, response) => {
    if (nth % 5 !== 0) return false;
    response.writeHead(503).end();
    return true;
  });
  const comparison = compareRecordings((await recordedSound()).recording, await recorded(badly.url));
  expect(comparison.rows.find(({ name }) => name === "accepted")).toMatchObject({ change: "worse", isUnsure: false });
  const text = renderComparison(comparison, { colour: false, width: 80 });
  expect(text).toMatch(/accepted +100 % +80(\.\d)? % +x 0\.80 +▼ worse\n/);
  expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  expect(renderComparisonHtml(comparison)).toContain("▼ worse");
});

test("other options are said one by one, another receiver is not", async () => {
  const other = await receiverWithFault(() => false);
  const { cautions } = compareRecordings(
    (await recordedSound()).recording,
    await recorded(other.url, { connections: 7 }),
  );
  expect(cautions).toEqual(["the option connections differs: none before, 7 after"]);
});
