import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lab } from "../../src/lab/lab.js";
import { type Distribution, fixed, prepareFakes } from "../../src/sim/index.js";
import { Recording } from "../../src/store/index.js";
import type { Cast, RateShape, TrafficSpec } from "../../src/world/index.js";
import { parse } from "../end-to-end/support.js";
import { meta } from "../store/samples.js";
import { castOf, exact, handsets, hour, WorldRig, minute, people, second, traffic } from "../support/world-rig.js";
import { runs } from "../support/effort.js";

const day = 24 * hour;
const tenYears = 3650 * day;
const constant = (perHour: number): RateShape => ({ kind: "constant", perMs: perHour / hour });
const pick: Distribution<string> = { kind: "pick", of: Array.from({ length: 1000 }, (_, n) => fixed(String(n))) };

interface Arrival {
  readonly atMs: number;
  readonly channel: number;
  readonly text: string;
}

/** What the service is asked to send, by a world that begins at `fromMs`, up to and with `untilMs`. */
function sends(
  spec: Partial<TrafficSpec>,
  { fromMs = 0, untilMs, changes = {} }: { fromMs?: number; untilMs: number; changes?: Partial<Cast> },
): Arrival[] {
  const entry = traffic({ kind: "sends", handsets: { group: "clinic", from: 0, to: 4 }, body: pick, ...spec });
  const cast = castOf({
    handsets: [handsets({ count: 5, profile: exact() })],
    people: [people({ of: { group: "clinic", from: 0, to: 4 } })],
    traffic: [entry],
    ...changes,
  });
  const arrivals: Arrival[] = [];
  const rig = new WorldRig(cast, 7, fromMs);
  rig.send = (channel, _, text) => arrivals.push({ atMs: rig.kernel.now, channel, text });
  rig.until(untilMs);
  return arrivals;
}

const when = ({ atMs, channel }: Arrival): [number, number] => [atMs, channel];

const ramp: RateShape = {
  kind: "pieces",
  pieces: [
    { startPerMs: 0, endPerMs: 60 / hour, lastsMs: hour },
    { startPerMs: 60 / hour, endPerMs: 60 / hour, lastsMs: hour },
  ],
};

describe("traffic of a world that continues later", () => {
  const shapes = fc.constantFrom<RateShape>(constant(60), constant(77.7), ramp, { kind: "diurnal", perMs: 50 / hour });

  const at = Array.from({ length: 200 }, (_, index) => ({ atMs: index * 61_000 }));

  it.each(["even", "burst", "times"] as const)(
    "%s: comes when it would have come, by those whose turn it is",
    (arrivals) => {
      fc.assert(
        fc.property(
          shapes,
          fc.integer({ min: 1, max: 150 * minute }),
          fc.constantFrom(0, 10 * minute),
          fc.constantFrom(minute, 7 * minute),
          (shape, breakMs, fromMs, everyMs) => {
            const spec = { arrivals, shape, fromMs, everyMs, at };
            const whole = sends(spec, { untilMs: 3 * hour }).map(when);
            const before = sends(spec, { untilMs: breakMs }).map(when);
            const after = sends(spec, { fromMs: breakMs, untilMs: 3 * hour }).map(when);
            expect([...before, ...after]).toEqual(whole);
          },
        ),
        { numRuns: runs(30) },
      );
    },
  );

  it("Poisson: keeps its rate and its shape from there on, and makes up for nothing", () => {
    const all = sends({ shape: ramp, fromMs: hour }, { fromMs: 90 * minute, untilMs: 4 * hour });
    // A half hour of a ramp from 30 to 60 an hour, then an hour of 60.
    expect(Math.abs(all.length - 82.5)).toBeLessThan(4 * Math.sqrt(82.5));
    for (const { atMs } of all) {
      expect(atMs).toBeGreaterThan(90 * minute);
      expect(atMs).toBeLessThan(3 * hour);
    }
  });

  it("does not say again what was said, but is the same each time that it continues from there", () => {
    const spec = { shape: constant(600) };
    const said = (fromMs: number): string[] => sends(spec, { fromMs, untilMs: fromMs + hour }).map(({ text }) => text);
    expect(said(hour)).toEqual(said(hour));
    expect(said(hour)).not.toEqual(said(0));
    expect(said(hour)).not.toEqual(said(2 * hour));
  });

  it("what begins later begins then, and what has ended is not begun again", () => {
    expect(sends({ fromMs: 2 * hour, arrivals: "even" }, { fromMs: hour, untilMs: 3 * hour })[0]?.atMs).toBe(2 * hour);
    expect(sends({ untilMs: hour }, { fromMs: hour, untilMs: 10 * hour })).toEqual([]);
  });

  it.each(["poisson", "even", "burst"] as const)("%s: continues without an end, after ten years too", (arrivals) => {
    const shape: RateShape = arrivals === "even" ? { kind: "diurnal", perMs: 60 / hour } : constant(60);
    const endless = { changes: { lastsMs: Infinity, timezone: "Africa/Kigali" }, fromMs: tenYears };
    const spec = { arrivals, shape, untilMs: Infinity, fromMs: tenYears - day };
    const all = sends(spec, { ...endless, untilMs: tenYears + day });
    expect(Math.abs(all.length - 1440)).toBeLessThan(4 * Math.sqrt(1440));
    expect(all[0]?.atMs).toBeGreaterThan(tenYears);
  });
});

