import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import type { RateShape, Selector, TrafficChange, TrafficSpec } from "../../src/world/index.js";
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
  startsAtMs,
  traffic,
} from "../support/world-rig.js";

const constant = (perHour: number): RateShape => ({ kind: "constant", perMs: perHour / hour });
const farmers: Selector = { group: "farmers", from: 0, to: 9 };
const traders: Selector = { group: "traders", from: 0, to: 4 };

/** Changes of traffic and their times. */
type Hand = readonly [
  atMs: number,
  change: TrafficChange,
  of?: { readonly entries?: readonly number[]; readonly forMs?: number },
];

interface Arrived {
  readonly atMs: number;
  readonly from: string;
}

/** What farmers (entry 0) and traders (entry 1) send within ten hours. No carrier's delay, no polls, one last sync. */
function play(
  entries: readonly Partial<TrafficSpec>[],
  hands: readonly Hand[] = [],
  { seed = 7 }: { readonly seed?: number } = {},
): Arrived[] {
  const rig = new WorldRig(
    castOf({
      carriers: [{ ...carrier, delay: fixed(0) }],
      handsets: [handsets({ profile: exact({ batch: 1_000_000 }) })],
      people: [
        people(),
        people({ name: "traders", count: 5, phone: { prefix: "+2507822", first: 0, digits: 5, suffix: "" } }),
      ],
      traffic: entries.map((entry, index) => traffic({ people: index === 0 ? farmers : traders, ...entry })),
    }),
    seed,
  );
  // Like a story's steps, they come before arrivals of the same instant.
  for (const [atMs, change, whose = {}] of hands) {
    rig.kernel.at(atMs, () => rig.world.apply({ verb: "traffic", change, ...whose }), undefined, -1);
  }
  rig.until(10 * hour);
  rig.at(10 * hour, { verb: "traffic", change: { state: "stopped" } });
  rig.at(10 * hour + minute, { verb: "sync", of: clinic, now: true });
  rig.until(10 * hour + 2 * minute);
  return rig.received
    .map(({ report }) => ({
      atMs: "timeMs" in report ? report.timeMs - startsAtMs : NaN,
      from: "phone" in report ? report.phone : "",
    }))
    .toSorted((a, b) => a.atMs - b.atMs || (a.from < b.from ? -1 : 1));
}

const within = (all: readonly Arrived[], fromMs: number, toMs: number): Arrived[] =>
  all.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);

const of = (all: readonly Arrived[], who: "farmers" | "traders"): Arrived[] =>
  all.filter(({ from }) => from.startsWith(who === "farmers" ? "+2507811" : "+2507822"));

function expectPoisson(count: number, mean: number): void {
  expect(Math.abs(count - mean)).toBeLessThan(4 * Math.sqrt(mean));
}

const processes = [
  ["poisson", { arrivals: "poisson", shape: constant(60) }],
  ["even", { arrivals: "even", shape: constant(60) }],
  ["burst", { arrivals: "burst", everyMs: 10 * minute, shape: constant(60) }],
  [
    "times",
    {
      arrivals: "times",
      at: Array.from({ length: 600 }, (_, index) => ({ atMs: index * minute })),
    },
  ],
] as const satisfies readonly (readonly [string, Partial<TrafficSpec>])[];

