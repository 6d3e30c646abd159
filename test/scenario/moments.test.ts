import { describe, expect, it } from "vitest";
import { beatsOf } from "../../src/scenario/index.js";
import { newScenarioText } from "../../src/scenario/starter.js";
import { sound } from "./help.js";

const hour = 3_600_000;
const day = 24 * hour;

/** A month in Berlin from 07:00 local time, in which the clocks change on day 29, 2026-03-29. */
function month(story: string, set: readonly string[] = []): ReturnType<typeof sound> {
  return sound(
    `name: Month
starts: 2026-03-01T06:00:00.000Z
lasts: 31d
timezone: Europe/Berlin
handsets:
  clinic: { count: 10, phone: "+2507880{0000}" }
story:
${story}`,
    { set },
  );
}

const instants = (scenario: ReturnType<typeof sound>): number[] => scenario.story.map(({ atMs }) => atMs);

describe("the time of a step", () => {
  it.each([
    ["19:30", 12.5 * hour],
    ["06:59:30", day - 30_000],
    ["7:00", 0],
    ["day 1 08:00", hour],
    ["day 3 07:00", 2 * day],
    // Day 1 is a Sunday.
    ["sunday 07:00", 0],
    ["sunday 06:59", 7 * day - 60_000],
    ["monday 07:00", day],
    ["Sat 08:00:30", 6 * day + hour + 30_000],
    ["day 30 19:30", 29 * day + 11.5 * hour],
    ["2026-03-05T07:00:00Z", 4 * day + hour],
    ["2026-03-05T07:00:00.250", 4 * day + hour + 250],
    ["1h30m", 1.5 * hour],
  ])("%s", (at, atMs) => {
    expect(instants(month(`  - { at: ${at}, note: now }\n`))).toEqual([atMs]);
    expect(instants(month(`  - { at: 1m, note: now }\n`, [`story.0.at=${at}`]))).toEqual([atMs]);
  });

  it("a day without the clock time has the one that the service has", () => {
    expect(instants(month("  - { at: day 29 02:30, note: now }\n"))).toEqual([27 * day + 19.5 * hour]);
  });

  it.each([
    ["1h..2h", hour, { kind: "uniform", min: 0, max: hour, whole: true }],
    ["19:00..20:30", 12 * hour, { kind: "uniform", min: 0, max: 1.5 * hour, whole: true }],
    ["23:00..01:00", 16 * hour, { kind: "uniform", min: 0, max: 2 * hour, whole: true }],
    ["day 3 19:00..20:30", 2 * day + 12 * hour, { kind: "uniform", min: 0, max: 1.5 * hour, whole: true }],
    ["friday 19:00..20:30", 5 * day + 12 * hour, { kind: "uniform", min: 0, max: 1.5 * hour, whole: true }],
    ["sat 23:00..01:00", 6 * day + 16 * hour, { kind: "uniform", min: 0, max: 2 * hour, whole: true }],
    ["sat 23:00..sun 01:00", 6 * day + 16 * hour, { kind: "uniform", min: 0, max: 2 * hour, whole: true }],
    ["{ exp: 5m }", 0, { kind: "exp", mean: 300_000 }],
    [
      "[1h, 19:30]",
      hour,
      { kind: "pick", of: [{ kind: "fixed", value: 0 }, { kind: "fixed", value: 11.5 * hour }] },
    ],
  ])("varies: %s", (at, atMs, values) => {
    const [step] = month(`  - { at: ${at}, pause: { of: clinic } }\n`).story;
    expect(step).toMatchObject({ atMs, delays: [{ place: 0, values }] });
  }); // prettier-ignore
});

