import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, runScenario } from "../../src/index.js";
import { storyOutlineOf } from "../../src/report/story-outline.js";
import { temporaryFolder } from "../support/folder.js";
import { playInMemory } from "../support/played-in-memory.js";
import { playFarm } from "./flow-samples.js";
import { serving } from "./served.js";
import { parse } from "./support.js";

const minute = 60_000;

function clinics(story: string): string {
  return `
name: Conditions
seed: 4
lasts: 3h
carriers: { net: { delay: 1s } }
handsets:
  clinic: { count: 4, phone: "+2507880{00000}" }
people:
  farmers: { count: 8, of: clinic, phone: "+2507811{00000}" }
story:
${story}`;
}

const notesOf = async (story: string): Promise<[number, string][]> => {
  const { notes, totals } = await playInMemory(parse(clinics(story)));
  expect(totals.ledger.texts.gap).toBe(0);
  return notes.map(({ atMs, text }) => [atMs, text]);
};

describe("a step with 'when'", () => {
  it("waits for an event of a phone, and later steps count from that moment", async () => {
    const notes = await notesOf(`
  - { at: 10m, event: { of: clinic/1, type: visit, fields: { who: Ann } } }
  - { at: 12m, event: { of: clinic/3, type: visit, fields: { who: Bob } } }
  - { at: 20m, event: { of: clinic/3, type: visit, fields: { who: Ann } } }
  - { at: 1m, when: { event: visit, of: clinic/3, where: { who: Ann } }, note: Ann is there }
  - { after: 5m, note: five minutes later }
`);
    expect(notes).toEqual([
      [20 * minute, "The story's condition holds: event: visit, of: clinic/3, where: { who: Ann }"],
      [20 * minute, "Ann is there"],
      [25 * minute, "five minutes later"],
    ]);
  });

  it("waits for a text that a person hears", async () => {
    const notes = await notesOf(`
  - { at: 10m, send: { via: clinic/0, to: farmers/0, body: come tomorrow } }
  - { when: { hears: /tomorrow/, person: farmers }, note: heard }
`);
    expect(notes.map(([, text]) => text)).toContain("heard");
    expect(notes[0]?.[0]).toBeGreaterThan(10 * minute);
    expect(notes[0]?.[0]).toBeLessThan(12 * minute);
  });

  it("waits for a queue and for a battery", async () => {
    const notes = await notesOf(`
  - { at: 1m, network: { of: clinic/2, type: none } }
  - { at: 5m, text: { from: farmers, to: clinic/2, body: hello } }
  - { at: 30m, battery: { of: clinic/1, level: 9% } }
  - { when: { queue: ">= 8", of: clinic/2 }, note: full }
  - { when: { battery: "< 10%", of: clinic }, note: low }
`);
    expect(notes.filter(([, text]) => text === "full")[0]?.[0]).toBeCloseTo(5 * minute, -4);
    expect(notes.filter(([, text]) => text === "low")).toEqual([[30 * minute, "low"]]);
  });

  it("may wait for one condition after another", async () => {
    const notes = await notesOf(`
  - { at: 10m, event: { of: clinic/0, type: b } }
  - { at: 20m, event: { of: clinic/0, type: a } }
  - { at: 30m, event: { of: clinic/0, type: b } }
  - { when: { event: a, of: clinic/0 }, note: first a }
  - { after: 1m, when: { event: b, of: clinic/0 }, note: then b }
`);
    expect(notes.filter(([, text]) => text.startsWith("then"))).toEqual([[30 * minute, "then b"]]);
  });

  it("without 'within' is left out when the condition does not come; with it, the run has a problem", async () => {
    const story = (within: string): string =>
      clinics(`  - { at: 1m, when: { event: alarm, of: clinic/3 }, ${within} note: never }\n`);
    const silent = await runScenario(parse(story("")), { receiver: "none", recording: ":memory:" });
    expect(silent).toMatchObject({ exitCode: 0, result: { problems: [] } });
    const missed = await runScenario(parse(story("within: 1h,")), { receiver: "none", recording: ":memory:" });
    expect(missed.exitCode).toBe(1);
    expect(missed.result.problems.join()).toContain(
      "test.yaml:11: the condition did not come within 1h from 1m on: event: alarm, of: clinic/3",
    );
  });
});