describe.each(processes)("%s traffic that is changed while it runs", (_, spec) => {
  const untouched = play([spec, { shape: constant(30) }]);

  it("doubles at 2x and returns at 1x, without moving other entries", () => {
    const all = play(
      [spec, { shape: constant(30) }],
      [
        [2 * hour, { times: 2 }, { entries: [0] }],
        [6 * hour, { times: 1 }, { entries: [0] }],
      ],
    );
    expect(of(all, "traders")).toEqual(of(untouched, "traders"));
    const mine = of(all, "farmers");
    expect(within(mine, 0, 2 * hour)).toEqual(within(of(untouched, "farmers"), 0, 2 * hour));
    if (spec.arrivals === "poisson") {
      expectPoisson(within(mine, 2 * hour, 6 * hour).length, 480);
      expectPoisson(within(mine, 6 * hour, 10 * hour).length, 240);
    } else {
      expect(within(mine, 2 * hour, 6 * hour)).toHaveLength(480);
      expect(within(mine, 6 * hour, 10 * hour)).toHaveLength(240);
    }
  });

  it("setting the value in force moves no arrival", () => {
    const same: Hand[] = [
      [hour, { times: 1 }],
      [2 * hour + 1, { state: "running" }],
      [3 * hour + 17, { times: 1 }, { entries: [0] }],
      [4 * hour, { times: 1 }, { forMs: 20 * minute }],
      ...(spec.arrivals === "times"
        ? []
        : ([[4 * hour + 3, { perMs: 60 / hour }, { entries: [0] }]] satisfies readonly Hand[])),
    ];
    expect(play([spec, { shape: constant(30) }], same)).toEqual(untouched);
  });

  it("a pause skips arrivals and moves only senders that had one due", () => {
    const all = play(
      [spec, { shape: constant(30) }],
      [
        [2 * hour, { state: "paused" }],
        [3 * hour, { state: "running" }],
      ],
    );
    expect(within(all, 0, 2 * hour)).toEqual(within(untouched, 0, 2 * hour));
    expect(within(all, 2 * hour, 3 * hour)).toEqual([]);
    if (spec.arrivals === "poisson") expectPoisson(within(of(all, "farmers"), 3 * hour, 10 * hour).length, 420);
    else {
      const rest = (one: readonly Arrived[]): Arrived[] => within(of(one, "farmers"), 3 * hour, 10 * hour);
      expect(rest(all)).toEqual(rest(untouched));
    }
  });

  it("a pause may end by itself", () => {
    const byHand = play(
      [spec],
      [
        [2 * hour, { state: "paused" }],
        [3 * hour, { state: "running" }],
      ],
    );
    expect(play([spec], [[2 * hour, { state: "paused" }, { forMs: hour }]])).toEqual(byHand);
  });

  it("stopped traffic never starts again", () => {
    const all = play(
      [spec],
      [
        [2 * hour, { state: "stopped" }],
        [3 * hour, { state: "running" }],
        [4 * hour, { times: 3 }],
      ],
    );
    expect(all).toEqual(within(of(untouched, "farmers"), 0, 2 * hour));
  });

  it("the factors of all traffic and of an entry multiply", () => {
    const all = play(
      [spec],
      [
        [0, { times: 2 }],
        [0, { times: 0.5 }, { entries: [0] }],
      ],
    );
    expect(all).toEqual(of(untouched, "farmers"));
  });
});

describe("Poisson traffic", () => {
  it("senders without an arrival in the pause keep their next one", () => {
    const spec: Partial<TrafficSpec> = { shape: constant(10) };
    const untouched = play([spec]);
    const all = play([spec], [[2 * hour, { state: "paused" }, { forMs: 6 * minute }]]);
    const silent = (from: string): boolean =>
      within(untouched, 2 * hour, 2 * hour + 6 * minute).every((one) => one.from !== from);
    const names = [...new Set(untouched.map(({ from }) => from))].filter(silent);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      expect(all.filter(({ from }) => from === name)).toEqual(untouched.filter(({ from }) => from === name));
    }
  });

  it("has counts near the integral of the changed rate, over many seeds", () => {
    const hands: Hand[] = [
      [hour, { times: 3 }],
      [2 * hour, { perMs: 20 / hour }, { entries: [0] }],
      [4 * hour, { times: 0.5 }, { forMs: 2 * hour }],
      [8 * hour, { state: "paused" }, { forMs: hour }],
    ];
    // 10 an hour, 30; 3 × 20 an hour for two hours, 0.5 × 20 for two, 3 × 20 for two, nothing, 3 × 20.
    const expected = 10 + 30 + 120 + 20 + 120 + 0 + 60;
    const seeds = Array.from({ length: 30 }, (_, seed) => seed + 1);
    const counts = seeds.map((seed) => play([{ shape: constant(10) }], hands, { seed }).length);
    const total = counts.reduce((sum, count) => sum + count, 0);
    expectPoisson(total, expected * seeds.length);
    const variance = counts.reduce((sum, count) => sum + (count - expected) ** 2, 0) / counts.length;
    expect(variance / expected).toBeGreaterThan(0.4);
    expect(variance / expected).toBeLessThan(2);
  });

  it("a set rate replaces any shape until it expires", () => {
    const pieces = [{ startPerMs: 60 / hour, endPerMs: 60 / hour, lastsMs: hour }];
    const all = play(
      [{ shape: { kind: "pieces", pieces } }],
      [[2 * hour, { perMs: 600 / hour }, { entries: [0], forMs: hour }]],
    );
    expectPoisson(within(all, 0, hour).length, 60);
    expect(within(all, hour, 2 * hour)).toEqual([]);
    expectPoisson(within(all, 2 * hour, 3 * hour).length, 600);
    expect(within(all, 3 * hour, 10 * hour)).toEqual([]);
  });
});

