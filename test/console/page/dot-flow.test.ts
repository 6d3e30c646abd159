import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DotFlow,
  endOf,
  FLIGHTS_MAX,
  type FlowFrame,
  legMs,
  positionOf,
  type SampledText,
  STREAM_FROM,
} from "../../../src/console/page/district/dot-flow.js";

const wholeWay = legMs.near + legMs.far + legMs.post;
const text = (phone: string, village = 0): SampledText => ({ kind: "text", village, channel: 1, phone, body: "hi" });
const message = (phone: string): SampledText => ({ ...text(phone), kind: "message" });

function frameOf(sample: readonly SampledText[], counts: Partial<FlowFrame["counts"][number]>[] = []): FlowFrame {
  return {
    sample,
    counts: counts.map((one) => ({ village: 0, texts: 0, messages: 0, held: 0, ...one })),
    hadQueue: () => false,
  };
}

describe("the dots of the picture", () => {
  it("show a text at person, phone, service and receiver, for two to three seconds in all", () => {
    const flow = new DotFlow();
    flow.take(frameOf([text("+1")], [{ texts: 1 }]), 1000);
    const [flight] = flow.flights;
    if (flight === undefined) throw new Error("no flight");
    const legs = [0, 700, 1800, wholeWay - 1].map((afterMs) => positionOf(flight, 1000 + afterMs)?.leg);
    expect(legs).toEqual(["near", "far", "post", "post"]);
    expect(wholeWay).toBeGreaterThanOrEqual(2000);
    expect(wholeWay).toBeLessThanOrEqual(3000);
    expect(positionOf(flight, 999)).toBeUndefined();
    expect(flow.advance(1000 + wholeWay)).toBe(false);
    expect(flow.flights).toEqual([]);
  });

  it("begin an answer at the receiver, when its question has got there", () => {
    const flow = new DotFlow();
    flow.take(frameOf([text("+1")]), 0);
    flow.take(frameOf([message("+1")]), 250);
    const [question, answer] = flow.flights;
    if (question === undefined || answer === undefined) throw new Error("no flights");
    expect(answer.startMs).toBe(endOf(question));
    expect(answer.legs).toEqual(["post", "far", "near"]);
    // Nobody asked for this one: it begins at the service.
    flow.take(frameOf([message("+2")]), 250);
    expect(flow.flights[2]?.legs).toEqual(["far", "near"]);
  });

  it("begin at the phone where texts waited, and end there while it has no link", () => {
    const flow = new DotFlow();
    flow.take({ ...frameOf([text("+1")]), hadQueue: () => true }, 0);
    flow.take(frameOf([], [{ held: 9 }]), 0);
    const legs = flow.flights.map((flight) => flight.legs.join(" "));
    expect(legs[0]).toBe("far post");
    expect(new Set(legs.slice(1))).toEqual(new Set(["near"]));
    expect(legs.length).toBeLessThan(9);
  });

  it("keep the order of each person and stay within their cap, whatever comes", () => {
    const sampled = fc.record({
      kind: fc.constantFrom("text" as const, "message" as const),
      village: fc.nat(4),
      channel: fc.constant(1),
      phone: fc.constantFrom("+1", "+2", "+3"),
      body: fc.constant("hi"),
    });
    const frames = fc.array(fc.tuple(fc.array(sampled, { maxLength: 40 }), fc.nat(800)), { maxLength: 80 });
    fc.assert(
      fc.property(frames, (all) => {
        const flow = new DotFlow();
        let nowMs = 0;
        for (const [sample, passedMs] of all) {
          nowMs += passedMs;
          flow.take(frameOf(sample), nowMs);
          flow.advance(nowMs);
          expect(flow.flights.length).toBeLessThanOrEqual(FLIGHTS_MAX);
          const ends = new Map<string, number>();
          for (const flight of flow.flights) {
            const before = ends.get(flight.phone ?? "") ?? 0;
            expect(flight.startMs).toBeGreaterThanOrEqual(before);
            ends.set(flight.phone ?? "", endOf(flight));
          }
        }
        expect(flow.advance(nowMs + 60_000)).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it("gather many texts of a village into a stream with their rate and count", () => {
    const flow = new DotFlow();
    const sample = Array.from({ length: 6 }, (_, nth) => text(`+${nth}`, 2));
    let nowMs = 0;
    for (let frame = 0; frame < 20; frame++) {
      flow.take(frameOf(sample, [{ village: 2, texts: 50 }]), (nowMs += 250));
      flow.advance(nowMs);
    }
    expect(flow.up(2).count).toBe(1000);
    // 50 texts in a quarter of a second.
    expect(flow.up(2).rate).toBeGreaterThan(180);
    expect(flow.up(2).rate).toBeLessThan(260);
    expect(flow.flights.length).toBeLessThanOrEqual(3 * 4 * 4);
    expect(flow.up(1)).toEqual({ rate: 0, count: 0 });
    flow.advance((nowMs += 2000));
    expect(flow.up(2).rate).toBeGreaterThan(STREAM_FROM);
    flow.advance(nowMs + 5000);
    expect(flow.up(2)).toEqual({ rate: 0, count: 0 });
  });

  it("refuse as many at the receiver as it does", () => {
    for (const share of [0, 0.5, 1]) {
      const flow = new DotFlow();
      flow.refusedShare = share;
      let refused = 0;
      for (let nth = 0; nth < 10; nth++) {
        flow.take(frameOf([text(`+${nth}`)]), nth * 10_000);
        flow.advance(nth * 10_000 + wholeWay - 10);
        refused += flow.flights.filter(({ isRefused }) => isRefused).length;
        flow.advance(nth * 10_000 + 9000);
      }
      expect(refused).toBe(share * 10);
    }
  });
});
