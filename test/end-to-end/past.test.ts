import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { PastFrame, ReadyPast, StoryView } from "../../src/console/index.js";
import { openRecording, type RecordingReader, type Scenario } from "../../src/index.js";
import { PastLab } from "../../src/past/past-lab.js";
import { markNames } from "../../src/past/mark-names.js";
import { marksOf } from "../../src/past/past-marks.js";
import { type PastPlan, planPast, type SessionPlan } from "../../src/past/past-plan.js";
import { readScenarioFile } from "../../src/control/story/scenario-files.js";
import { temporaryFolder } from "../support/folder.js";
import { busyDay, MarkedReceiver, RunProcess, scenarioFile } from "./killed-run.js";
import { type ServedLab, serveReady, serving } from "./served.js";
import { parse, play, smallDay } from "./support.js";
import { WAIT_MS } from "../support/hang-guard.js";

/** What is compared of a live lab and of the lab of the past that stands at the same instant. */
const lists = [
  "contacts.json",
  "messages.json",
  "runs.json",
  "broadcasts.json",
  "flow_starts.json",
  "channel_events.json",
  "channels.json",
  "groups.json",
  "fields.json",
  "campaigns.json",
];

type Answers = Readonly<Record<string, unknown>>;

async function answersOf(get: Get): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  const { clock: _, database: _where, receiver: _url, ...status } = (await get("/lab/")) as Record<string, unknown>;
  answers["status"] = status;
  answers["handsets"] = await get("/lab/handsets");
  answers["events"] = await get("/lab/events?limit=100");
  for (const list of lists) answers[list] = ((await get(`/api/v2/${list}`)) as { results: unknown }).results;
  return answers;
}

type Get = (path: string) => Promise<unknown>;

const getOf =
  ({ api, lab }: ServedLab): Get =>
  (path) =>
    path.startsWith("/lab") ? lab.done("GET", path.slice(4)) : api.done("GET", path.slice("/api/v2/".length));

const pastGetOf =
  (past: PastLab): Get =>
  async (path) => {
    const { status, text } = await past.get({ path, publicUrl: "http://localhost" });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as unknown;
  };

const liveAnswers = (live: ServedLab): Promise<Answers> => answersOf(getOf(live));
const pastAnswers = (past: PastLab): Promise<Answers> => answersOf(pastGetOf(past));

async function demoScenario(): Promise<Scenario> {
  const read = await readScenarioFile(fileURLToPath(new URL("../../scenarios/demo.yaml", import.meta.url)), undefined);
  if ("problem" in read) throw new Error(read.problem);
  return read.scenario;
}

const demoHandsets = ["clinic/0", "old-harbour/2", "three-wells/1", "long-bridge/2"];

/** What the lab's first page says beside others. */
interface Status {
  readonly in_flight: number;
}

/** Whole numbers below a bound, always the same for a seed. */
function drawFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Does one of the things that a presenter does. */
async function handOf({ lab, api }: ServedLab, draw: (below: number) => number, handsets: readonly string[]) {
  const of = handsets[draw(handsets.length)] ?? "";
  const hands: readonly (() => Promise<unknown>)[] = [
    () => lab.done("POST", "/do/text", { from: "+12025550199", to: of, body: "fever child 2 days" }),
    () => lab.done("POST", "/do/power", { of, mains: draw(2) === 0 ? "off" : "on" }),
    () => lab.done("POST", "/do/battery", { of, level: `${5 + draw(90)}%` }),
    () => lab.done("POST", "/do/network", { of, type: draw(2) === 0 ? "none" : "LTE" }),
    () => lab.done("POST", "/do/power-cut", { of, for: "15m" }),
    () => lab.done("POST", "/do/airplane", { of, for: "5m" }),
    () => lab.done("POST", "/do/pause", { of, for: "10m" }),
    () => lab.done("POST", "/do/clock", { of, skew: "-2h" }),
    () => lab.done("POST", "/do/reboot", { of }),
    () => lab.done("POST", "/do/sync", { of, loses: "response" }),
    () => lab.done("POST", "/alarms", { of }),
    () => api.done("POST", "broadcasts.json", { text: "Bring the forms", urns: ["tel:+12025550199"] }),
    () => api.done("POST", "contacts.json", { name: "Ada", urns: [`tel:+1206555${1000 + draw(8999)}`] }),
  ];
  await hands[draw(hands.length)]?.();
}