describe("even traffic", () => {
  it("has counts within one per change of the integral of the changed rate", () => {
    const hand = fc.tuple(
      fc.integer({ min: 0, max: 9 * 60 - 1 }),
      fc.oneof(
        fc.record({ times: fc.constantFrom(0.25, 0.5, 1, 1.1, 2, 3) }),
        fc.record({ state: fc.constantFrom("running" as const, "paused" as const) }),
      ),
    );
    fc.assert(
      fc.property(fc.array(hand, { maxLength: 6 }), fc.integer({ min: 1, max: 120 }), (drawn, perHour) => {
        const hands = drawn.toSorted(([a], [b]) => a - b).map(([at, change]): Hand => [at * minute, change]);
        let expected = 0;
        let times = 1;
        let isPaused = false;
        let lastMs = 0;
        const pass = (toMs: number): void => {
          if (!isPaused) expected += ((toMs - lastMs) * times * perHour) / hour;
          lastMs = toMs;
        };
        for (const [atMs, change] of hands) {
          pass(atMs);
          if ("times" in change) times = change.times;
          else if ("state" in change) isPaused = change.state === "paused";
        }
        pass(10 * hour);
        const count = play([{ arrivals: "even", shape: constant(perHour) }], hands).length;
        expect(Math.abs(count - expected)).toBeLessThanOrEqual(hands.length + 1);
      }),
      { numRuns: 25 },
    );
  });
});

describe("burst traffic", () => {
  it("keeps its interval; a change applies from the next burst", () => {
    const spec: Partial<TrafficSpec> = { arrivals: "burst", everyMs: 30 * minute, shape: constant(60) };
    const all = play([spec], [[45 * minute, { times: 2 }]]);
    const sizes = new Map<number, number>();
    for (const { atMs } of all) sizes.set(atMs, (sizes.get(atMs) ?? 0) + 1);
    expect([...sizes].slice(0, 4)).toEqual([
      [0, 30],
      [30 * minute, 30],
      [60 * minute, 60],
      [90 * minute, 60],
    ]);
  });
});

describe("arrivals at given times", () => {
  const at = [
    { atMs: 0 },
    { atMs: minute, senders: { group: "farmers", from: 7, to: 8 } },
    { atMs: minute },
    { atMs: 5 * hour },
  ];

  it("come from the named senders, else round robin", () => {
    const phone = (member: number): string => `+25078110000${member}`;
    expect(play([{ arrivals: "times", at }])).toEqual([
      { atMs: 0, from: phone(0) },
      { atMs: minute, from: phone(2) },
      { atMs: minute, from: phone(7) },
      { atMs: minute, from: phone(8) },
      { atMs: 5 * hour, from: phone(3) },
    ]);
  });

  it("come from 'from' to 'until' only", () => {
    const all = play([{ arrivals: "times", at, fromMs: 1, untilMs: 5 * hour }]);
    expect(all.map(({ atMs }) => atMs)).toEqual([minute, minute, minute]);
  });

  it("carry fractions over", () => {
    const every = Array.from({ length: 100 }, (_, index) => ({ atMs: index * minute }));
    expect(play([{ arrivals: "times", at: every }], [[0, { times: 0.1 }]])).toHaveLength(10);
  });
});
