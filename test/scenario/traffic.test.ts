import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { durationLiteral, readHand, scenario } from "../../src/scenario/index.js";
import { base, diagnostics, sound } from "./help.js";
import { runs } from "../support/effort.js";

const minute = 60_000;
const second = 1000;
const texts = "texts: { from: farmers, to: clinic, body: hi }";

function entry(more: string, files: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const read = sound(base(`traffic:\n  - { ${texts}, ${more} }\n`), { readFile: (path) => files[path] ?? "" });
  return { ...read.cast.traffic[0] };
}

/** Pieces as [from, to, lasts], in a second and in seconds. */
function pieces(shape: string, more = "rate: 2/s"): readonly (readonly number[])[] {
  const { shape: read } = entry(`${more}, shape: ${shape}`);
  const of = (read as { pieces: readonly { startPerMs: number; endPerMs: number; lastsMs: number }[] }).pieces;
  return of
    .map(({ startPerMs, endPerMs, lastsMs }) => [startPerMs, endPerMs, lastsMs].map(Number)) // prettier-ignore
    .map(([from = 0, to = 0, ms = 0]) => [Math.round(from * 1e9) / 1e6, Math.round(to * 1e9) / 1e6, ms / second]);
}

describe("shapes of traffic", () => {
  it("a ramp may go in steps", () => {
    expect(pieces("[{ to: 5/s, over: 1m, steps: 3 }]")).toEqual([
      [3, 3, 20],
      [4, 4, 20],
      [5, 5, 20],
    ]);
    expect(pieces("[{ to: 0/s, over: 10ms, steps: 3 }]").map(([, , lasts]) => lasts)).toEqual([0.003, 0.004, 0.003]);
  });

  it("a spike goes back to what was before it", () => {
    expect(pieces("[{ hold: 1m }, { spike: 50/s, for: 30s }, { hold: 1m }]")).toEqual([
      [2, 2, 60],
      [50, 50, 30],
      [2, 2, 60],
    ]);
  });

  it("pieces may repeat, each time from the rate at which the last one ended", () => {
    expect(pieces("[{ repeat: 2, of: [{ spike: 9/s, for: 1s }, { to: 3/s, over: 1s }] }, { to: 1/s }, { hold: 5s }]")).toEqual([
      [9, 9, 1],
      [2, 3, 1],
      [9, 9, 1],
      [3, 3, 1],
      [1, 1, 5],
    ]); // prettier-ignore
  });

  it("a custom day's curve has a mean of 1", () => {
    const weights = Array.from({ length: 24 }, (_, hour) => (hour < 12 ? 1 : 3));
    expect(entry(`rate: 4/h, shape: { diurnal: [${weights.join(", ")}] }`)["shape"]).toEqual({
      kind: "diurnal",
      perMs: 4 / 3_600_000,
      byHour: weights.map((one) => one / 2),
    });
  });

  it("rates may apply to each selected handset or person", () => {
    const per = (more: string): unknown => entry(`rate: 2/s, ${more}`)["shape"];
    expect(per("per: fleet")).toEqual({ kind: "constant", perMs: 0.002 });
    expect(per("per: handset")).toEqual({ kind: "constant", perMs: 0.02 });
    expect(per("per: person")).toEqual({ kind: "constant", perMs: 0.04 });
    expect(pieces("[{ to: 4/s, over: 1m }]", "rate: 1/s, per: person")).toEqual([[20, 80, 60]]);
    const few = "traffic: [{ sends: { via: 25% of clinic, to: farmers/0..4, body: hi }, rate: 1/s, per: handset }]";
    expect(sound(base(few)).cast.traffic[0]?.shape).toEqual({ kind: "constant", perMs: 0.003 });
  });
});

describe("arrivals at the times of a file", () => {
  const startsAtMs = Date.parse("2026-01-01T00:00:00.000Z");
  const csv = (rows: readonly string[]): string => ["who,at", ...rows].join("\n");

  it("are what was written, in any spelling, in the order of time", () => {
    const time = fc.tuple(fc.integer({ min: 0, max: 3_599_999 }), fc.constantFrom("duration", "seconds", "timestamp"));
    fc.assert(
      fc.property(fc.array(time, { minLength: 1, maxLength: 50 }), (times) => {
        const rows = times.map(([atMs, spelling]) => {
          if (spelling === "duration") return `,${durationLiteral(atMs)}`;
          return spelling === "seconds" ? `,${atMs / 1000}` : `,${new Date(startsAtMs + atMs).toISOString()}`;
        });
        const { at } = entry("arrivals: { csv: t.csv, column: at }", { "t.csv": csv(rows) });
        expect(at).toEqual(times.map(([atMs]) => ({ atMs })).toSorted((a, b) => a.atMs - b.atMs));
      }),
      { numRuns: runs(25) },
    );
  });

  it("may name who sends; equal names are one selector", () => {
    const file = csv(["farmers/3,5s", ",1s", "farmers/3,7s", "10% of farmers,9s"]);
    const { at, arrivals } = entry("arrivals: { csv: t.csv, column: at, sender: who }", { "t.csv": file });
    expect(arrivals).toBe("times");
    const third = { group: "farmers", from: 3, to: 3 };
    expect(at).toEqual([
      { atMs: 1000 },
      { atMs: 5000, senders: third },
      { atMs: 7000, senders: third },
      { atMs: 9000, senders: { group: "farmers", from: 0, to: 19, share: 0.1 } },
    ]);
    const [, one, two] = at as readonly { senders?: unknown }[];
    expect(one?.senders).toBe(two?.senders);
  });

  it("go into the recording with the scenario", () => {
    const text = base(`traffic:\n  - { ${texts}, arrivals: { csv: t.csv } }\n`);
    expect(sound(text, { readFile: () => "at\n5s\n" }).source.files).toEqual({ "t.csv": "at\n5s\n" });
  });

  it("a bad row is reported at its position in the file", () => {
    const text = base(`traffic:\n  - { ${texts}, arrivals: { csv: t.csv } }\n`);
    const reported = diagnostics(text, { readFile: () => "\uFEFFat\r\n5s\r\n\r\nsoon\r\n" });
    expect(reported).toMatchObject([{ file: "t.csv", line: 4, column: 1, code: "bad-value", text: "soon" }]);
  });
});

