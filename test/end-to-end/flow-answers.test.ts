import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runScenario } from "../../src/index.js";
import { openRecording, type RecordedFlowRun } from "../../src/store/index.js";
import { farmScenario } from "./flow-samples.js";

interface Played {
  /** Texts of people, by phone number. */
  readonly said: ReadonlyMap<string, readonly { readonly text: string; readonly atMs: number }[]>;
  /** Runs of the flow. */
  readonly runs: readonly RecordedFlowRun[];
}

/** Plays a day on which the flow starts for all farmers at 1m. @param people - the groups, in YAML */
async function played(people: string, more = "", lasts = "3d"): Promise<Played> {
  const { folder, scenario } = farmScenario(`lasts: ${lasts}
seed: 11
receiver: none
data: account.yaml
handsets: { clinic: { count: 2, phone: "+25078800000{0}" } }
people:
${people}
story:
  - { at: 1m, flow: { person: farmers, flow: Registration } }
${more}`);
  const recording = join(folder, "day.db");
  await runScenario(scenario, { recording });
  const reader = openRecording(recording);
  const said = new Map<string, { text: string; atMs: number }[]>();
  for (const { direction, phone, text, createdAtMs } of reader.messages()) {
    if (direction === "I") said.set(phone, [...(said.get(phone) ?? []), { text, atMs: createdAtMs }]);
  }
  const runs = [...reader.flowRuns()];
  reader.close();
  return { said, runs };
}

const farmers = (count: number, answers: string, more = ""): string =>
  `  farmers: { count: ${count}, phone: "+2507811000{00}", answers: ${answers}${more} }`;

describe("people who answer flows", () => {
  it("answer each question once, after its last text, until the flow is completed", async () => {
    const { said, runs } = await played(farmers(12, "{ after: 30s }"), "", "2h");
    expect(runs.map(({ exit }) => exit)).toEqual(runs.map(() => "completed"));
    expect(said.size).toBe(12);
    for (const texts of said.values()) {
      expect(texts).toHaveLength(2);
      // Two texts ask the first question, a second apart: the answer counts from the second one.
      expect(texts[0]?.atMs).toBeGreaterThan(60_000 + 30_000);
    }
    const categories = runs.flatMap(({ results }) => Object.values(results).map(({ category }) => category));
    expect(new Set(categories)).toEqual(new Set(["Child", "Adult", "Yes", "No"]));
  });

  it("answer wrongly, not at all, late or with STOP, as often as the shares say", async () => {
    const answers = "{ right: 20%, wrong: 20%, silent: 20%, late: 20%, stop: 20%, after: 10s, late-after: 2h }";
    const { said, runs } = await played(farmers(90, answers));
    const first = runs.map(({ answers: saved }) => saved[0]?.category);
    const share = (category: string | undefined): number => first.filter((one) => one === category).length / 90;
    expect(share("Child") + share("Adult")).toBeGreaterThan(0.1);
    expect(share("Child") + share("Adult")).toBeLessThan(0.3);
    // STOP and nonsense match no test.
    expect(share("Other")).toBeGreaterThan(0.3);
    expect(share("No Response")).toBeGreaterThan(0.3);
    const texts = [...said.values()].map((one) => one[0]);
    expect(texts.filter((one) => one?.text === "STOP").length).toBeGreaterThan(9);
    expect(texts.filter((one) => (one?.atMs ?? 0) > 2 * 3_600_000).length).toBeGreaterThan(9);
    expect(said.size).toBeLessThan(90);
  });

  it("answer only the flows that are named; then their replies apply", async () => {
    const replies = ", replies: { after: 20s, with: what? }";
    const other = await played(farmers(3, "{ flows: Harvest }", replies), "", "1h");
    expect(new Set([...other.said.values()].flat().map(({ text }) => text))).toEqual(new Set(["what?"]));
    const named = await played(farmers(3, "{ flows: [Harvest, Registration] }", replies), "", "1h");
    const asked = [...named.said.values()].map((texts) => texts.slice(0, 2).map(({ text }) => text));
    expect(asked.flat()).not.toContain("what?");
    expect(named.runs.map(({ exit }) => exit)).toEqual(["completed", "completed", "completed"]);
  });

  it("do the same with another group beside them", async () => {
    const group = farmers(6, "{ wrong: 30%, silent: 20%, late: 10% }");
    const alone = await played(group);
    const other = '  nurses: { count: 9, phone: "+2507822000{00}", answers: { wrong: 50% } }';
    const flow = "  - { at: 1m, flow: { person: nurses, flow: Registration } }\n";
    const together = await played(`${group}\n${other}`, flow);
    expect(together.said.size).toBeGreaterThan(alone.said.size);
    for (const [phone, texts] of alone.said) {
      expect(together.said.get(phone)?.map(({ text }) => text)).toEqual(texts.map(({ text }) => text));
    }
  });
});
