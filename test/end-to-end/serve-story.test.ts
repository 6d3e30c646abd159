import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { REPEAT_AFTER_MS } from "../../src/console/index.js";
import { temporaryFolder } from "../support/folder.js";
import { readyScenario, type ServedLab, serveReady, serving } from "./served.js";
import { parse } from "./support.js";

const STORY = `# A small story
#
# What the chooser says of it.
name: Small story
starts: 2026-03-04T06:00:00.000Z
lasts: 3h
receiver: { application: ${resolve("scenarios/health-line/application.mjs")} }
handsets:
  clinic: { count: 3, phone: "+2507880{000}", network: WIFI, battery: 90% }
people:
  farmers: { count: 5, phone: "+2507811{000}", of: clinic }
story:
  - { at: 30m, beat: { name: First text, about: Somebody asks } }
  - { at: 30m, text: { from: farmers/0, to: clinic/0, body: fever child 2 days } }
  - { at: 30m, expect: { person: farmers/0, hears: /danger sign/, within: 10m } }
  - { at: 1h, beat: { name: Silence } }
  - { at: 1h, pause: { of: clinic/1, for: 1h } }
  - { at: 1h, expect: { event: alarm, of: clinic/1, count: 1, within: 45m } }
  - { at: 1h, expect: { event: mo_miss, within: 20m } }
  - { at: 2h, note: all is well }
expect:
  - failures == 0
  - events.mo_sms >= 1
  - alarms == 0
`;

function served(options: Parameters<typeof serving>[0] = {}): Promise<ServedLab> {
  return serving({ scenario: parse(STORY), receiver: "bundled", folder: temporaryFolder(), ...options });
}

interface Story {
  readonly name: string;
  readonly state: string;
  readonly beats: readonly { readonly name: string }[];
  readonly expectations: readonly { readonly text: string; readonly state: string; readonly seen: string | null }[];
  readonly notes: readonly { readonly at: string; readonly text: string }[];
}

const storyOf = (lab: ServedLab): Promise<Story> => lab.lab.done("GET", "/story") as Promise<Story>;
const jump = (lab: ServedLab, body: object): Promise<{ at: string; done: string }> =>
  lab.lab.done("POST", "/story", body) as Promise<{ at: string; done: string }>;

/** The states of the expectations, once they have been judged again: a judgement is kept for a second. */
async function expectStates(lab: ServedLab, states: readonly string[]): Promise<void> {
  await expect.poll(async () => (await storyOf(lab)).expectations.map(({ state }) => state)).toEqual(states);
}

