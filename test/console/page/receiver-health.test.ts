import { expect, it } from "vitest";
import { receiverTrouble } from "../../../src/console/page/domain/receiver-health.js";

type Log = Parameters<typeof receiverTrouble>[1];

const attempt = (status: number | null, error: string | null = null): Log[number] => ({
  kind: "attempt",
  id: "1/1",
  handset: "clinic/0",
  atMs: 0,
  try: 1,
  status,
  error,
  outcome: status === 200 ? "accepted" : status === null ? "connection" : "retried",
  durationMs: 1,
});
const seconds = (...pairs: readonly [accepted: number, failures: number][]) =>
  pairs.map(([accepted, failures]) => ({ accepted, failures }));

it("a receiver that accepts most attempts, or was sent nothing, is in no trouble", () => {
  expect(receiverTrouble([], [])).toBeUndefined();
  expect(receiverTrouble(seconds([0, 0], [0, 0]), [])).toBeUndefined();
  expect(receiverTrouble(seconds([50, 49]), [attempt(503)])).toBeUndefined();
  expect(receiverTrouble(seconds([0, 2]), [attempt(503)])).toBeUndefined();
});

it("a receiver that accepts nothing is down, and stays so while nothing is sent", () => {
  const log = [attempt(503), attempt(null, "ECONNREFUSED"), attempt(null, "ECONNREFUSED"), attempt(200)];
  const down = { state: "down", failed: 4, attempts: 4, cause: "No connection" };
  expect(receiverTrouble(seconds([0, 4], [0, 0], [0, 0]), log)).toEqual(down);
  expect(receiverTrouble(seconds([3, 0], [0, 4]), log)).toEqual({ ...down, state: "failing", attempts: 7 });
});

it("seconds long ago do not count: a receiver that recovered is in no trouble", () => {
  expect(receiverTrouble(seconds([0, 90], [5, 0], [5, 0], [5, 0], [5, 0], [5, 0]), [attempt(503)])).toBeUndefined();
});
