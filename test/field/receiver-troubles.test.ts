import { describe, expect, test } from "vitest";
import type { Cause } from "../../src/field/causes/cause.js";
import { inferDay } from "../../src/field/causes/infer-day.js";
import type { FieldAnswer, FieldEvent } from "../../src/field/field-event.js";

const start = Date.parse("2026-03-04T06:00:00.000Z");
const minute = 60_000;

/** Texts to three phones, one each 20 seconds, for four hours. */
function texts(): FieldEvent[] {
  return Array.from({ length: 720 }, (_, index) => {
    const atMs = start + index * 20_000 + ((index * 7919) % 9_000);
    return eventAt(atMs, index);
  });
}

function eventAt(atMs: number, index: number, answer: FieldAnswer = { status: 200, tookMs: 20 }): FieldEvent {
  const time = new Date(atMs - 100).toISOString().slice(0, 23);
  const relayer = 31 + (index % 3);
  const body = new URLSearchParams({
    event: "mo_sms",
    relayer: String(relayer),
    relayer_phone: `+2507880000${relayer}`,
    sms: String(1000 + index),
    phone: `+2507811000${10 + (index % 20)}`,
    text: `report ${index}`,
    status: "D",
    direction: "I",
    time,
  }).toString();
  return { place: index + 1, atMs, body, answer };
}

function between(event: FieldEvent, fromMinute: number, toMinute: number): boolean {
  return event.atMs >= start + fromMinute * minute && event.atMs < start + toMinute * minute;
}

function placed(events: readonly FieldEvent[]): FieldEvent[] {
  return events.toSorted((one, other) => one.atMs - other.atMs).map((event, index) => ({ ...event, place: index + 1 }));
}

describe("a receiver", () => {
  test("that answers 500 for ten minutes is in trouble so long, and its retries are no second events", () => {
    const events = texts().flatMap((event): FieldEvent[] =>
      between(event, 60, 70)
        ? [
            { ...event, answer: { status: 500, tookMs: 5 } },
            { ...event, atMs: event.atMs + 15 * minute },
          ]
        : [event],
    );
    const { causes, day, unexplained } = inferDay(placed(events));
    expect(causes).toMatchObject([{ verb: "receiver", args: { answers: "500" } }]);
    const [cause] = causes;
    const { fromMs, toMs = 0, evidence } = cause as Cause;
    expect(fromMs).toBeGreaterThanOrEqual(start + 60 * minute - 1);
    expect(toMs).toBeLessThanOrEqual(start + 70 * minute + 1_000);
    expect(toMs - fromMs).toBeGreaterThan(9 * minute);
    expect(evidence).toContain("30 with status 500");
    expect(day.rows.length).toBe(720);
    expect(unexplained).toEqual([]);
  });

  test("that is slow for a time is slow, and one that says nothing hangs", () => {
    const events = texts().map((event) => {
      if (between(event, 60, 70)) return { ...event, answer: { status: 200, tookMs: 2_400 } };
      return between(event, 120, 130) ? { ...event, answer: { tookMs: 5_000 } } : event;
    });
    expect(inferDay(events).causes.map(({ verb, args }) => [verb, args["answers"]])).toEqual([
      ["receiver", "slow"],
      ["receiver", "hang"],
    ]);
  });

  test("that fails now and then is in no state of failing", () => {
    const events = texts().map((event, index) =>
      (index * 7919) % 13 === 0 ? { ...event, answer: { status: 500, tookMs: 5 } } : event,
    );
    expect(inferDay(events).causes).toEqual([]);
  });

  test("that stood still, or was behind, is no fault of a phone", () => {
    // All waits in one queue for ten minutes, and is then posted in order, one each half second.
    let freeMs = 0;
    const stalled = texts().map((event) => {
      const fromMs = between(event, 60, 70) ? start + 70 * minute : event.atMs;
      freeMs = Math.max(fromMs, freeMs + 500);
      return { ...event, atMs: freeMs };
    });
    expect(inferDay(stalled).causes.filter(({ relayer }) => relayer !== undefined)).toEqual([]);
    // A receiver that takes more time for each event than there is: the delay grows slowly.
    freeMs = 0;
    const behind = texts().map((event) => {
      freeMs = Math.max(event.atMs, freeMs + (between(event, 60, 120) ? 24_000 : 1_000));
      return { ...event, atMs: freeMs };
    });
    expect(inferDay(behind).causes.filter(({ relayer }) => relayer !== undefined)).toEqual([]);
  });
});
