import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Burst, correctReceiver, type CorrectReceiver, hostSeconds } from "./busy-machine.js";
import { findingsUnder, type Load, measuresUnder, oneWorker, type Receiver } from "./planted.js";
import { runs } from "../support/effort.js";

const bursts: fc.Arbitrary<readonly Burst[]> = fc.array(
  fc.record({
    fromMs: fc.integer({ min: 0, max: 28_000 }),
    lengthMs: fc.integer({ min: 500, max: 4000 }),
    othersPerCore: fc.constantFrom(6, 10, 15, 20),
  }),
  { maxLength: 6 },
);

const receivers: fc.Arbitrary<CorrectReceiver> = fc.record({
  waitsMs: fc.constantFrom(0, 10, 20),
  workMs: fc.constantFrom(0.2, 0.5, 1),
});

const lastsMs = 30_000;

/** The faults that a simulated run of a receiver is accused of. */
function accusations(load: Load): string[] {
  return findingsUnder({ lastsMs, ...load }).flatMap(({ weight, text }) => (weight === "bad" ? [text] : []));
}

describe("a correct receiver beside bursts of work of other programs", () => {
  it.each(["open", "closed"] as const)("is accused of nothing: %s", (model) => {
    const cases = fc.record({
      drawn: bursts,
      receiver: receivers,
      perSecond: fc.constantFrom(2, 5, 40, 150, 300),
      seed: fc.integer({ min: 1, max: 1e6 }),
    });
    fc.assert(
      fc.property(cases, ({ drawn, receiver, perSecond, seed }) => {
        const load = { receiver: correctReceiver(receiver, drawn, seed), perSecond, model };
        expect(accusations({ ...load, host: hostSeconds(drawn, 2 * lastsMs) })).toEqual([]);
      }),
      { numRuns: runs(30) },
    );
  });

  it("would be accused without the record of the machine: the simulation is hard enough", () => {
    const drawn = [8000, 20_000].map((fromMs) => ({ fromMs, lengthMs: 3000, othersPerCore: 15 }));
    const load = (seed: number): Load => ({
      receiver: correctReceiver({ waitsMs: 10, workMs: 1 }, drawn, seed),
      perSecond: 40,
    });
    const seeds = Array.from({ length: 10 }, (_, index) => index + 1);
    expect(seeds.filter((seed) => accusations(load(seed)).length > 0).length).toBeGreaterThanOrEqual(8);
    expect(
      seeds.filter((seed) => accusations({ ...load(seed), host: hostSeconds(drawn, 2 * lastsMs) }).length > 0),
    ).toEqual([]);
  });

  it("says in how many seconds the machine was busy, once", () => {
    const drawn = [{ fromMs: 8000, lengthMs: 3000, othersPerCore: 15 }];
    const receiver = correctReceiver({ waitsMs: 10, workMs: 1 }, drawn, 1);
    const { findings, host } = measuresUnder({
      receiver,
      lastsMs,
      perSecond: 40,
      host: hostSeconds(drawn, 2 * lastsMs),
    });
    expect(host).toMatchObject({
      busySeconds: 3,
      busy: [{ fromMs: 8000, untilMs: 11_000, share: 1 }],
      othersPerCore: 15,
    });
    expect(findings.map(({ kind, weight, text }) => [kind, weight, text])).toEqual([
      [
        "host",
        "note",
        expect.stringMatching(
          /^This machine was busy in 3 of 3\d s, with up to 15 other tasks for each core; what is said about the receiver's speed leaves those seconds out, and the time in which queues drained: \d+ of 1,\d{3} requests\.$/,
        ),
      ],
    ]);
    expect(measuresUnder({ receiver: () => ({ ms: 5 }), lastsMs }).findings).toEqual([]);
  });
});

