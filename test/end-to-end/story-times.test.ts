import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, runScenario } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { parse } from "./support.js";

const minute = 60_000;
const day = 1440 * minute;

/** Four phones in two groups, without traffic. */
function quiet(story: string): string {
  return `
name: Quiet
seed: 5
lasts: 10d
handsets:
  clinic: { count: 3, phone: "+2507880{00000}" }
  post: { phone: "+250789000001" }
people:
  farmers: { count: 6, of: clinic, phone: "+2507811{00000}" }
story:
${story}`;
}

interface Seen {
  readonly atMs: number;
  readonly channel: number;
}

/** The events of one type, as each part of a fleet records them. */
async function eventsOf(text: string, type: string, parts = 1): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let index = 1; index <= parts; index++) {
    const recording = join(temporaryFolder(), "run.db");
    const shard = parts === 1 ? undefined : { index, count: parts };
    const { result } = await runScenario(parse(text), { receiver: "none", recording, shard });
    expect(result.problems).toEqual([]);
    const reader = openRecording(recording);
    for (const event of reader.events()) {
      if (event.type === type) seen.push({ atMs: event.atMs, channel: event.channel });
    }
    reader.close();
  }
  return seen.sort((a, b) => a.atMs - b.atMs || a.channel - b.channel);
}

describe("a recurring step", () => {
  it("happens at each of its times, and what comes after it follows each of them", async () => {
    const events = await eventsOf(
      quiet(`
  - { at: 19:30, every: 1d, times: 3, event: { of: post, type: night } }
  - { after: 40m, event: { of: clinic/0, type: night } }
`),
      "night",
    );
    const evening = 1170 * minute;
    expect(events).toEqual(
      [0, 1, 2].flatMap((night) => [
        { atMs: night * day + evening, channel: 4 },
        { atMs: night * day + evening + 40 * minute, channel: 1 },
      ]),
    );
  });
});

describe("a time that varies", () => {
  const story = quiet(`
  - { at: 1h..3h, every: 1d, times: 2, event: { of: clinic, type: dawn } }
  - { after: 5m, event: { of: clinic, type: dusk } }
`);

  it("is drawn for each phone and each occurrence", async () => {
    const dawns = await eventsOf(story, "dawn");
    expect(new Set(dawns.map(({ atMs }) => atMs % day)).size).toBe(6);
    for (const { atMs } of dawns) expect(atMs % day).toBeGreaterThanOrEqual(60 * minute);
    for (const { atMs } of dawns) expect(atMs % day).toBeLessThanOrEqual(180 * minute);
    const dusks = await eventsOf(story, "dusk");
    expect(dusks).toEqual(dawns.map(({ atMs, channel }) => ({ atMs: atMs + 5 * minute, channel })));
  });

  it("is the same in two parts, and without the other phones", async () => {
    const whole = await eventsOf(story, "dawn");
    expect(await eventsOf(story, "dawn", 2)).toEqual(whole);
    const alone = story.replace("of: clinic, type: dawn", "of: clinic/1, type: dawn");
    expect(await eventsOf(alone, "dawn")).toEqual(whole.filter(({ channel }) => channel === 2));
  });

  it("is drawn once for a step that selects nobody", async () => {
    const text = quiet(`
  - { at: 1h..3h, receiver: { answers: 500 } }
  - { after: 0s, event: { of: clinic, type: storm } }
`);
    const storms = await eventsOf(text, "storm");
    expect(new Set(storms.map(({ atMs }) => atMs)).size).toBe(1);
    expect(storms).toHaveLength(3);
  });
});
