import { describe, expect, it } from "vitest";
import { findingsUnder, type Load, oneWorker, type Receiver } from "./planted.js";
import { randomNumbers } from "../support/random.js";

function told(load: Load): string[] {
  return findingsUnder(load).map(({ text }) => text);
}

/** Answers within a few milliseconds. */
function quick(seed = 1): Receiver {
  const random = randomNumbers(seed);
  return () => ({ ms: 2 + 6 * random() });
}

describe("a saturated receiver", () => {
  it("is reported with both rates, the queue and the time to drain", () => {
    const [first] = findingsUnder({ receiver: oneWorker(5), perSecond: 480 });
    expect(first).toMatchObject({ kind: "saturation", weight: "bad" });
    expect(first?.text).toMatch(
      /^The receiver answered 200\/s of the 4[78]\d\/s due from 0:00:00 on; 1[67],\d{3} events waited at the end, 1 min 2\d s to drain; all 50 connections were busy, service time 250 ms, \d+(\.\d)? ms at low load\.$/,
    );
  });

  it("from the middle of the run on", () => {
    const worker = oneWorker(5);
    const [text] = told({
      receiver: (writtenMs, nth) => (writtenMs < 20_000 ? { ms: 3 } : worker(writtenMs, nth)),
      perSecond: 400,
    });
    expect(text).toMatch(/^The receiver answered 200\/s of the (39|40)\d\/s due from 0:00:20 on; /);
    expect(text).toMatch(/, 3(\.\d)? ms at low load\.$/);
  });

  it("for a while: with begin and end", () => {
    const worker = oneWorker(4);
    const [text] = told({
      receiver: (writtenMs, nth) => (writtenMs < 20_000 || writtenMs > 30_000 ? { ms: 3 } : worker(writtenMs, nth)),
      perSecond: 400,
    });
    expect(text).toMatch(
      /^The receiver answered 250\/s of the (39|40)\d\/s due from 0:00:20 to 0:00:30; 1,[345]\d\d events waited at its end/,
    );
  });

  it("is not blamed when the number of connections is the limit", () => {
    const [first] = findingsUnder({ receiver: () => ({ ms: 250 }), perSecond: 480 });
    expect(first?.text).toMatch(
      /^All 50 connections were busy from 0:00:00 on; at a service time of 250 ms, with or without load, they carried (199|200)\/s of the 4[78]\d\/s due; .* more connections may carry more\.$/,
    );
    expect(told({ receiver: () => ({ ms: 250 }), perSecond: 480, connections: 400 })).toEqual([]);
  });

  it("is not blamed when the generator lagged", () => {
    const late = (dueMs: number): number => dueMs / 2;
    const found = findingsUnder({ receiver: quick(), perSecond: 200, latenessMs: late });
    expect(found.filter(({ weight }) => weight === "bad")).toEqual([]);
    const both = findingsUnder({ receiver: oneWorker(8), perSecond: 200, latenessMs: (dueMs) => dueMs / 4 });
    expect(both.filter(({ weight }) => weight === "bad")).toEqual([]);
  });

  it("is not saturated in the closed model", () => {
    expect(
      told({ receiver: oneWorker(5), perSecond: 480, model: "closed" }).filter((text) => text.includes("due")),
    ).toEqual([]);
  });
});

