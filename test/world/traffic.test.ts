import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import type { Cast, RateShape, TrafficSpec } from "../../src/world/index.js";
import {
  carrier,
  castOf,
  clinic,
  exact,
  handsets,
  hour,
  WorldRig,
  minute,
  people,
  second,
  startsAtMs,
  traffic,
} from "../support/world-rig.js";

const day = 24 * hour;
const constant = (perHour: number): RateShape => ({ kind: "constant", perMs: perHour / hour });

/** When, by whom and to which channel texts of this traffic are sent. A carrier without delay, phones that never sync. */
function arrivals(
  spec: Partial<TrafficSpec>,
  {
    changes = {},
    seed = 7,
    untilMs = 10 * hour,
    count = 10,
  }: { changes?: Partial<Cast>; seed?: number; untilMs?: number; count?: number } = {},
): { atMs: number; from: string }[] {
  const rig = new WorldRig(
    castOf({
      carriers: [{ ...carrier, delay: fixed(0) }],
      handsets: [handsets({ profile: exact({ batch: 100_000 }) })],
      people: [people({ count })],
      traffic: [traffic({ people: { group: "farmers", from: 0, to: count - 1 }, ...spec })],
      ...changes,
    }),
    seed,
  );
  rig.until(untilMs);
  rig.at(untilMs + minute, { verb: "sync", of: clinic, now: true });
  rig.until(untilMs + 2 * minute);
  return rig.received
    .map(({ report }) => ({
      atMs: "timeMs" in report ? report.timeMs - startsAtMs : NaN,
      from: "phone" in report ? report.phone : "",
    }))
    .filter(({ atMs }) => atMs <= untilMs)
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** A count with this mean lies within four deviations of a Poisson count. */
function expectPoisson(count: number, mean: number): void {
  expect(Math.abs(count - mean)).toBeLessThan(4 * Math.sqrt(mean));
}

function within(all: readonly { readonly atMs: number }[], fromMs: number, toMs: number): number {
  return all.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).length;
}

describe("Poisson traffic", () => {
  it.each([1, 7, 1234])("keeps its rate, with seed %i", (seed) => {
    const all = arrivals({ shape: constant(200) }, { seed });
    expectPoisson(all.length, 2000);
    for (let at = 0; at < 10; at++) expectPoisson(within(all, at * hour, (at + 1) * hour), 200);
  });

  it("has exponentially distributed gaps", () => {
    const all = arrivals({ shape: constant(200) });
    const gaps = all.slice(1).map(({ atMs }, index) => atMs - (all[index]?.atMs ?? 0));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
    expect(deviation / mean).toBeGreaterThan(0.9);
    expect(deviation / mean).toBeLessThan(1.1);
  });

  it("comes from all senders equally", () => {
    const all = arrivals({ shape: constant(200) });
    for (let member = 0; member < 10; member++) {
      expectPoisson(all.filter(({ from }) => from === `+25078110000${member}`).length, 200);
    }
  });

  it("the rate is of the entry, for any number of senders", () => {
    expectPoisson(arrivals({ shape: constant(100) }, { count: 1000 }).length, 1000);
    expectPoisson(arrivals({ shape: constant(100) }, { count: 1 }).length, 1000);
  });

  it("runs from and until", () => {
    const all = arrivals({ shape: constant(200), fromMs: 2 * hour, untilMs: 5 * hour });
    expect(all[0]?.atMs).toBeGreaterThanOrEqual(2 * hour);
    expect(all.at(-1)?.atMs).toBeLessThan(5 * hour);
    expectPoisson(all.length, 600);
  });

  it("ends with the world", () => {
    const all = arrivals({ shape: constant(200) }, { changes: { lastsMs: hour } });
    expect(all.at(-1)?.atMs).toBeLessThan(hour);
    expectPoisson(all.length, 200);
  });

  it("is the same for equal seeds and differs for others", () => {
    const one = arrivals({ shape: constant(50) });
    expect(arrivals({ shape: constant(50) })).toEqual(one);
    expect(arrivals({ shape: constant(50) }, { seed: 8 })).not.toEqual(one);
  });
});

describe("even traffic", () => {
  it("comes at equal gaps, assigned round robin", () => {
    const all = arrivals({ arrivals: "even", shape: constant(60), fromMs: hour, untilMs: 2 * hour });
    expect(all).toEqual(
      Array.from({ length: 60 }, (_, index) => ({
        atMs: hour + index * minute,
        from: `+25078110000${index % 10}`,
      })),
    );
  });

  it("follows its shape", () => {
    const pieces = [
      { startPerMs: 0, endPerMs: 120 / hour, lastsMs: hour },
      { startPerMs: 120 / hour, endPerMs: 120 / hour, lastsMs: hour },
    ];
    const all = arrivals({ arrivals: "even", shape: { kind: "pieces", pieces } });
    expect(within(all, 0, hour)).toBe(60);
    expect(within(all, 0, 0.5 * hour)).toBe(15);
    expect(within(all, hour, 2 * hour)).toBe(120);
    expect(all).toHaveLength(180);
  });
});