describe("a world that continues later", () => {
  it("polls and texts as at the beginning of time", () => {
    const rig = new WorldRig(castOf({ handsets: [handsets({ count: 20 })] }), 7, tenYears);
    rig.until(tenYears + 10 * minute);
    expect(new Set(rig.syncs.map(({ channel }) => channel)).size).toBe(20);
    expect(rig.syncs.every(({ atMs }) => atMs >= tenYears)).toBe(true);
    const farmer = { group: "farmers", from: 0, to: 0 };
    rig.at(tenYears + hour, { verb: "text", from: farmer, to: { group: "clinic", from: 0, to: 0 }, body: fixed("hi") });
    rig.until(tenYears + 2 * hour);
    expect(rig.received.map(({ report }) => report.type)).toContain("mo_sms");
  });

  it("drains batteries from there on", () => {
    const rig = new WorldRig(castOf({ handsets: [handsets({ battery: fixed(80), mains: false })] }), 7, 100 * day);
    expect(rig.world.deviceStatus(1).powerLevel).toBe(80);
    rig.until(100 * day + hour);
    const { powerLevel } = rig.world.deviceStatus(1);
    expect(powerLevel).toBeLessThan(80);
    expect(powerLevel).toBeGreaterThan(60);
  });

  it("calls people by the names that they had", () => {
    const named = castOf({ people: [people({ count: 100, displayName: pick })] });
    const namesFrom = (fromMs: number): (string | undefined)[] => {
      const { world } = new WorldRig(named, 7, fromMs);
      return Array.from({ length: 100 }, (_, person) => world.person(person).name);
    };
    expect(namesFrom(day)).toEqual(namesFrom(0));
  });
});

describe("a lab that begins later", () => {
  const story = `
name: Reopened
lasts: 4h
receiver: none
handsets:
  clinic: { phone: "+250788000001", network: none }
story:
  - { at: 1h, event: { of: clinic, type: first } }
  - { at: 2h, event: { of: clinic, type: second } }
  - { at: 2h, expect: { event: first } }
  - { at: 2h1ms, event: { of: clinic, type: third } }
  - { at: 3h, expect: { event: third } }
`;

  async function typesFrom(fromMs: number): Promise<{ types: string[]; expected: boolean[]; reachedMs: number }> {
    const recording = Recording.create(":memory:", meta);
    const lab = new Lab({
      scenario: parse(story),
      recording,
      url: null,
      pace: { kind: "lockstep", lookaheadMs: 5 * second },
      fakes: await prepareFakes([]),
      giveUpAfterMs: Infinity,
      continues: { fromMs, urls: undefined, guests: [], inTransit: [], undelivered: [] },
    });
    const { events, expectations, reachedMs } = await lab.play();
    recording.close();
    return { types: [...events.keys()], expected: expectations.map(({ held }) => held), reachedMs };
  }

  it("plays the steps that lie ahead, and promises only what they promise", async () => {
    const whole = await typesFrom(0);
    expect({ ...whole, types: whole.types.toSorted() }).toEqual({
      types: ["alarm", "first", "second", "third"],
      expected: [true, true],
      reachedMs: 4 * hour,
    });
    expect(await typesFrom(2 * hour)).toEqual({ types: ["third", "alarm"], expected: [true], reachedMs: 4 * hour });
  });

  // The phone is silent: the alarm comes half an hour after the beginning, wherever that was.
  it("counts a silent phone's half hour from where it continues", async () => {
    expect(await typesFrom(3 * hour + 25 * minute)).toMatchObject({ types: ["alarm"] });
    expect(await typesFrom(3 * hour + 31 * minute)).toMatchObject({ types: [] });
  });
});