/** Beside `answersOf`: some handsets with conversations and calls, and the story. */
async function closely(get: Get, handsets: readonly string[]): Promise<Answers> {
  const answers: Record<string, unknown> = { ...(await answersOf(get)) };
  for (const handset of handsets) {
    for (const part of ["", "/conversations", "/calls"])
      answers[`${handset}${part}`] = await get(`/lab/handset${part}?of=${encodeURIComponent(handset)}`);
  }
  const { file: _, refusal: _refusal, isRepeating: _repeats, ...story } = (await get("/lab/story")) as StoryView;
  answers["story"] = story;
  return answers;
}

/** Opens the past of a recording: each call is a new lab at the beginning. */
function pastOf(path: string): {
  readonly reader: RecordingReader;
  readonly plan: PastPlan;
  readonly untilMs: number;
  readonly untilWhy: string | undefined;
  readonly open: (keepsRows?: boolean) => Promise<PastLab>;
} {
  const reader = openRecording(path);
  onTestFinished(() => reader.close());
  const plan = planPast(reader, path);
  if ("why" in plan) throw new Error(plan.why);
  return {
    reader,
    plan,
    untilMs: plan.untilMs,
    untilWhy: plan.untilWhy,
    async open(keepsRows = true) {
      const past = await PastLab.create({
        reader,
        plan,
        session: plan.sessions[0] as SessionPlan,
        base: undefined,
        bytes: 0,
        keepsRows,
        onDifference: (atMs) => expect.fail(`an event at ${atMs} differs`),
        pause: () => undefined,
      });
      onTestFinished(() => past.close());
      return past;
    },
  };
}

describe("the past of a served lab", () => {
  it("is what its clients were answered then: account, hands, API requests, clock", async () => {
    const database = join(temporaryFolder(), "served.db");
    const live = await serveReady({ database, receiver: "bundled" });
    const seen = new Map<number, Answers>();
    const look = async (): Promise<void> => {
      const { now } = (await live.lab.done("GET", "/clock")) as { now: string };
      seen.set(Date.parse(now) - live.served.startsAtMs, await liveAnswers(live));
    };
    // A look is the last thing at its instant, as the past at an instant is what it was after all that happened then.
    await live.lab.done("POST", "/do/text", { from: "people/3", to: "clinic/0", body: "is it open?" });
    await look();
    await live.step("90s");
    await live.lab.done("POST", "/do/power", { of: "clinic/1", mains: "off" });
    await live.lab.done("POST", "/do/battery", { of: "clinic/1", level: "9%" });
    await live.api.done("POST", "contacts.json", { name: "Ada", urns: ["tel:+12065550142"] });
    await live.api.done("POST", "broadcasts.json", { text: "Bring the forms", urns: ["tel:+12065550121"] });
    await look();
    await live.step("11m");
    await look();
    await live.step("1ms");
    await live.lab.done("POST", "/clock", { speed: "60x" });
    await live.lab.done("POST", "/alarms", { of: "clinic/0" });
    await live.lab.done("POST", "/calls", { of: "clinic/0", phone: "people/5" });
    await live.step("2h");
    await look();
    await live.served.close();

    const past = pastOf(database);
    const forwards = await past.open();
    for (const [atMs, answers] of seen) {
      await forwards.advanceTo(atMs);
      expect(await pastAnswers(forwards)).toEqual(answers);
    }
    for (const [atMs, answers] of [...seen].toReversed()) {
      const once = await past.open();
      await once.advanceTo(atMs);
      expect(await pastAnswers(once)).toEqual(answers);
    }
  });
});