describe("burst traffic", () => {
  it("comes a minute's worth at a time, assigned round robin", () => {
    const all = arrivals({ arrivals: "burst", shape: constant(1200), untilMs: hour });
    expect(all).toHaveLength(1200);
    expect(new Set(all.map(({ atMs }) => atMs))).toEqual(
      new Set(Array.from({ length: 60 }, (_, index) => index * minute)),
    );
    for (let at = 0; at < 60; at++) expect(within(all, at * minute, at * minute + 1)).toBe(20);
    for (let member = 0; member < 10; member++) {
      expect(all.filter(({ from }) => from === `+25078110000${member}`)).toHaveLength(120);
    }
  });
});

describe("shapes", () => {
  it("ramps, holds and ends", () => {
    const high = 600 / hour;
    const pieces = [
      { startPerMs: 0, endPerMs: high, lastsMs: 2 * hour },
      { startPerMs: high, endPerMs: high, lastsMs: 2 * hour },
      { startPerMs: high, endPerMs: 0, lastsMs: hour },
    ];
    const all = arrivals({ shape: { kind: "pieces", pieces }, fromMs: hour });
    expect(within(all, 0, hour)).toBe(0);
    expectPoisson(within(all, hour, 2 * hour), 150);
    expectPoisson(within(all, 2 * hour, 3 * hour), 450);
    expectPoisson(within(all, 3 * hour, 5 * hour), 1200);
    expectPoisson(within(all, 5 * hour, 6 * hour), 300);
    expect(within(all, 6 * hour, 10 * hour)).toBe(0);
  });

  it("a pause between two pieces is silent", () => {
    const pieces = [
      { startPerMs: 300 / hour, endPerMs: 300 / hour, lastsMs: hour },
      { startPerMs: 0, endPerMs: 0, lastsMs: hour },
      { startPerMs: 300 / hour, endPerMs: 300 / hour, lastsMs: hour },
    ];
    for (const kind of ["poisson", "even", "burst"] as const) {
      const all = arrivals({ arrivals: kind, shape: { kind: "pieces", pieces } });
      expectPoisson(within(all, 0, hour), 300);
      expect(within(all, hour, 2 * hour)).toBe(0);
      expectPoisson(within(all, 2 * hour, 3 * hour), 300);
    }
  });

  it("until cuts a ramp short without changing it", () => {
    const pieces = [{ startPerMs: 0, endPerMs: 1200 / hour, lastsMs: 2 * hour }];
    const all = arrivals({ arrivals: "even", shape: { kind: "pieces", pieces }, untilMs: hour });
    expect(all).toHaveLength(300);
  });

  it("diurnal: the mean is the rate, the night quiet, the evening busy, by the local clock", () => {
    const shape = { kind: "diurnal", perMs: 100 / hour } as const;
    /** Arrivals of two days by the hour of the day, in UTC. */
    const byHour = (timezone: string): number[] => {
      const counts = Array.from({ length: 24 }, () => 0);
      for (const { atMs } of arrivals({ shape }, { changes: { timezone }, untilMs: 2 * day })) {
        const at = Math.floor((startsAtMs + atMs) / hour) % 24;
        counts[at] = (counts[at] ?? 0) + 1;
      }
      return counts;
    };
    const utc = byHour("UTC");
    expectPoisson(sum(utc), 4800);
    expect(sum(utc.slice(1, 5))).toBeLessThan(0.2 * sum(utc.slice(17, 21)));
    const kigali = byHour("Africa/Kigali"); // two hours ahead: its evening comes earlier
    for (const [at, count] of kigali.entries()) expectClose(count, utc[(at + 2) % 24] ?? 0);
    const shopHours = Array.from({ length: 24 }, (_, at) => (at >= 8 && at < 20 ? 2 : 0));
    const own = arrivals({ shape: { ...shape, byHour: shopHours } }, { changes: { timezone: "Africa/Kigali" } });
    // The test's day begins at 7:00 in Kigali.
    expect(within(own, 0, hour)).toBe(0);
    for (let at = 1; at < 10; at++) expectPoisson(within(own, at * hour, (at + 1) * hour), 200);
    const kathmandu = byHour("Asia/Kathmandu"); // 5:45 ahead: its quiet hours 1 to 5 are 19:15 to 23:15
    expectPoisson(sum(kathmandu), 4800);
    expect(sum(kathmandu.slice(20, 23))).toBeLessThan(0.2 * sum(kathmandu.slice(12, 15)));
  });
});

describe("additions", () => {
  const farmers = (count: number): Partial<TrafficSpec> => ({ people: { group: "farmers", from: 0, to: count - 1 } });
  const fromFirst = (all: readonly { atMs: number; from: string }[], count: number): unknown =>
    all.filter(({ from }) => Number(from.slice(-5)) < count);

  it("one more sender moves no other, if the rate is per sender", () => {
    const of = (count: number): { atMs: number; from: string }[] =>
      arrivals({ ...farmers(count), shape: constant(count * 20) }, { count });
    expect(fromFirst(of(11), 10)).toEqual(of(10));
    expect(fromFirst(of(1000), 10)).toEqual(of(10));
  });

  it("one more entry moves no other", () => {
    const one = traffic({ ...farmers(5), shape: constant(20) });
    const other = traffic({ people: { group: "farmers", from: 5, to: 9 }, shape: constant(300), arrivals: "burst" });
    const alone = arrivals({}, { changes: { traffic: [one] } });
    expect(fromFirst(arrivals({}, { changes: { traffic: [one, other] } }), 5)).toEqual(alone);
  });
});

