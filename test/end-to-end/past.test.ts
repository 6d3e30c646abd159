import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { StoryView } from "../../src/console/index.js";
import { readScenarioFile } from "../../src/control/story/scenario-files.js";
import type { Scenario } from "../../src/index.js";
import { markNames } from "../../src/past/mark-names.js";
import { marksOf } from "../../src/past/past-marks.js";
import { runs } from "../support/effort.js";
import { temporaryFolder } from "../support/folder.js";
import { randomNumbers } from "../support/random.js";
import {
  type Answers,
  answersOf,
  type Get,
  getOf,
  liveAnswers,
  pastAnswers,
  pastGetOf,
  pastOf,
} from "./past-answers.js";
import { type ServedLab, serveReady, serving } from "./served.js";
import { parse, smallDay } from "./support.js";

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
  const random = randomNumbers(seed);
  return (below) => Math.floor(random() * below);
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

describe("the past of a served lab", () => {
  it("has pictures at once, before the recording is played again", async () => {
    const live = await serveReady();
    await live.lab.done("POST", "/do/power", { of: "clinic/1", mains: "off" });
    await live.step("1h");
    const view = await live.lab.done("GET", "/past");
    expect(view).toMatchObject({ state: "ready", fromMs: 0, untilMs: 7_200_000, isComplete: false, receiver: null });
    const { groups, frames } = view as { readonly groups: readonly unknown[]; readonly frames: readonly number[] };
    expect(groups).toHaveLength(1);
    expect(frames[0]).toBeLessThanOrEqual(3_600_000);
    const frame = (await live.lab.done("GET", "/past/frame?at=7199999")) as { readonly fleet: { battery: number[] } };
    expect(frame.fleet.battery).toHaveLength(2);
  });

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

const looks = runs(10, 20);

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
    for (let look = 0; look < looks; look++) {
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
    const [atMs = 0, answers] = [...seen][draw(looks)] ?? [];
    const fresh = await past.open();
    await fresh.advanceTo(atMs);
    expect(await closely(pastGetOf(fresh), handsets)).toEqual(answers);
  });
});