describe("the marks of the past", () => {
  it("are hands in words, and no changes of the clock", async () => {
    const database = join(temporaryFolder(), "served.db");
    const live = await serving({ scenario: parse(smallDay), database, receiver: "bundled" });
    await live.lab.done("POST", "/do/power", { of: "clinic/1", mains: "off", for: "40m" });
    await live.step("1m");
    await live.lab.done("POST", "/do/clock", { of: "clinic", skew: "10m" });
    await live.step("1m");
    await live.lab.done("POST", "/clock", { speed: "60x" });
    await live.lab.done("POST", "/calls", { of: "clinic/0", phone: "+12065550177" });
    await live.step("1m");
    await live.lab.done("POST", "/delivery-url", { of: "clinic/2", url: null });
    await live.served.close();

    const { reader, plan, open } = pastOf(database);
    const { world } = (await open()).lab;
    const names = markNames(plan.scenario.cast, world);
    const hands = marksOf(reader, plan, names).filter(({ kind }) => kind === "hand");
    expect(hands.map(({ atMs, text }) => [atMs, text])).toEqual([
      [0, "Mains of clinic/1 off for 40 min"],
      [60_000, "Clock of clinic 10 min ahead"],
      [120_000, "Call logged at clinic/0"],
      [180_000, "Delivery URL of clinic/2 removed"],
    ]);
  });
});

describe("the past of a served lab with hands", () => {
  it.each([
    { name: "the demo", scenario: demoScenario, seed: 3, handsets: demoHandsets },
    // Its story ends after a third of the looks; the phones live on.
    {
      name: "a day whose end passes",
      scenario: () => parse(smallDay, ["lasts=40m"]),
      seed: 5,
      handsets: ["clinic/0", "clinic/1", "clinic/2"],
    },
  ])("$name: at random moments it equals what the control API answered then", async ({ scenario, seed, handsets }) => {
    const database = join(temporaryFolder(), "served.db");
    const live = await serving({ scenario: await scenario(), database, receiver: "bundled" });
    const draw = drawFrom(seed);
    const seen = new Map<number, Answers>();
    for (let look = 0; look < 20; look++) {
      await live.step(`${1 + draw(360)}s`);
      for (let hand = draw(3); hand > 0; hand--) await handOf(live, draw, handsets);
      await expect.poll(async () => ((await live.lab.done("GET", "/")) as Status).in_flight).toBe(0);
      const { now } = (await live.lab.done("GET", "/clock")) as { now: string };
      seen.set(Date.parse(now) - live.served.startsAtMs, await closely(getOf(live), handsets));
      await live.step("1ms");
    }
    await live.served.close();
    const past = pastOf(database);
    const forwards = await past.open();
    for (const [atMs, answers] of seen) {
      await forwards.advanceTo(atMs);
      expect([atMs, await closely(pastGetOf(forwards), handsets)]).toEqual([atMs, answers]);
    }
    const [atMs = 0, answers] = [...seen][draw(20)] ?? [];
    const fresh = await past.open();
    await fresh.advanceTo(atMs);
    expect(await closely(pastGetOf(fresh), handsets)).toEqual(answers);
  });
});

