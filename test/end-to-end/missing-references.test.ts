import { expect, it } from "vitest";
import { flowOf, flowUuid, nodeUuid, say } from "../account/flow-builder.js";
import { farmScenario, playFarm } from "./flow-samples.js";
import { serving } from "./served.js";

const where = flowOf(1, "Where", [
  {
    name: "ask",
    actions: [say("Which state?")],
    ask: { result: "State", cases: [["has_state", [], "State"]] },
    to: { Other: "ask", State: null },
  },
]);
const subFlows = Array.from({ length: 11 }, (_, index) => ({ uuid: flowUuid(index + 20), name: `Sub ${index + 1}` }));
const main = flowOf(
  2,
  "Main",
  subFlows.map((flow) => ({ actions: [{ type: "enter_flow", flow }] })),
);

const subs = subFlows.map(({ name }, index) => flowOf(index + 20, name, [{}]));

function accountWith(flows: readonly ReturnType<typeof flowOf>[]): string {
  return `account: { name: Lab }
flows: [${flows.map(({ definition }) => `{ definition: ${JSON.stringify(definition)} }`).join(", ")}]
triggers: [{ keyword: where, flow: Where }, { keyword: go, flow: Main }]
`;
}

const account = accountWith([where, main]);
const boundaries = "boundaries: [{ osm-id: R1, name: Velmara, parts: [{ osm-id: R2, name: Coast }] }]\n";
const cast = `lasts: 1h
receiver: none
data: account.yaml
handsets: { desk: { phone: "+250788000001" } }
people: { crowd: { count: 60, phone: "+2507811{000000}" } }
`;
const story = `${cast}story:
  - { at: 1m, text: { from: crowd, to: desk, body: where } }
  - { at: 10m, text: { from: crowd, to: desk, body: Coast } }
  - { at: 20m, text: { from: crowd, to: desk, body: Coast } }
  - { at: 30m, text: { from: crowd/0..39, to: desk, body: Coast } }
  - { at: 40m, text: { from: crowd/0..2, to: desk, body: go } }
`;

const missingFlows =
  `11 flows are missing: 'Sub 1', 'Sub 2', 'Sub 3', and 8 others (first in flow 'Main', node ${nodeUuid(2, 0)}: ` +
  "enter_flow); entering one fails the run, and nobody is started in one; add them to the export, or load a file that " +
  "has them; handset check names all";
const missingBoundaries =
  `1 level of boundaries is missing: 'state' (flow 'Where', node ${nodeUuid(1, 0)}: has_state, so answers take ` +
  "'Other'); no answer names a place; load boundaries with an account file";

it("a run says what its flows lack before it plays, and how often it was felt", async () => {
  const { result, exitCode } = await playFarm(story, {}, account);
  expect(exitCode).toBe(0);
  expect(result.warnings).toEqual([
    missingFlows,
    missingBoundaries,
    "flow 'Where': error calling test HAS_STATE: error calling has_state(...): no boundaries are loaded, so no text " +
      "names a place (220 times, 60 people)",
    `flow 'Main': no such flow with UUID '${flowUuid(20)}' (3 times, 3 people)`,
  ]);
});

it("a run whose account has all of it warns of nothing", async () => {
  const { result } = await playFarm(story, {}, `${accountWith([where, main, ...subs])}${boundaries}`);
  expect(result.warnings ?? []).toEqual([]);
});

it("a served lab says it at the start, and of each load", async () => {
  const { scenario } = farmScenario(cast, account);
  const lab = await serving({ scenario, receiver: "none" });
  expect(lab.served.problems).toEqual([missingFlows, missingBoundaries]);
  const load = (text: string): Promise<{ problems: string[] }> => lab.lab.done("POST", "/account", text);
  const file = (flows: readonly object[]): string => JSON.stringify({ version: "13", flows });
  expect((await load("account: existing\nlabels: [To check]\n")).problems).toEqual([]);
  expect((await load(file([where.definition]))).problems).toEqual([missingBoundaries]);
  expect((await load(file(subs.map(({ definition }) => definition)))).problems).toEqual([]);
  expect((await load(file([main.definition]))).problems).toEqual([]);
});