describe("every", () => {
  it("keeps the clock time when the clocks change", () => {
    const nights = instants(month("  - { at: 19:30, every: 1d, power-cut: { of: clinic, for: 2h } }\n"));
    expect(nights).toHaveLength(31);
    expect(nights[27]).toBe(27 * day + 12.5 * hour);
    expect(nights[28]).toBe(28 * day + 11.5 * hour);
  });

  it("keeps the distance where the first time is a span", () => {
    const [, , , ...rest] = instants(month("  - { at: 12h30m, every: 1d, note: evening }\n"));
    expect(rest.at(-1)).toBe(30 * day + 12.5 * hour);
  });

  it("ends after the last moment of 'until', or as often as 'times' says", () => {
    expect(instants(month("  - { at: 1h, every: 1h, until: 3h, note: x }\n"))).toEqual([hour, 2 * hour, 3 * hour]);
    expect(instants(month("  - { at: 19:30, every: 1d, until: 2026-03-03T00:00:00Z, note: x }\n"))).toHaveLength(2);
    expect(instants(month("  - { at: 1h, every: 6h, times: 3, note: x }\n"))).toEqual(
      [1, 7, 13].map((at) => at * hour),
    );
  });

  /** The days of the month, from 1, on which a step recurs. */
  const daysOf = (times: string): number[] =>
    instants(month(`  - { ${times}, note: x }\n`)).map((atMs) => 1 + Math.floor((atMs + 7 * hour) / day));

  it.each([
    ["at: 19:30, every: monday", [2, 9, 16, 23, 30]],
    ["at: 06:00, every: sunday", [8, 15, 22, 29]],
    ["at: 08:00, every: [sat, Sunday], until: 9d", [1, 7, 8]],
    ["at: 08:00, every: monday..friday, times: 7", [2, 3, 4, 5, 6, 9, 10]],
    ["at: 08:00, every: fri..mon, times: 5", [1, 2, 6, 7, 8]],
    ["at: 08:00, every: [mon..tue, thu], times: 4", [2, 3, 5, 9]],
    ["at: day 8 08:00, every: mon, times: 2", [9, 16]],
    ["at: tuesday 08:00, every: friday, times: 1", [6]],
    ["at: tuesday 08:00, every: 7d, times: 2", [3, 10]],
  ])("%s", (times, days) => {
    expect(daysOf(times)).toEqual(days);
  });

  it("on days of the week keeps the clock time when the clocks change", () => {
    const evenings = instants(month("  - { at: 19:30, every: [sat, sun], note: x }\n"));
    expect(evenings.slice(-2)).toEqual([27 * day + 12.5 * hour, 28 * day + 11.5 * hour]);
    const [, , , , sunday] = instants(month("  - { at: sun 19:30, every: 7d, note: x }\n"));
    expect(sunday).toBe(28 * day + 11.5 * hour);
  });

  it("on days of the week varies within each day", () => {
    const { story } = month("  - { at: 19:00..21:00, every: [tue, fri], times: 2, pause: { of: clinic } }\n");
    expect(story.map(({ atMs, delays }) => [atMs, delays?.[0]?.values])).toEqual([
      [2 * day + 12 * hour, { kind: "uniform", min: 0, max: 2 * hour, whole: true }],
      [5 * day + 12 * hour, { kind: "uniform", min: 0, max: 2 * hour, whole: true }],
    ]);
  });

  it("a step after a recurring one happens after each occurrence", () => {
    const { story } = month(`
  - { at: 1h, every: 1d, times: 2, note: off }
  - { after: 10m, note: on }
  - { after: 5m, expect: { event: alarm, within: 1h } }
  - { at: 2h, note: once }
`);
    expect(story.map(({ atMs, place, occurrence }) => [atMs / 60_000, place, occurrence])).toEqual([
      [60, 0, 0],
      [70, 1, 0],
      [75, 2, 0],
      [120, 3, undefined],
      [1500, 0, 1],
      [1510, 1, 1],
      [1515, 2, 1],
    ]);
  });

  it("numbers the beats", () => {
    const { story } = month("  - { at: 19:30, every: 1d, times: 2, beat: { name: Night, about: dark } }\n");
    expect(beatsOf(story).map(({ name }) => name)).toEqual(["Night", "Night (2)"]);
    expect(story.map(({ input }) => (input.to === "log" ? input.text : ""))).toEqual([
      "Night: dark",
      "Night (2): dark",
    ]);
  });
});

it("the scenario to begin with has no recurrence", () => {
  expect(sound(newScenarioText()).story.every(({ occurrence }) => occurrence === undefined)).toBe(true);
});
