import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Digest, digestOfRecording, Recording } from "../../src/store/index.js";
import { eventRow, meta } from "./samples.js";
import { runs } from "../support/effort.js";

/** Events with unique (channel, number), and many of equal time. */
const events = fc
  .uniqueArray(
    fc.record({
      atMs: fc.nat(40),
      channel: fc.integer({ min: 1, max: 12 }),
      number: fc.integer({ min: 1, max: 12 }),
      body: fc.string({ unit: "grapheme", maxLength: 20 }),
    }),
    { selector: ({ channel, number }) => channel * 100 + number, maxLength: 60 },
  )
  .map((list) => list.sort((a, b) => a.atMs - b.atMs));

describe("a digest", () => {
  it("is the SHA-256 of times and bodies in the order of time, channel and number", () => {
    const digest = new Digest();
    digest.add({ atMs: 5, channel: 2, number: 1, body: "b=é" });
    digest.add({ atMs: 5, channel: 1, number: 2, body: "a=2" });
    digest.add({ atMs: 5, channel: 1, number: 1, body: "a=1" });
    digest.add({ atMs: 60_000, channel: 1, number: 3, body: "c" });
    const bytes = "5\u001fa=1\u001e5\u001fa=2\u001e5\u001fb=é\u001e60000\u001fc\u001e";
    expect(digest.hex()).toBe(createHash("sha256").update(bytes, "utf8").digest("hex"));
  });

  it("of no events is the SHA-256 of no bytes", () => {
    expect(new Digest().hex()).toBe(createHash("sha256").digest("hex"));
  });

  it("does not depend on the order within an instant, and is the same for a recording", () => {
    fc.assert(
      fc.property(events, fc.infiniteStream(fc.nat()), (list, draws) => {
        const shuffled = list
          .map((event) => ({ event, draw: draws.next().value }))
          .sort((a, b) => a.event.atMs - b.event.atMs || a.draw - b.draw)
          .map(({ event }) => event);
        const [first, second] = [new Digest(), new Digest()];
        const recording = Recording.create(":memory:", meta);
        for (const event of list) first.add(event);
        shuffled.forEach((event, index) => {
          second.add(event);
          recording.event(eventRow({ ...event, row: index + 1 }));
        });
        expect(second.hex()).toBe(first.hex());
        expect(digestOfRecording(recording.reader())).toBe(first.hex());
        recording.close();
      }),
      { numRuns: runs(25) },
    );
  });

  it("refuses an event before the last one, and any event once it is complete", () => {
    const digest = new Digest();
    digest.add({ atMs: 5, channel: 1, number: 1, body: "" });
    expect(() => digest.add({ atMs: 4, channel: 1, number: 2, body: "" })).toThrow("event at 4 after one at 5");
    expect(digest.hex()).toBe(digest.hex());
    expect(() => digest.add({ atMs: 6, channel: 1, number: 2, body: "" })).toThrow("the digest is complete");
  });
});

describe("events of a recording", () => {
  it("are read in order with their attempts, over several pages and instants with many events", () => {
    const recording = Recording.create(":memory:", meta);
    const total = 5000;
    for (let row = 1; row <= total; row++) {
      // Instants of 1, 2, 3... events, each written with the highest channel first.
      const atMs = Math.floor((Math.sqrt(8 * row + 1) - 1) / 2) * 10;
      recording.event(eventRow({ row, channel: total - row + 1, number: 1, atMs, body: `n=${row}` }));
      if (row % 3 !== 0) continue;
      for (let attempt = 1; attempt <= 2; attempt++) {
        recording.attempt({ ...retried, channel: total - row + 1, number: 1, try: attempt, latencyMs: row });
      }
    }
    const events = [...recording.reader().events()];
    const keys = events.map(({ atMs, channel }) => atMs * 10_000 + channel);
    expect(keys).toEqual([...keys].sort((a, b) => a - b));
    expect(events).toHaveLength(total);
    for (const { row, attempts } of events) {
      expect(attempts.map((attempt) => [attempt.try, attempt.latencyMs])).toEqual(
        row % 3 === 0
          ? [
              [1, row],
              [2, row],
            ]
          : [],
      );
    }
    recording.close();
  });
});

const retried = {
  url: "http://127.0.0.1:8000/events",
  dueAtMs: 0,
  effectAtMs: 0,
  sentWallMs: 0,
  durationMs: 1,
  status: 500,
  error: null,
  outcome: "retried",
  headers: null,
  body: null,
  bodyBytes: 0,
  redirects: [],
  latenessMs: null,
  isRepeat: false,
  step: null,
};