describe("a fault beside bursts of work is found", () => {
  const drawn = [5000, 40_000].map((fromMs) => ({ fromMs, lengthMs: 2000, othersPerCore: 15 }));
  const host = hostSeconds(drawn, 60_000);
  const found = (receiver: Receiver, load: Partial<Load> = {}): readonly string[] =>
    findingsUnder({ receiver, host, ...load }).flatMap(({ weight, kind }) => (weight === "bad" ? [kind] : []));

  it("slowness, silence and stalls", () => {
    expect(found((writtenMs) => ({ ms: writtenMs > 20_000 && writtenMs < 25_000 ? 153 : 3 }))).toEqual(["slow"]);
    expect(found((writtenMs) => ({ ms: writtenMs > 3000 && writtenMs < 12_000 ? 153 : 3 }))).toEqual(["slow"]);
    const silent: Receiver = (writtenMs) => ({
      ms: writtenMs > 20_000 && writtenMs < 23_000 ? 23_000 - writtenMs + 3 : 3,
    });
    expect(found(silent)).toEqual(["silence"]);
    const stalls: Receiver = (writtenMs) => {
      const phase = writtenMs % 5000;
      return { ms: phase < 300 ? 300 - phase + 3 : 3 };
    };
    expect(found(stalls)).toEqual(["stalls"]);
  });

  it("a saturation, with rates outside the busy seconds", () => {
    const [first] = findingsUnder({ receiver: oneWorker(5), perSecond: 480, host });
    expect(first).toMatchObject({ kind: "saturation", weight: "bad" });
    expect(first?.text).toMatch(/^The receiver answered 200\/s of the 4[78]\d\/s due from 0:00:00 on; /);
  });

  it("a saturation on a machine that was never quiet is a note: what was answered of what was due", () => {
    const always = hostSeconds([{ fromMs: 0, lengthMs: 300_000, othersPerCore: 5 }], 300_000);
    const load = { receiver: oneWorker(5), perSecond: 480, host: always };
    const findings = findingsUnder(load);
    expect(findings.map(({ kind, weight }) => [kind, weight])).toEqual([
      ["host", "note"],
      ["saturation", "note"],
    ]);
    expect(findings[1]?.text).toMatch(
      /^200\/s of the 4[78]\d\/s due were answered from 0:00:00 on; this machine was busy and may be the cause\.$/,
    );
    expect(findingsUnder({ ...load, receiver: () => ({ ms: 5 }) }).map(({ kind }) => kind)).toEqual(["host"]);
  });

  it("timeouts, except those whose wait was mostly busy", () => {
    const receiver: Receiver = (writtenMs) => {
      const isBurst = drawn.some(({ fromMs }) => writtenMs > fromMs + 500 && writtenMs < fromMs + 1000);
      const isHanging = writtenMs > 20_000 && writtenMs < 20_300;
      return isBurst || isHanging ? { ms: 1000, status: null } : { ms: 3 };
    };
    const findings = findingsUnder({ receiver, host }).filter(({ kind }) => kind === "failures");
    expect(findings.map(({ weight, of }) => [weight, of])).toEqual([
      ["bad", "timeout"],
      ["note", "timeout"],
    ]);
    expect(findings[1]?.text).toMatch(
      /^\d+ attempts \(.* %\) had no answer in time while this machine was busy, which may/,
    );
  });

  it("among others that want a core each, slowness must exceed what they explain", () => {
    const others = (othersPerCore: number): Load["host"] =>
      Array.from({ length: 60 }, (_, second) => ({ atMs: 1000 * second, share: 0, othersPerCore }));
    const slow: Receiver = (writtenMs) => ({ ms: writtenMs > 20_000 && writtenMs < 25_000 ? 153 : 3 });
    expect(found(slow, { host: others(1) })).toEqual(["slow"]);
    expect(found(slow, { host: others(3) })).toEqual([]);
  });
});

describe("a slow period", () => {
  it("of a dozen attempts is no finding, nor of one in a hundred", () => {
    const slow = (fromMs: number, untilMs: number): Receiver => {
      return (writtenMs) => ({ ms: writtenMs > fromMs && writtenMs < untilMs ? 153 : 3 });
    };
    expect(accusations({ receiver: slow(10_000, 12_400), perSecond: 5 })).toEqual([]);
    expect(accusations({ receiver: slow(10_000, 12_400), perSecond: 50 })).toEqual([expect.stringContaining("Slow")]);
    expect(accusations({ receiver: slow(60_000, 61_000), perSecond: 100, lastsMs: 120_000 })).toEqual([]);
  });

  it("in which the lab itself was late by half as much is no finding", () => {
    const isSlow = (atMs: number): boolean => atMs > 10_000 && atMs < 13_000;
    const load = { receiver: (writtenMs: number) => ({ ms: isSlow(writtenMs) ? 153 : 3 }), perSecond: 50 };
    expect(accusations({ ...load, latenessMs: (dueMs) => (isSlow(dueMs) ? 100 : 0) })).toEqual([]);
    expect(accusations({ ...load, latenessMs: (dueMs) => (isSlow(dueMs) ? 20 : 0) })).toHaveLength(1);
  });
});