describe("in two parts", () => {
  const power = (of: string): string =>
    clinics(`
  - { at: 10m, event: { of: clinic/3, type: storm } }
  - { when: { event: storm, of: clinic/3 }, within: 1h, power-cut: { of: ${of}, for: 30m..3h } }
  - { after: 150m, battery: { of: clinic/3, level: 20% } }
`);

  it("the part of the condition's phones decides, as the whole does", async () => {
    const whole = await playInMemory(parse(power("clinic/3")));
    const parts = await Promise.all(
      [1, 2].map((index) => playInMemory(parse(power("clinic/3")), { shard: { index, count: 2 } })),
    );
    expect(new Map(parts.flatMap(({ phones }) => [...phones]))).toEqual(whole.phones);
    expect(whole.phones.get("clinic/3")?.power.level).toBeLessThan(60);
  });

  it("a step that acts elsewhere is refused", async () => {
    const shard = { index: 1, count: 2 };
    const refused = runScenario(parse(power("clinic/0")), { receiver: "none", recording: ":memory:", shard });
    await expect(refused).rejects.toThrow(/test.yaml:13: the step acts outside part 2/);
  });
});

describe("a step that waits for the account", () => {
  const cast = `lasts: 2h
receiver: none
data: account.yaml
handsets: { clinic: { count: 2, phone: "+25078800000{0}" } }
people: { farmers: { count: 4, phone: "+2507811000{00}" } }
`;

  it("happens when one of the people begins a flow, or ends it", async () => {
    const { result } = await playFarm(`${cast}story:
  - { at: 5m, flow: { person: farmers/1, flow: registration } }
  - { when: { flow: Registration, person: farmers }, event: { of: clinic/0, type: begun } }
  - { when: { flow: Registration, person: farmers/1, ends: completed }, event: { of: clinic/0, type: completed } }
  - { at: 10m, text: { from: farmers/1, to: clinic, body: I am 45 } }
  - { at: 15m, text: { from: farmers/1, to: clinic, body: yebo } }
  - { at: 5m, expect: { event: begun, count: 1, within: 1m } }
  - { at: 10m, expect: { event: completed, at-most: 0 } }
  - { at: 15m, expect: { event: completed, count: 1, within: 5m } }
`);
    expect(result.expectations.map(({ text, held }) => [text, held])).toEqual(
      result.expectations.map(({ text }) => [text, true]),
    );
  });

  it("happens when a client sends a broadcast, and a restarted lab watches on", async () => {
    const database = join(temporaryFolder(), "lab.db");
    const scenario = parse(
      clinics(`
  - { at: 1m, when: { broadcast: /storm/ }, note: storm news }
  - { after: 30m, note: half an hour later }
  - { at: 2m, when: { broadcast: /flood/ }, within: 90m, note: flood news }
`),
    );
    const first = await serving({ scenario, database });
    await first.step("10m");
    const send = (lab: typeof first, text: string): Promise<unknown> =>
      lab.api.done("POST", "broadcasts.json", { urns: ["tel:+250781100000"], text });
    await send(first, "a storm comes");
    await first.step("10m");
    await first.served.close();
    const second = await serving({ database });
    await second.step("10m");
    await send(second, "a flood comes");
    await second.step("30m");
    await second.served.close();
    const reader = openRecording(database);
    const seen = [...reader.notes()].filter(({ kind }) => kind === "story" || kind === "note");
    reader.close();
    const texts = seen.map(({ text }) => text).filter((text) => !text.startsWith("The story's"));
    expect(texts).toEqual(["storm news", "flood news", "half an hour later"]);
    const later = seen.find(({ text }) => text === "half an hour later");
    expect(later?.atMs).toBe((seen.find(({ text }) => text === "storm news")?.atMs ?? 0) + 30 * minute);
  });
});

it("a report tells when conditional steps happened, how long they waited, and why they did not", async () => {
  const recording = join(temporaryFolder(), "run.db");
  const text = clinics(`
  - { at: 30m, event: { of: clinic/3, type: storm } }
  - { at: 10m, when: { event: storm, of: clinic/3 }, power: { of: clinic/3, mains: off } }
  - { after: 20m, power: { of: clinic/3, mains: on } }
  - { at: 10m, when: { event: flood }, within: 1h, reboot: { of: clinic/2 } }
  - { at: 40m, text: { from: farmers/7, to: clinic/3, body: hello } }
`);
  await runScenario(parse(text), { receiver: "none", recording });
  const reader = openRecording(recording);
  const { steps } = storyOutlineOf(reader);
  const told = steps.map(([atMs, words]) => `${atMs / minute} ${words}`);
  expect(told).toContainEqual(
    expect.stringMatching(/^30 power: .*\(after waiting 20 min for event: storm, of: clinic\/3\)$/),
  );
  expect(told).toContainEqual(expect.stringMatching(/^50 power: of clinic\/3, mains on/));
  expect(told).toContainEqual(
    expect.stringMatching(/^70 did not happen: reboot: .* \(event: flood did not come within 1 h\)$/),
  );
  reader.close();
});
