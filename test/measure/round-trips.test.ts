import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RoundTrips } from "../../src/measure/index.js";
import { runs } from "../support/effort.js";

const HOUR = 3_600_000;
/** Rows of contacts. The last one has the remainder of the first. */
const [ann, bob, eve] = [1, 2, 1 + 262_144];

describe("round trips", () => {
  it("a reply ends the trip of the text that it answers", () => {
    const trips = new RoundTrips();
    trips.recordText({ contact: ann, channel: 1, number: 1, at: 100 });
    trips.recordText({ contact: ann, channel: 1, number: 2, at: 150 });
    expect(trips.matchReply({ channel: 1, number: 2 }, ann, 190)).toEqual({ channel: 1, number: 2, ms: 40 });
    expect(trips.matchReply({ channel: 1, number: 2 }, ann, 195)).toBeUndefined();
    expect(trips.matchReply({ channel: 1, number: 1 }, bob, 195)).toBeUndefined();
    expect(trips).toMatchObject({ texts: 2, matched: 1 });
  });

  it("another message to the person ends the trip of their oldest text, once", () => {
    const trips = new RoundTrips();
    trips.recordText({ contact: ann, channel: 1, number: 1, at: 0 });
    trips.recordText({ contact: bob, channel: 2, number: 1, at: 5 });
    trips.recordText({ contact: ann, channel: 2, number: 2, at: 10 });
    expect(trips.matchMessage(ann, 100)).toEqual({ channel: 1, number: 1, ms: 100 });
    expect(trips.matchMessage(ann, 110)).toEqual({ channel: 2, number: 2, ms: 100 });
    expect(trips.matchMessage(ann, 120)).toBeUndefined();
    expect(trips.matchMessage(3, 120)).toBeUndefined();
  });

  it("a message does not match a text with a later instant", () => {
    const trips = new RoundTrips();
    trips.recordText({ contact: ann, channel: 1, number: 1, at: 120 });
    trips.recordText({ contact: ann, channel: 1, number: 2, at: 125 });
    trips.recordText({ contact: ann, channel: 2, number: 1, at: 103 });
    expect(trips.matchMessage(ann, 102)).toBeUndefined();
    expect(trips.matchMessage(ann, 110)).toEqual({ channel: 2, number: 1, ms: 7 });
    expect(trips.matchMessage(ann, 119)).toBeUndefined();
    expect(trips.matchMessage(ann, 120)).toEqual({ channel: 1, number: 1, ms: 0 });
    expect(trips).toMatchObject({ matched: 2, waiting: 1 });
  });

  it("a text is dropped after an hour, and evicted when the ring is full", () => {
    const trips = new RoundTrips();
    trips.recordText({ contact: ann, channel: 1, number: 1, at: 0 });
    trips.recordText({ contact: bob, channel: 1, number: 2, at: HOUR + 1 });
    expect(trips.matchMessage(ann, HOUR + 2)).toBeUndefined();
    for (let number = 3; number <= 262_200; number++)
      trips.recordText({ contact: eve, channel: 1, number, at: HOUR + 2 });
    expect(trips.matchMessage(bob, HOUR + 3)).toBeUndefined();
    expect(trips.matchReply({ channel: 1, number: 262_200 }, eve, HOUR + 3)?.ms).toBe(1);
    expect(trips).toMatchObject({ texts: 262_200, matched: 1, forgotten: 262_200 - 262_144 - 1 });
    expect(trips.waiting).toBe(262_144);
  });

  it("texts evicted before the first effect are not found, later ones are", () => {
    const trips = new RoundTrips();
    const many = 262_144 + 10;
    for (let number = 1; number <= many; number++)
      trips.recordText({ contact: number, channel: 1, number, at: number });
    expect(trips).toMatchObject({ texts: many, matched: 0, forgotten: 10, waiting: 262_144 });
    expect(trips.matchMessage(10, many)).toBeUndefined();
    expect(trips.matchReply({ channel: 1, number: 10 }, 10, many)).toBeUndefined();
    expect(trips.matchMessage(11, many)).toEqual({ channel: 1, number: 11, ms: many - 11 });
    // The slot of the matched text is reused without an eviction.
    trips.recordText({ contact: 5, channel: 2, number: 1, at: many });
    expect(trips).toMatchObject({ matched: 1, forgotten: 10, waiting: 262_144 });
    expect(trips.matchReply({ channel: 2, number: 1 }, 5, many + 7)?.ms).toBe(7);
  });

  it("matches like a linear search over a list", () => {
    const contact = fc.constantFrom(ann, bob, eve);
    const step = fc.oneof(
      fc.record({ do: fc.constant("text" as const), contact, channel: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ do: fc.constant("message" as const), contact }),
      fc.record({ do: fc.constant("reply" as const), contact, of: fc.integer({ min: 0, max: 30 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const trips = new RoundTrips();
        let waiting: { contact: number; channel: number; number: number; at: number }[] = [];
        let number = 0;
        steps.forEach((one, index) => {
          const at = 10 * index;
          if (one.do === "text") {
            const text = { contact: one.contact, channel: one.channel, number: ++number, at };
            waiting.push(text);
            trips.recordText(text);
            return;
          }
          const of = one.do === "reply" ? waiting[one.of] : waiting.find((text) => text.contact === one.contact);
          const found = one.do === "message" || of?.contact === one.contact ? of : undefined;
          const event = { channel: of?.channel ?? 9, number: of?.number ?? 9 };
          const seen =
            one.do === "reply" ? trips.matchReply(event, one.contact, at) : trips.matchMessage(one.contact, at);
          expect(seen).toEqual(found && { channel: found.channel, number: found.number, ms: at - found.at });
          waiting = waiting.filter((text) => text !== found);
        });
        expect(trips.texts - trips.matched).toBe(waiting.length);
      }),
      { numRuns: runs(100) },
    );
  });
});
