import { describe, expect, it } from "vitest";
import { type HandledRun, keyHelp, RunKeys } from "../../src/cli/terminal/run-keys.js";
import { type RunOptions, runScenario, type RunStart } from "../../src/index.js";
import { sound } from "../scenario/help.js";

const scenario = sound(`name: Keys
lasts: 1h
handsets: { clinic: { count: 2, phone: "+2507880{0000}" } }
people: { farmers: { count: 20, phone: "+2507811{0000}" } }
traffic:
  - { texts: { from: farmers, to: clinic, body: hi }, rate: 600/h, arrivals: even }
`);

/** What a run with these keys pressed at its start comes to, and what the keys said. */
async function play(
  keys: string,
  options: RunOptions = {},
): Promise<{ texts: number; said: (readonly string[] | undefined)[]; quits: number }> {
  const said: (readonly string[] | undefined)[] = [];
  const controller = new AbortController();
  let quits = 0;
  const { result } = await runScenario(scenario, {
    receiver: "none",
    recording: ":memory:",
    signal: controller.signal,
    ...options,
    onStart: (start: RunStart) => {
      const pressed = new RunKeys(start as HandledRun, () => {
        quits++;
        controller.abort();
      });
      for (const key of keys) said.push(pressed.press(key));
    },
  });
  return { texts: result.ledger.texts.in, said, quits };
}

describe("keys during a run", () => {
  it.each([
    ["", 600],
    [">", 1200],
    ["++", 726],
    ["+-", 600],
    ["><<", 300],
    ["..=1", 600],
    ["s", 0],
    ["t", 0],
    ["tt", 600],
    ["s>t", 0],
  ])("'%s' makes %i of 600 texts", async (keys, texts) => {
    expect((await play(keys)).texts).toBe(texts);
  });

  it("? shows what they do, and takes it away again", async () => {
    expect((await play("??")).said).toEqual([keyHelp, []]);
    for (const line of keyHelp) expect(line.length).toBeLessThan(80);
  });

  it("others mean nothing; q stops the run", async () => {
    const { said, quits } = await play("xq");
    expect(said).toEqual([undefined, undefined]);
    expect(quits).toBe(1);
  });

  it("only the clock of a paced run can be paused", async () => {
    expect((await play("p")).said).toEqual([["only the clock of a paced run can be paused"]]);
    const { said, texts } = await play("p>p", { pace: 10_000 });
    expect(said).toEqual([[], [], []]);
    expect(texts).toBe(1200);
  });
});