describe("a jump", () => {
  it("plays to the millisecond before a beat, and expectations are decided as it goes", async () => {
    const lab = await served();
    expect(await storyOf(lab)).toMatchObject({
      name: "Small story",
      about: "What the chooser says of it.",
      state: "playing",
      ends: "2026-03-04T09:00:00.000000Z",
      beats: [
        { name: "First text", about: "Somebody asks", at: "2026-03-04T06:30:00.000000Z" },
        { name: "Silence", about: null, at: "2026-03-04T07:00:00.000000Z" },
      ],
    });
    await expectStates(lab, ["waiting", "waiting", "waiting", "waiting", "waiting", "waiting"]);
    expect(await jump(lab, { beat: "first TEXT" })).toEqual({
      at: "2026-03-04T06:29:59.999000Z",
      done: "at First text",
    });
    await expectStates(lab, ["waiting", "waiting", "waiting", "waiting", "waiting", "waiting"]);
    await jump(lab, { beat: "Silence" });
    // The person has heard the question of the clinic's application.
    await expectStates(lab, ["held", "waiting", "waiting", "waiting", "held", "waiting"]);
    await jump(lab, { at: "1h21m" });
    await expectStates(lab, ["held", "waiting", "failed", "waiting", "held", "waiting"]);
    await jump(lab, { at: "2h" });
    // One alarm: the story's count can still be exceeded until 1h45m, and that time is over.
    await expectStates(lab, ["held", "held", "failed", "waiting", "held", "failed"]);
    await jump(lab, { at: "3h" });
    await expectStates(lab, ["held", "held", "failed", "held", "held", "failed"]);
    const { state, notes, expectations } = await storyOf(lab);
    expect(state).toBe("over");
    expect(notes.map(({ text }) => text)).toEqual(["First text: Somebody asks", "Silence", "all is well"]);
    expect(expectations[5]).toMatchObject({ text: "alarms == 0", seen: "1" });
  });

  it("back begins the scenario again; tokens, address and pause stay", async () => {
    const lab = await served();
    await jump(lab, { at: "2h" });
    expect(await jump(lab, { beat: "First text" })).toMatchObject({ done: "at First text" });
    expect((await lab.lab.done("GET", "/clock")) as object).toMatchObject({
      now: "2026-03-04T06:29:59.999000Z",
      paused: true,
    });
    expect((await storyOf(lab)).notes).toEqual([]);
    expect((await lab.api.get("contacts.json")).status).toBe(200);
    await lab.lab.done("POST", "/clock", { paused: false, speed: 1000 });
    await expect.poll(async () => (await storyOf(lab)).notes.length).toBeGreaterThan(0);
  });

  it("can be cancelled, also by a change of the clock", async () => {
    const lab = await served({ scenario: parse(STORY.replace("lasts: 3h", "lasts: 3600d")) });
    for (const cancel of [() => jump(lab, { cancel: true }), () => lab.lab.done("POST", "/clock", { paused: true })]) {
      const going = jump(lab, { at: "3500d" });
      await expect.poll(async () => ((await lab.lab.done("GET", "/story")) as { jump: unknown }).jump).not.toBeNull();
      expect(await lab.lab.post("/story", { at: "2h" })).toMatchObject({ status: 409 });
      await cancel();
      expect((await going).done).toBe("the jump to 3500d was cancelled");
    }
  });

  it.each([
    [{ beat: "Nowhere" }, 404, "no beat 'Nowhere'"],
    [{ at: "4h" }, 400, "The scenario lasts 3h"],
    [{}, 400, "Give one of these"],
    [{ beat: "Silence", at: "1h" }, 400, "Give one of these"],
    [{ at: "soon" }, 400, "A span is a number"],
  ])("to %o is refused", async (body, status, message) => {
    const lab = await served();
    const answer = await lab.lab.post("/story", body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(message);
  });
});

describe("scenarios", () => {
  it("are those of the package and of the folder, with what their comments say", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine.yaml"), STORY);
    writeFileSync(join(folder, "compose.yaml"), "services: {}\n");
    writeFileSync(join(folder, "broken.yaml"), STORY.replace("lasts: 3h", "lasts: 3"));
    mkdirSync(join(folder, "elsewhere"));
    writeFileSync(join(folder, "elsewhere", "hidden.yaml"), STORY);
    symlinkSync(join(folder, "elsewhere", "hidden.yaml"), join(folder, "link.yaml"));
    const lab = await served({ folder });
    const list = (await lab.lab.done("GET", "/scenarios")) as readonly Record<string, unknown>[];
    expect(list.find(({ file }) => file === "bundled/power-cut.yaml")).toMatchObject({
      name: "Power cut in the district",
      title: "A power cut, and the storm when it ends",
      handsets: 40,
      people: 2000,
      lasts_s: 10_800,
      problem: null,
    });
    expect(list.filter(({ file }) => !String(file).startsWith("bundled/"))).toMatchObject([
      { file: "broken.yaml", problem: expect.stringMatching(/broken\.yaml:6:8: error\[wrong-unit\]/) },
      { file: "mine.yaml", name: "Small story", title: "A small story", beats: ["First text", "Silence"] },
    ]);
  });

  it("start in place of what is served: phones, account and story are new; tokens stay", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine.yaml"), STORY);
    const lab = await serveReady({ folder });
    await lab.lab.done("POST", "/snapshots", { save: "mine" });
    expect(((await lab.api.done("GET", "contacts.json")) as { results: unknown[] }).results.length).toBeGreaterThan(5);
    const done = (await lab.lab.done("POST", "/scenario", { file: "mine.yaml", speed: "60x" })) as { done: string };
    expect(done.done).toBe("Small story has begun");
    expect(await storyOf(lab)).toMatchObject({ name: "Small story", file: "mine.yaml" });
    expect(((await lab.api.done("GET", "channels.json")) as { results: unknown[] }).results).toHaveLength(3);
    expect(((await lab.api.done("GET", "contacts.json")) as { results: unknown[] }).results).toHaveLength(0);
    expect((await lab.lab.done("GET", "/clock")) as object).toMatchObject({ speed: 60, paused: false });
    // Snapshots of the account before are gone, and a new one of the start is there.
    expect(((await lab.lab.done("GET", "/snapshots")) as { name: string }[]).map(({ name }) => name)).toEqual([
      "start",
    ]);
    await lab.lab.done("POST", "/clock", { paused: true });
    await lab.lab.done("POST", "/snapshots", { restore: "start" });
    expect(await storyOf(lab)).toMatchObject({ name: "Small story" });
    expect(await lab.lab.done("POST", "/scenario", { name: "ready" })).toMatchObject({ done: "Ready has begun" });
    expect(((await lab.api.done("GET", "contacts.json")) as { results: unknown[] }).results.length).toBeGreaterThan(5);
  });

  it("that cannot be read are refused with the place of each mistake, and nothing changes", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "broken.yaml"), STORY.replace("power-cut", "").replace("at: 1h, pause", "at: 1h, paus"));
    const lab = await served({ folder });
    const answer = await lab.lab.post("/scenario", { file: "broken.yaml" });
    expect(answer.status).toBe(400);
    expect((answer.body as { detail: string }).detail).toMatch(
      /broken\.yaml:17:\d+: error\[unknown-verb\]: 'paus' is no verb/,
    );
    expect(await storyOf(lab)).toMatchObject({ name: "Small story", state: "playing" });
  });

  it.each([["../secret.yaml"], ["/etc/passwd"], ["elsewhere/hidden.yaml"], ["link.yaml"], ["bundled/../package.json"]])(
    "outside the offered folders are not opened: %s",
    async (file) => {
      const lab = await served();
      expect(await lab.lab.post("/scenario", { file })).toMatchObject({ status: 404 });
    },
  );

  it("that are stopped stand, with their results, until they begin again", async () => {
    const lab = await served();
    await jump(lab, { beat: "Silence" });
    expect(await lab.lab.done("POST", "/scenario", { stop: true })).toMatchObject({
      done: expect.stringContaining("is stopped"),
    });
    await expectStates(lab, ["held", "failed", "failed", "held", "held", "held"]);
    expect(await storyOf(lab)).toMatchObject({ state: "stopped" });
    expect(await lab.lab.post("/clock", { paused: false })).toMatchObject({ status: 409 });
    expect((await lab.api.get("messages.json?folder=inbox")).status).toBe(200);
    expect(await lab.lab.done("POST", "/scenario", { again: true })).toMatchObject({
      done: "Small story has begun again",
    });
    await lab.lab.done("POST", "/clock", { paused: true });
    await expectStates(lab, ["waiting", "waiting", "waiting", "waiting", "waiting", "waiting"]);
  });

  it("are not begun in a lab with a database", async () => {
    const database = join(temporaryFolder(), "kept.db");
    const lab = await serving({ scenario: readyScenario(), database });
    for (const body of [{ again: true }, { name: "ready" }, { stop: true }]) {
      const answer = await lab.lab.post("/scenario", body);
      expect(answer.status).toBe(409);
      expect((answer.body as { detail: string }).detail).toContain(`keeps its account in ${database}`);
    }
    // Forward is possible there.
    expect((await jump(lab, { at: "10m" })).done).toBe("at 10m");
  });
});

