import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, renderSummary, runScenario } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { parse } from "./support.js";

/** Three phones that are texted and text, and a story. */
function tale(story: string, service = "documented"): string {
  return `
name: Registrations
seed: 5
starts: 2026-03-04T06:00:00.000Z
lasts: 10h
service: ${service}
handsets:
  clinic: { count: 3, phone: "+2507880{00000}", profile: 2024 }
people:
  farmers: { count: 30, of: clinic, phone: "+2507811{00000}" }
traffic:
  - { texts: { from: farmers, to: clinic, body: hello }, rate: 60/h }
  - { sends: { via: clinic, to: farmers, body: yes }, rate: 60/h }
  - { calls: { from: farmers, to: clinic }, rate: 20/h }
story:
${story}
`;
}

/** What a day shows of the first phone: the ids in its events with their first and last hour, its losses, its log. */
async function played(story: string, service?: string) {
  const recording = join(temporaryFolder(), "run.db");
  const { result } = await runScenario(parse(tale(story, service)), { recording, receiver: "none" });
  const reader = openRecording(recording);
  const spans = new Map<string, [number, number]>();
  const notes: string[] = [];
  try {
    for (const { channel, atMs, body } of reader.events()) {
      if (channel !== 1) continue;
      const relayer = new URLSearchParams(body).get("relayer") ?? "";
      const [first] = spans.get(relayer) ?? [atMs];
      spans.set(relayer, [first, atMs]);
    }
    for (const { channel, text } of reader.notes()) if (channel === 1) notes.push(text);
  } finally {
    reader.close();
  }
  const { ledger, lost, problems } = result;
  expect(lost).toBe(0);
  const hours = [...spans].map(([id, span]) => [id, ...span.map((ms) => Math.round(ms / 360_000) / 10)]);
  return { hours, losses: ledger.texts.lost, callLosses: ledger.calls.lost, notes, problems };
}

describe("the relayer id of a phone", () => {
  it("changes overnight, when the app was installed again and claimed", async () => {
    const { hours, losses, callLosses } = await played("  - { at: 2h, register: { of: clinic/0, claimed-again: 3h } }");
    expect(hours.map(([id]) => id)).toEqual(["1", "1000001"]);
    const [[, , lastOld], [, firstNew]] = hours as [[string, number, number], [string, number]];
    // The old channel is silent until the claim: its alarm is the last event under the old id.
    expect(lastOld).toBeGreaterThanOrEqual(2);
    expect(lastOld).toBeLessThan(3);
    expect(firstNew).toBeGreaterThanOrEqual(5);
    expect(losses["unclaimed"]).toBeGreaterThan(30);
    expect(losses["released"]).toBeGreaterThan(30);
    expect(callLosses["unclaimed"]).toBeGreaterThan(5);
  });

  it("changes after a release, from which no event comes until the claim", async () => {
    const { hours, losses, notes } = await played("  - { at: 2h, release: { of: clinic/0, claimed-again: 1h..2h } }");
    expect(hours).toEqual([
      ["1", expect.any(Number), expect.any(Number)],
      ["1000001", expect.any(Number), expect.any(Number)],
    ]);
    expect(hours[0]?.[2]).toBeLessThanOrEqual(2);
    expect(hours[1]?.[1]).toBeGreaterThanOrEqual(3);
    expect(losses["unclaimed"]).toBeGreaterThan(10);
    expect(notes).toEqual([
      "channel 1 of clinic/0 was released",
      "channel 1 of clinic/0 is released: messages through it are not sent",
      "clinic/0 registered again as 1000001; nobody has claimed it",
      "clinic/0 was claimed as channel 1000001",
    ]);
  });

  it("changes after a reset on which the service releases the channel, and stays after any other", async () => {
    const released = await played("  - { at: 2h, reset: { of: clinic/0, down: 0s, claimed-again: 1h } }");
    expect(released.hours.map(([id]) => id)).toEqual(["1", "1000001"]);
    const kept = await played("  - { at: 2h, reset: { of: clinic/0 } }");
    expect(kept.hours.map(([id]) => id)).toEqual(["1"]);
  });
});

it("a claim that is refused is a problem of its line; one that nothing precedes, too", async () => {
  const { problems } = await played(
    `  - { at: 2h, claim: { of: clinic/0, phone: "+250788000001" } }\n  - { at: 3h, claim: { of: clinic/0 } }`,
  );
  expect(problems).toEqual([
    expect.stringMatching(
      /^test\.yaml:16: the number \+250788000001 for clinic\/0 is in use: channel 2 of clinic\/1 has it/,
    ),
    expect.stringMatching(/^test\.yaml:17: clinic\/0 is claimed already, as channel 1$/),
  ]);
});

it("a number that two channels have brings one's messages to the other's phone", async () => {
  const { hours, losses } = await played(
    `  - { at: 2h, claim: { of: clinic/0, phone: "+250788000001" } }`,
    "rapidpro-2016",
  );
  expect(hours).toHaveLength(1);
  expect(losses).not.toHaveProperty("released");
});

it("messages that the service does not make are a warning with their number, handsets and cause, one for each cause", async () => {
  const warningsOf = async (story: string) => {
    const { result } = await runScenario(parse(tale(story)), { receiver: "none" });
    return { warnings: result.warnings ?? [], summary: renderSummary(result, { colour: false, width: 400 }) };
  };
  const story = `  - { at: 2h, release: { of: [clinic/0, clinic/1] } }\n  - { at: 4h, claim: { of: clinic/2, org: 2 } }`;
  const { warnings, summary } = await warningsOf(story);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^\d{3} messages were not made, the first at 2h.*, because the channel was released: clinic\/[01], clinic\/[01]$/,
    ),
    expect.stringMatching(
      /^\d{2,3} messages were not made, the first at 4h.*, because the channel belonged to another organisation: clinic\/2$/,
    ),
  ]);
  for (const warning of warnings) expect(summary).toContain(`! ${warning}`);
  expect((await warningsOf("  - { at: 2h, reset: { of: clinic/0 } }")).warnings).toEqual([]);
});
