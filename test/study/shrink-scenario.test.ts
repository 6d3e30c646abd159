import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseScenario, type Scenario } from "../../src/scenario/index.js";
import { shrinkScenario } from "../../src/study/minimise/scenario/shrink-scenario.js";

function soundScenario(text: string): Scenario | undefined {
  return parseScenario(text, { file: "x.yaml", nowMs: 0 }).scenario;
}

/** Shrinks a scenario of the repository, whose failure is decided by what it says. */
async function shrink(file: string, fails: (scenario: Scenario) => boolean, trials = 300) {
  let played = 0;
  const shrunk = await shrinkScenario(readFileSync(file, "utf8"), {
    isSound: (text) => soundScenario(text) !== undefined,
    test: async (text) => {
      played++;
      const scenario = soundScenario(text);
      if (scenario === undefined) throw new Error(`not sound:\n${text}`);
      return fails(scenario) ? "fails" : "passes";
    },
    trials,
    hasTime: () => true,
  });
  expect(shrunk.trials).toBe(played);
  return shrunk;
}

/** How long the network of a phone is down. */
function outageMs({ story }: Scenario): number {
  const spans = story.map(({ input }) =>
    input.to === "world" && input.input.verb === "network" && input.input.type === "none"
      ? (input.input.forMs ?? 0)
      : 0,
  );
  return Math.max(0, ...spans);
}

function hasText({ story }: Scenario): boolean {
  return story.some(({ input }) => input.to === "world" && input.input.verb === "text");
}

describe("shrinking a scenario", () => {
  it("keeps the two steps that the failure needs, one person each, and the shortest outage", async () => {
    const { text, isOneMinimal, trials } = await shrink(
      "scenarios/first-day.yaml",
      (scenario) => outageMs(scenario) >= 7 * 60_000 && hasText(scenario),
    );
    expect(text).toBe(`seed: 7
starts: 2026-03-04T06:00:00.000Z
lasts: 1s
handsets:
  clinic:
    phone: +2507880{00000}
people:
  farmers:
    phone: +2507811{00000}
story:
  - at: 1s
    network:
      of: clinic/0
      type: none
      for: 10m
  - at: 1s
    text:
      from: farmers/0
      to: clinic/0
      body: hello
`);
    expect(isOneMinimal).toBe(true);
    expect(trials).toBeLessThan(80);
  });

  it("removes with a group what names it, and keeps what the failure needs of it", async () => {
    const { text } = await shrink("scenarios/first-day.yaml", ({ cast }) => cast.handsets.length > 0);
    expect(text).not.toContain("farmers");
    expect(text).toContain("clinic");
  });

  it("stops at its bound of trials with a scenario that still fails, and does not claim that it is the smallest", async () => {
    const { text, isOneMinimal, trials } = await shrink("scenarios/first-day.yaml", hasText, 5);
    const scenario = soundScenario(text);
    expect(scenario && hasText(scenario)).toBe(true);
    expect({ isOneMinimal, trials }).toEqual({ isOneMinimal: false, trials: 5 });
  });

  it("lets no scenario of the repository become one that is not sound", async () => {
    for (const name of readdirSync("scenarios/field").slice(0, 6)) {
      const { isOneMinimal } = await shrink(`scenarios/field/${name}`, ({ story }) => story.length > 0);
      expect(isOneMinimal).toBe(true);
    }
  });
});