describe("the past of a run", () => {
  it("counts in spans what the recording has, and tells the story as it stood", async () => {
    const recording = join(temporaryFolder(), "small.db");
    const receiver = await MarkedReceiver.start();
    await play(`${smallDay}\nexpect:\n  - events.mo_sms > 2\n`, { recording, receiver: receiver.url });
    const recorded = openRecording(recording);
    onTestFinished(() => recorded.close());
    const { lab } = await serving({ recording });
    type Past = { readonly state: string; readonly isComplete: boolean; readonly untilMs: number } & ReadyPast;
    const past = await vi.waitFor(
      async () => {
        const view = (await lab.done("GET", "/past")) as Past;
        expect([view.state, view.isComplete]).toEqual(["ready", true]);
        return view;
      },
      { timeout: WAIT_MS },
    );
    const { points, untilMs } = past;
    const times = [...recorded.events()].map(({ atMs }) => atMs);
    expect(points.map(({ events }) => events)).toEqual(
      points.map(({ fromMs, atMs }) => times.filter((each) => (each > fromMs || each === 0) && each <= atMs).length),
    );
    expect(points.map(({ fromMs }) => fromMs)).toEqual([0, ...points.map(({ atMs }) => atMs).slice(0, -1)]);
    expect(points.at(-1)?.atMs).toBe(untilMs);
    const attempts = [...recorded.attempts()].filter(({ outcome }) => outcome === "accepted");
    expect(points.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(attempts.length);
    expect(attempts.length).toBeGreaterThan(100);
    expect(points.map(({ p50Ms }) => p50Ms !== null)).toEqual(points.map(({ accepted }) => accepted > 0));

    expect(past.untilWhy).toBeNull();
    const stateAt = async (atMs: number): Promise<string | undefined> => {
      const { story } = (await lab.done("GET", `/past/moment?at=${atMs}`)) as PastFrame;
      return story?.expectations.at(-1)?.state;
    };
    expect(await stateAt(untilMs)).toBe("held");
    expect(await stateAt(1)).toBe("waiting");
  });

  it("is the same whether a moment is reached forwards, or by steps back and on again", async () => {
    const recording = join(temporaryFolder(), "small.db");
    await play(smallDay, { recording });
    const { lab } = await serving({ recording });
    const { untilMs } = pastOf(recording);
    const momentAt = async (share: number): Promise<unknown> =>
      lab.done("GET", `/past/moment?at=${Math.round(untilMs * share)}`);
    const shares = [0.2, 0.3, 0.42, 0.5, 0.61, 0.9];
    const forwards = new Map<number, unknown>();
    for (const share of shares) forwards.set(share, await momentAt(share));
    for (const share of [0.5, 0.42, 0.9, 0.42, 0.3, 0.2, 0.61, 0.5, 0.42, 0.9])
      expect([share, await momentAt(share)]).toEqual([share, forwards.get(share)]);
  });

  it("leads to the recorded events, attempts and messages at every pace, forwards and from the start", async () => {
    const receiver = await MarkedReceiver.start();
    for (const pace of ["lockstep", "3600x", "max"] as const) {
      const recording = join(temporaryFolder(), `${pace}.db`);
      await play(busyDay(receiver.url, "8m"), { recording, pace });
      const past = pastOf(recording);
      const forwards = await past.open();
      for (const share of [0.21, 0.5, 0.51, 0.83]) {
        const atMs = Math.round(past.untilMs * share);
        await forwards.advanceTo(atMs);
        expect(forwards.atMs).toBe(atMs);
        const fresh = await past.open();
        await fresh.advanceTo(atMs);
        expect(await pastAnswers(fresh)).toEqual(await pastAnswers(forwards));
      }
      await forwards.advanceTo(past.untilMs);
      const [recorded, played] = [openRecording(recording), forwards.reader()];
      onTestFinished(() => recorded.close());
      expect(forwards.atMs).toBeGreaterThanOrEqual(480_000);
      expect([...played.messages()]).toEqual([...recorded.messages()]);
      expect([...played.attempts()]).toEqual([...recorded.attempts()]);
      const samples = [...played.samples()].map((row) => ({ ...row, wallMs: 0 }));
      expect(samples).toEqual([...recorded.samples()].map((row) => ({ ...row, wallMs: 0 })));
      expect(played.counts()).toEqual(recorded.counts());
    }
  });

  it("is there up to the kill when the run was killed", async () => {
    const receiver = await MarkedReceiver.start();
    const { scenario, recording } = scenarioFile(busyDay(receiver.url, "8m"));
    const run = new RunProcess([scenario, "--pace", "240x", "--recording", recording, "-q", "--no-report"]);
    receiver.at(300, () => run.kill());
    expect((await run.ended).signal).toBe("SIGKILL");
    const recorded = openRecording(recording);
    onTestFinished(() => recorded.close());
    const past = pastOf(recording);
    expect(past.untilMs).toBeGreaterThan(60_000);
    expect(past.untilMs).toBeLessThan(480_000);
    expect(past.untilWhy).toBe("The run was killed then.");
    const forwards = await past.open();
    await forwards.advanceTo(past.untilMs);
    const events = [...recorded.events()];
    expect(events.length).toBeGreaterThan(100);
    expect([...forwards.reader().events()]).toEqual(events);
    const half = await past.open(false);
    await half.advanceTo(Math.round(past.untilMs / 2));
    expect(half.lab.world.surveys(100).length).toBe(forwards.lab.world.surveys(100).length);
  });

  it("needs no rows to be right", async () => {
    const recording = join(temporaryFolder(), "small.db");
    await play(smallDay, { recording });
    const past = pastOf(recording);
    const [kept, discarded] = [await past.open(true), await past.open(false)];
    for (const share of [0.1, 0.4, 0.9, 1]) {
      await kept.advanceTo(Math.round(past.untilMs * share));
      await discarded.advanceTo(Math.round(past.untilMs * share));
      expect(discarded.lab.ledger()).toEqual(kept.lab.ledger());
      expect(discarded.lab.world.surveys(100)).toEqual(kept.lab.world.surveys(100));
    }
  });
});