describe("planted faults", () => {
  it("periodic stalls: length and period", () => {
    const stalls: Receiver = (writtenMs) => {
      const phase = writtenMs % 5000;
      return { ms: phase < 300 ? 300 - phase + 3 : 3 };
    };
    expect(told({ receiver: stalls })).toEqual([
      expect.stringMatching(
        /^Stalls of about (2[89]0|3[0-3]0) ms every 5(\.0)? s, 1[12] of them from 0:00:0[05] to 0:00:55: nothing is answered meanwhile\.$/,
      ),
    ]);
  });

  it("one long silence", () => {
    const silent: Receiver = (writtenMs) => ({
      ms: writtenMs > 20_000 && writtenMs < 23_000 ? 23_000 - writtenMs + 3 : 3,
    });
    const [first] = findingsUnder({ receiver: silent, perSecond: 100 });
    expect(first).toMatchObject({ kind: "silence", weight: "bad" });
    expect(first?.text).toMatch(/^Nothing was answered for (2\.9|3) s from 0:00:20 to 0:00:23/);
  });

  it("a slow period: when, and how slow", () => {
    const slow: Receiver = (writtenMs) => ({ ms: writtenMs > 20_000 && writtenMs < 25_000 ? 153 : 3 });
    expect(told({ receiver: slow })).toEqual([
      expect.stringMatching(
        /^Slow from 0:00:20 to 0:00:25: mean service time 15\d ms against 3 ms otherwise, over [45]\d\d attempts\.$/,
      ),
    ]);
  });

  it("bursts of failures: number, length and period", () => {
    const failing: Receiver = (writtenMs) => ({ ms: 3, ...(writtenMs % 10_000 < 1000 && { status: 503 }) });
    const texts = told({ receiver: failing, lastsMs: 40_000 });
    expect(texts).toEqual([
      expect.stringMatching(
        /^\d{3} attempts \((9|10)\.?\d* %\) were answered with status 503, in 4 bursts of 1 s, every 10 s\.$/,
      ),
    ]);
  });

  it("scattered failures are no bursts", () => {
    const random = randomNumbers(3);
    const texts = told({ receiver: () => ({ ms: 3, ...(random() < 0.03 && { status: 500 }) }) });
    expect(texts).toEqual([
      expect.stringMatching(
        /^\d+ attempts \([23]\.?\d* %\) were answered with status 500, from 0:00:00 to 0:(00:59|01:00)\.$/,
      ),
    ]);
  });

  it("a type that is refused, all or some events", () => {
    const typeOf = (nth: number): string => (nth % 4 === 0 ? "mo_call" : "mo_sms");
    const all: Receiver = (_, nth) => ({ ms: 3, ...(nth % 4 === 0 && { status: 404 }) });
    expect(told({ receiver: all, typeOf })).toEqual([
      expect.stringMatching(
        /^The receiver refuses every mo_call event: all 1,\d{3} attempts were answered with status 404\.$/,
      ),
    ]);
    const some: Receiver = (_, nth) => ({ ms: 3, ...(nth % 8 === 0 && { status: 404 }) });
    expect(told({ receiver: some, typeOf })).toEqual([
      expect.stringMatching(
        /^The receiver refuses mo_call events: \d+ of 1,\d{3} \((49|50)\.?\d* %\) attempts were answered with status 404\.$/,
      ),
    ]);
  });

  it("the worst comes first", () => {
    const worker = oneWorker(5);
    const kinds = findingsUnder({
      receiver: (writtenMs, nth) => ({ ...worker(writtenMs, nth), ...(nth % 50 === 0 && { status: 500 }) }),
      perSecond: 480,
    }).map(({ kind }) => kind);
    expect(kinds).toEqual(["saturation", "failures"]);
  });

  it("what was counted comes before what was inferred from times, however few it is", () => {
    const receiver: Receiver = (writtenMs) => ({ ms: writtenMs > 20_000 && writtenMs < 40_000 ? 153 : 3 });
    expect(findingsUnder({ receiver, doubles: 1 }).map(({ kind }) => kind)).toEqual(["doubles", "slow"]);
    const growing: Receiver = (_, nth) => ({ ms: 1 + nth / 50 });
    expect(findingsUnder({ receiver: growing, doubles: 1 }).map(({ kind }) => kind)).toEqual(["doubles", "trend"]);
  });
});

describe("no finding", () => {
  it("about a fast receiver", () => {
    expect(told({ receiver: quick() })).toEqual([]);
    expect(told({ receiver: quick(), perSecond: 5 })).toEqual([]);
    expect(told({ receiver: quick(), perSecond: 900, lastsMs: 20_000 })).toEqual([]);
  });

  it("about a receiver that is slow at any load, with enough connections", () => {
    expect(told({ receiver: () => ({ ms: 2000 }), perSecond: 20 })).toEqual([]);
  });

  it("about a receiver with a long tail", () => {
    const random = randomNumbers(5);
    expect(told({ receiver: () => ({ ms: random() < 0.01 ? 200 + 400 * random() : 4 }) })).toEqual([]);
  });

  it("about a receiver on a noisy host, where the generator pauses sometimes", () => {
    const random = randomNumbers(11);
    const pauses = Array.from({ length: 30 }, () => [60_000 * random(), 50 + 250 * random()] as const);
    const leftMs = (atMs: number): number =>
      Math.max(0, ...pauses.map(([from, ms]) => (atMs >= from && atMs < from + ms ? from + ms - atMs : 0)));
    const found = findingsUnder({ receiver: quick(), latenessMs: leftMs });
    expect(found.filter(({ weight }) => weight === "bad")).toEqual([]);
    // A pause of the host delays both, and an answer read late counts as service time.
    const held = findingsUnder({ receiver: (writtenMs) => ({ ms: 4 + leftMs(writtenMs) }), latenessMs: leftMs });
    expect(held.filter(({ weight }) => weight === "bad")).toEqual([]);
  });

  it("about irregular short stops", () => {
    const random = randomNumbers(2);
    const stops = Array.from({ length: 9 }, () => 60_000 * random());
    const leftMs = (atMs: number): number =>
      Math.max(0, ...stops.map((from) => (atMs >= from && atMs < from + 250 ? from + 250 - atMs : 0)));
    expect(told({ receiver: (writtenMs) => ({ ms: 4 + leftMs(writtenMs) }) })).toEqual([]);
  });
});