describe("even traffic of any shape", () => {
  it("counts are the integral of the rate", () => {
    const rate = fc.integer({ min: 0, max: 240 });
    const piece = fc.record({ start: rate, end: rate, lasts: fc.integer({ min: 1, max: 90 }) });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (drawn) => {
        const pieces = drawn.map(({ start, end, lasts }) => ({
          startPerMs: start / hour,
          endPerMs: end / hour,
          lastsMs: lasts * minute,
        }));
        const expected = drawn.reduce((sum, { start, end, lasts }) => sum + ((start + end) / 2) * (lasts / 60), 0);
        const count = arrivals({ arrivals: "even", shape: { kind: "pieces", pieces } }).length;
        // The first comes at once, so a fraction makes one more.
        expect(count).toBeGreaterThanOrEqual(Math.floor(expected + 1e-6));
        expect(count).toBeLessThanOrEqual(Math.ceil(expected + 1e-6));
      }),
      { numRuns: 30 },
    );
  });
});

describe("arrivals", () => {
  const all = { group: "clinic", from: 0, to: 3 };
  const four = {
    handsets: [handsets({ count: 4, profile: exact({ pollEveryMs: minute }) })],
    people: [people({ of: all })],
  };

  it("texts go to the home handset", () => {
    const rig = new WorldRig(castOf({ ...four, traffic: [traffic({ handsets: all, shape: constant(100) })] }));
    rig.until(10 * hour);
    const homes = new Map<string, Set<number>>();
    for (const { channel, report } of rig.received) {
      if (report.type !== "mo_sms") continue;
      homes.set(report.phone, (homes.get(report.phone) ?? new Set()).add(channel));
    }
    expect(homes).toEqual(
      new Map(
        Array.from({ length: 10 }, (_, person) => [
          `+25078110000${person}`,
          new Set([Math.floor((person * 4) / 10) + 1]),
        ]),
      ),
    );
  });

  it("sends go through each handset to one of its residents", () => {
    const rig = new WorldRig(
      castOf({
        ...four,
        traffic: [traffic({ kind: "sends", handsets: all, shape: constant(200), untilMs: 9 * hour })],
      }),
    );
    rig.until(10 * hour);
    expectPoisson(rig.heard.length, 1800);
    for (const { person, channel } of rig.heard) expect(channel).toBe(Math.floor((person * 4) / 10) + 1);
    for (let channel = 1; channel <= 4; channel++) {
      expectPoisson(rig.heard.filter((one) => one.channel === channel).length, 450);
    }
    expect(rig.gap("texts")).toBe(0);
  });

  it("calls ring or talk, by people or by handsets", () => {
    const calls = (changes: Partial<TrafficSpec>): WorldRig => {
      const spec = traffic({ kind: "calls", handsets: all, shape: constant(100), untilMs: 9 * hour, ...changes });
      return new WorldRig(castOf({ ...four, traffic: [spec] })).until(10 * hour);
    };
    const count = (rig: WorldRig): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const { report } of rig.received)
        if (report.type === "call") counts[report.call] = (counts[report.call] ?? 0) + 1;
      return counts;
    };
    const talks = { kind: "uniform", min: 30 * second, max: 5 * minute, whole: true } as const;
    const talked = calls({ talks });
    expect(Object.keys(count(talked))).toEqual(["mo_call"]);
    // A caller who finds the line of a handset busy leaves no row in its log.
    expectPoisson((count(talked)["mo_call"] ?? 0) + (talked.tally.losses.get("calls busy") ?? 0), 900);
    for (const { report } of talked.received) {
      if (report.type !== "call") continue;
      expect(report.durationS).toBeGreaterThanOrEqual(30);
      expect(report.durationS).toBeLessThanOrEqual(300);
    }
    expect(Object.keys(count(calls({ rings: fixed(20 * second) })))).toEqual(["mo_miss"]);
    expect(Object.keys(count(calls({ talks, from: "handsets" })))).toEqual(["mt_call"]);
    expect(Object.keys(count(calls({ from: "handsets" })))).toEqual(["mt_miss"]);
  });

  it("bodies are drawn from the sender's stream", () => {
    const rig = new WorldRig(
      castOf({
        traffic: [traffic({ body: { kind: "pick", of: [fixed("join"), fixed("HELP")] }, shape: constant(100) })],
      }),
    );
    rig.until(10 * hour);
    const joined = rig.received.filter(({ report }) => "text" in report && report.text === "join").length;
    expectPoisson(joined, 500);
  });
});

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Two Poisson counts of one rate. */
function expectClose(a: number, b: number): void {
  expect(Math.abs(a - b)).toBeLessThan(4.5 * Math.sqrt(Math.max(8, a + b)));
}