it("everything can be written in TypeScript", () => {
  const from = { from: "farmers", to: "clinic", body: "hi" };
  const built = scenario(
    {
      lasts: "1h",
      handsets: { clinic: { phone: "+250788000001" } },
      people: { farmers: { count: 20, phone: "+2507811{0000}" } },
      traffic: [
        { name: "chatter", texts: from, rate: "2/h", per: "person", arrivals: "burst", every: "5m" },
        { texts: from, arrivals: { csv: "t.csv", column: "at" } },
        { texts: from, rate: "1/s", shape: { diurnal: Array.from({ length: 24 }, (_, hour) => hour) } },
        {
          texts: from,
          shape: [
            { to: "5/s", over: "1m", steps: 5 },
            { repeat: 2, of: [{ spike: "9/s", for: "5s" }] },
          ],
        },
      ],
      story: [
        { at: "5m", traffic: { of: "chatter", rate: "5/h", for: "10m" } },
        { after: "5m", traffic: { of: 1, state: "paused" } },
      ],
    },
    { readFile: () => "at\n5s\n" },
  );
  expect(built.cast.traffic.map(({ arrivals }) => arrivals)).toEqual(["burst", "times", "poisson", "poisson"]);
  expect(built.cast.traffic[0]).toMatchObject({ name: "chatter", each: 20, everyMs: 5 * minute });
});

describe("the verb traffic", () => {
  const more = `traffic:
  - { name: chatter, ${texts}, rate: 2/s }
  - { name: storm, ${texts}, rate: 1/s, per: person }
`;
  const { cast } = sound(base(more));
  const hand = (args: object): unknown => readHand("traffic", args, cast).input;
  const world = (input: object): unknown => ({ to: "world", input: { verb: "traffic", ...input } });

  it("means all traffic, or an entry by its name or number", () => {
    expect(hand({ times: "2x" })).toEqual(world({ change: { times: 2 } }));
    expect(hand({ of: "all", state: "paused" })).toEqual(world({ change: { state: "paused" } }));
    expect(hand({ of: "storm", state: "stopped" })).toEqual(world({ entries: [1], change: { state: "stopped" } }));
    expect(hand({ of: 0, times: "0.5x", for: "10m" })).toEqual(
      world({ entries: [0], change: { times: 0.5 }, forMs: 10 * minute }),
    );
  });

  it("a rate counts per handset or person as the entry's rate does", () => {
    expect(hand({ of: "chatter", rate: "5/s" })).toEqual(world({ entries: [0], change: { perMs: 0.005 } }));
    expect(hand({ of: "storm", rate: "5/s" })).toEqual(world({ entries: [1], change: { perMs: 0.1 } }));
  });

  it("a rate without a name applies to the only entry", () => {
    const one = sound(base(`traffic: [{ ${texts}, rate: 2/s }]\n`)).cast;
    expect(readHand("traffic", { rate: "5/s" }, one).input).toEqual(world({ entries: [0], change: { perMs: 0.005 } }));
    expect(readHand("traffic", { rate: "5/s" }, cast).problems).toMatchObject([{ path: "rate", code: "missing-key" }]);
  });

  it("reports unknown names in the words of the file, and nothing else", () => {
    expect(readHand("traffic", { of: "strom", times: "2x" }, cast).problems).toMatchObject([
      { path: "of", code: "unknown-traffic", hint: "did you mean 'storm'?" },
    ]);
    expect(readHand("traffic", { of: "storm", times: "twice" }, cast).problems).toMatchObject([{ path: "times" }]);
    expect(readHand("traffic", { of: "0", times: "1x" }, sound(base()).cast).problems).toMatchObject([
      { path: "of", hint: "there is no traffic" },
    ]);
  });
});
