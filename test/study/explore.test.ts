import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFailureCondition } from "../../src/expect/index.js";
import { type Explored, type ExploreOptions, exploreScenario, renderExplored } from "../../src/study/index.js";
import { temporaryFolder } from "../support/folder.js";
import { type Bug, buggyReceiver } from "./planted-bugs.js";

const day = `lasts: 1h
handsets:
  clinic: { count: 2, phone: "+2507880{00000}" }
people:
  farmers: { count: 2, phone: "+2507811{00000}" }
story:
  - { at: 5m, text: { from: farmers/0, to: clinic/0, body: JOIN } }
  - { at: 15m, text: { from: farmers/1, to: clinic/1, body: maize 12kg } }
`;

async function explore(
  bug: Bug,
  options: Partial<ExploreOptions> = {},
): Promise<Explored & { readonly folder: string }> {
  const { url } = await buggyReceiver(bug);
  const folder = temporaryFolder();
  const result = await exploreScenario(day, {
    path: join(folder, "day.yaml"),
    output: join(folder, "bugs"),
    receiver: url,
    reset: "POST /reset",
    seed: 1,
    forMs: 600_000,
    trials: 400,
    failures: 1,
    ...options,
  });
  return { ...result, folder };
}

function conditionOf(text: string): NonNullable<ExploreOptions["condition"]> {
  const read = readFailureCondition([text]);
  if (!("condition" in read)) throw new Error(`no condition: ${text}`);
  return read.condition;
}

const textOf = (result: Explored): string =>
  renderExplored(result, { colour: false, width: 80, play: (bug) => `handset run ${bug}` });

/** A member who leaves and then calls without an answer is not found. */
const leaverCalls: Bug = ({ event, text = "", phone = "" }, state) => {
  const known = state.get(phone);
  const word = text.trim().toUpperCase().split(/\s+/)[0];
  if (event === "mo_miss")
    return known === "left" ? "fails" : known === "member" ? { reply: "we call you" } : undefined;
  if (event !== "mo_sms") return undefined;
  if (word === "JOIN") {
    state.set(phone, "member");
    return { reply: "welcome. LEAVE ends it" };
  }
  if (word === "LEAVE" && known === "member") {
    state.set(phone, "left");
    return { reply: "goodbye" };
  }
  return { reply: known === "member" ? "noted" : "send JOIN first" };
};

/** Answers everything, and remembers nothing. */
const right: Bug = ({ event }) => (event === "mo_sms" ? { reply: "thanks" } : undefined);

describe("exploring a scenario", () => {
  it("finds a failure of three causes, one of them a word that only a reply names, and reduces it to them", async () => {
    const result = await explore(leaverCalls);
    const [failure] = result.found;
    expect(failure).toMatchObject({ condition: "status >= 500", note: "", oneMinimal: true });
    expect(result.discoveries.map(({ what }) => what)).toContain("mo_sms: 200 goodbye");
    const bug = readFileSync(failure?.file ?? "", "utf8");
    const verbs = Array.from(bug.matchAll(/- \{ at: \S+, (\w+):/g), ([, verb]) => verb);
    expect(verbs).toHaveLength(3);
    expect(verbs).toEqual(expect.arrayContaining(["call", "text"]));
    expect(bug).toContain("body: JOIN");
    expect(bug).toContain("body: LEAVE");
    expect(textOf(result)).toContain("✘ 1 failure found in");
  });

  it("accuses no right receiver of the troubles that it makes on the way itself", async () => {
    const result = await explore(right, { trials: 40 });
    expect(result).toMatchObject({ found: [], trials: 40, endedBy: "trials", trouble: "" });
    const text = textOf(result);
    expect(text).toContain("– no failure found in 40 trials");
    expect(text).toContain("no proof");
    expect(text).not.toContain("✔");
  });

  it("finds a second answer to one event, in a condition of one's own", async () => {
    const result = await explore(right, { condition: conditionOf("hears-twice") });
    expect(result.found).toMatchObject([{ condition: "hears-twice", note: "" }]);
    // The service sends an event again, or the phone reports its text again.
    expect(readFileSync(result.found[0]?.file ?? "", "utf8")).toMatch(/answers-lost|copies|loses: response/);
  });

  it("tells a failure of the scenario itself, and looks for others", async () => {
    const bug: Bug = ({ event, text = "" }) => (event === "mo_sms" && text === "JOIN" ? { status: 503 } : undefined);
    const result = await explore(bug, { failures: 2, trials: 12 });
    expect(result.found).toMatchObject([{ trial: 1, note: "" }]);
    expect(result).toMatchObject({ endedBy: "trials", trials: 12 });
    expect(textOf(result)).toContain("by the scenario as it is");
  });

  it("varies in the same way with the same seed", async () => {
    const trialsOf = async (seed: number) => (await explore(leaverCalls, { seed, trials: 12 })).discoveries;
    const first = await trialsOf(3);
    expect(await trialsOf(3)).toEqual(first);
    expect(await trialsOf(4)).not.toEqual(first);
  });

  it("keeps a failure that comes once as the whole scenario, and says so", async () => {
    let texts = 0;
    const bug: Bug = (event, ...rest) =>
      event["event"] === "mo_sms" && ++texts === 40 ? "fails" : right(event, ...rest);
    const result = await explore(bug);
    expect(result.found).toMatchObject([{ events: null, note: "it failed once, and not in 11 plays after that" }]);
    const folder = join(result.folder, "bugs");
    expect(readdirSync(folder)).toEqual(["day-1.yaml"]);
    expect(textOf(result)).toContain("it failed once");
  });

  it("writes no folder without a failure, and ends when it is stopped", async () => {
    const controller = new AbortController();
    const result = await explore(right, {
      signal: controller.signal,
      onProgress: ({ trials }) => {
        if (trials === 5) controller.abort();
      },
    });
    expect(result).toMatchObject({ endedBy: "stopped", trials: 5 });
    expect(existsSync(join(result.folder, "bugs"))).toBe(false);
    expect(textOf(result)).toContain("it was stopped by hand");
  });
});