describe("--repeat", () => {
  it("begins the scenario again when it is over", async () => {
    const lab = await served({ isRepeating: true });
    await jump(lab, { at: "2h59m59s" });
    await lab.lab.done("POST", "/clock", { paused: false, speed: 60 });
    await expect.poll(async () => (await storyOf(lab)).state).toBe("over");
    await expect.poll(async () => (await storyOf(lab)).state).toBe("playing");
    expect((await storyOf(lab)).notes).toEqual([]);
  });

  it("leaves the end as it is while the clock is paused, and as long after it is resumed", async () => {
    const lab = await served({ isRepeating: true });
    await jump(lab, { at: "2h59m59s" });
    await lab.lab.done("POST", "/clock", { paused: false, speed: 60 });
    await expect.poll(async () => (await storyOf(lab)).state).toBe("over");
    const endedMs = performance.now();
    await lab.lab.done("POST", "/clock", { paused: true });
    await expect.poll(() => performance.now() - endedMs).toBeGreaterThan(REPEAT_AFTER_MS);
    expect((await storyOf(lab)).state).toBe("over");
    const resumedMs = performance.now();
    await lab.lab.done("POST", "/clock", { paused: false });
    await expect.poll(async () => (await storyOf(lab)).state).toBe("playing");
    expect(performance.now() - resumedMs).toBeGreaterThan(REPEAT_AFTER_MS);
  });
});
