import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, runScenario } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { playInMemory } from "../support/played-in-memory.js";
import { parse } from "./support.js";

/** Three groups of phones, without traffic. */
function quiet(story: string): string {
  return `
name: Selectors
seed: 5
lasts: 10d
handsets:
  clinic: { count: 20, phone: "+2507880{00000}" }
  tally: { count: 3, phone: "+2507890{00000}" }
  post: { phone: "+250789500001" }
people:
  farmers: { count: 12, of: clinic, phone: "+2507811{00000}" }
  traders: { count: 6, of: tally, phone: "+2507821{00000}" }
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

const channelsOf = (seen: readonly Seen[]): number[] => seen.map(({ channel }) => channel);

describe("a step", () => {
  it("acts on all handsets", async () => {
    const seen = await eventsOf(quiet("  - { at: 1h, event: { of: all, type: seen } }"), "seen");
    expect(channelsOf(seen)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
  });

  it("acts on the members of a list, each once and in their order", async () => {
    const seen = await eventsOf(
      quiet("  - { at: 1h, event: { of: [post, tally/1..2, clinic/4], type: seen } }"),
      "seen",
    );
    expect(channelsOf(seen)).toEqual([5, 22, 23, 24]);
  });

  it("lets people of several groups text their home handsets", async () => {
    const story = "  - { at: 1h, text: { from: [farmers/0, traders/5], to: all, body: hi } }";
    const seen = await eventsOf(quiet(story), "mo_sms");
    expect(channelsOf(seen)).toEqual(expect.arrayContaining([1, 23]));
  });

  it("a list of phones calls people who are at home there", async () => {
    const story = "  - { at: 1h, call: { from: [clinic/0, tally/2], to: [farmers, traders], talks: 10s } }";
    const { totals } = await playInMemory(parse(quiet(story)));
    expect(totals.ledger.calls).toMatchObject({ in: 2, delivered: 2, gap: 0 });
  });
});

describe("a share that is drawn each time", () => {
  const nightly = (share: string, every = "every: 1d, times: 4"): string =>
    quiet(`  - { at: 1h, ${every}, event: { of: ${share}, type: dark } }`);

  /** The channels of each day. */
  const nights = (seen: readonly Seen[]): number[][] =>
    [0, 1, 2, 3].map((day) =>
      channelsOf(seen.filter(({ atMs }) => Math.floor(atMs / 86_400_000) === day)).sort((a, b) => a - b),
    );

  it("selects others each time, where a share selects the same", async () => {
    const fixed = nights(await eventsOf(nightly("25% of clinic"), "dark"));
    expect(new Set(fixed.map(String)).size).toBe(1);
    const drawn = nights(await eventsOf(nightly("25% of clinic each time"), "dark"));
    expect(drawn.map(({ length }) => length)).toEqual([5, 5, 5, 5]);
    expect(new Set(drawn.map(String)).size).toBe(4);
  });

  it("selects the same in two parts, of all groups too", async () => {
    const text = nightly("25% of all each time");
    const whole = await eventsOf(text, "dark");
    expect(whole).toHaveLength(24);
    expect(await eventsOf(text, "dark", 2)).toEqual(whole);
  });

  it("selects the same whatever other steps there are, and at moments that vary", async () => {
    const text = nightly("25% of clinic each time");
    const whole = await eventsOf(text, "dark");
    const more = `${text}\n  - { at: 0s, event: { of: 30% of clinic each time, type: dawn } }`;
    expect(await eventsOf(more, "dark")).toEqual(whole);
    const spread = await eventsOf(text.replace("at: 1h", "at: 1h..2h"), "dark");
    expect(nights(spread)).toEqual(nights(whole));
  });
});
