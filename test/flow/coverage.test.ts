import { describe, expect, it } from "vitest";
import {
  type CoveredRun,
  coverageCounts,
  coveredShare,
  flowCoverage,
  type FlowCoverage,
  readDefinition,
} from "../../src/flow/index.js";

const uuid = (name: string): string => `00000000-0000-4000-8000-${Buffer.from(name.padStart(6, "_")).toString("hex")}`;

/** A question whose Yes leads on, whose No and Other share a destination, then a split without a result. */
const definition = readDefinition({
  uuid: uuid("flow"),
  name: "Survey",
  type: "messaging",
  spec_version: "13.1.0",
  language: "eng",
  nodes: [
    {
      uuid: uuid("ask"),
      actions: [{ type: "send_msg", uuid: uuid("a1"), text: "Do you farm?" }],
      router: {
        type: "switch",
        operand: "@input.text",
        wait: { type: "msg" },
        result_name: "Farms",
        categories: [
          { uuid: uuid("yes"), name: "Yes", exit_uuid: uuid("e_yes") },
          { uuid: uuid("no"), name: "No", exit_uuid: uuid("e_no") },
          { uuid: uuid("other"), name: "Other", exit_uuid: uuid("e_oth") },
        ],
        cases: [
          { uuid: uuid("c1"), type: "has_any_word", arguments: ["yes"], category_uuid: uuid("yes") },
          { uuid: uuid("c2"), type: "has_any_word", arguments: ["no"], category_uuid: uuid("no") },
        ],
        default_category_uuid: uuid("other"),
      },
      exits: [
        { uuid: uuid("e_yes"), destination_uuid: uuid("split") },
        { uuid: uuid("e_no"), destination_uuid: uuid("bye") },
        { uuid: uuid("e_oth"), destination_uuid: uuid("bye") },
      ],
    },
    {
      uuid: uuid("split"),
      actions: [],
      router: {
        type: "random",
        categories: [
          { uuid: uuid("b1"), name: "1", exit_uuid: uuid("e_b1") },
          { uuid: uuid("b2"), name: "2", exit_uuid: uuid("e_b2") },
          { uuid: uuid("b3"), name: "3", exit_uuid: uuid("e_b3") },
        ],
      },
      exits: [
        { uuid: uuid("e_b1"), destination_uuid: uuid("ask") },
        { uuid: uuid("e_b2"), destination_uuid: uuid("bye") },
        { uuid: uuid("e_b3"), destination_uuid: uuid("bye") },
      ],
    },
    {
      uuid: uuid("bye"),
      actions: [{ type: "send_msg", uuid: uuid("a2"), text: "Thank you" }],
      exits: [{ uuid: uuid("e_bye"), destination_uuid: null }],
    },
  ],
});

const step = (node: string, atMs: number, exit?: string): CoveredRun["path"][number] => ({
  node: uuid(node),
  atMs,
  ...(exit !== undefined && { exit: uuid(exit) }),
});
const answer = (category: string, atMs: number): CoveredRun["answers"][number] => ({ label: "Farms", category, atMs });
const ended = { isCompleted: true };

/** How often each part was reached, by the names above; null: unknown. */
function reached(coverage: FlowCoverage): Record<string, number | null> {
  const named = (id: string): string => Buffer.from(id.slice(-12), "hex").toString().replaceAll(/^_+/g, "");
  return Object.fromEntries(
    coverage.nodes.flatMap((node) => [
      [named(node.uuid), node.visits] as const,
      ...node.exits.map(({ uuid: id, taken }) => [named(id), taken] as const),
      ...node.categories.map(({ uuid: id, chosen }) => [named(id), chosen] as const),
    ]),
  );
}

describe("the coverage of a flow", () => {
  it("counts nothing without runs", () => {
    const coverage = flowCoverage(definition, []);
    expect(new Set(Object.values(reached(coverage)))).toEqual(new Set([0]));
    expect(coverageCounts([coverage])).toEqual({
      nodes: { reached: 0, all: 3 },
      exits: { reached: 0, all: 7 },
      categories: { reached: 0, all: 6 },
    });
    expect(coveredShare(coverageCounts([coverage]))).toBe(0);
  });

  it("takes recorded exits as they are", () => {
    const path = [step("ask", 0, "e_oth"), step("bye", 10, "e_bye")];
    const coverage = flowCoverage(definition, [{ path, answers: [], ...ended }]);
    expect(reached(coverage)).toMatchObject({ ask: 1, bye: 1, e_oth: 1, e_no: 0, e_bye: 1, other: 1, no: 0, split: 0 });
  });

  it("finds an exit by the answer, else by the next node", () => {
    const path = [step("ask", 0), step("split", 5), step("ask", 5), step("bye", 20)];
    const coverage = flowCoverage(definition, [{ path, answers: [answer("Yes", 5), answer("No", 20)], ...ended }]);
    expect(reached(coverage)).toMatchObject({
      ask: 2, split: 1, bye: 1, e_yes: 1, yes: 1, e_no: 1, no: 1, e_oth: 0, other: 0, e_b1: 1, b1: 1, e_b2: 0, e_bye: 1,
    }); // prettier-ignore
  });

  it("does not guess among exits with one destination", () => {
    const coverage = flowCoverage(definition, [{ path: [step("split", 0), step("bye", 0)], answers: [], ...ended }]);
    expect(reached(coverage)).toMatchObject({ e_b1: 0, b1: 0, e_b2: null, e_b3: null, b2: null, b3: null });
    expect(coverageCounts([coverage])).toEqual({
      nodes: { reached: 2, all: 3 },
      exits: { reached: 1, all: 5 },
      categories: { reached: 0, all: 4 },
    });
  });

  it("leaves the exit of a run that waits, expired or was interrupted", () => {
    const coverage = flowCoverage(definition, [{ path: [step("ask", 0)], answers: [], isCompleted: false }]);
    expect(reached(coverage)).toMatchObject({ ask: 1, e_yes: 0, e_no: 0, e_oth: 0 });
  });

  it("counts steps at nodes that were removed since", () => {
    const path = [step("gone", 0), step("bye", 1)];
    expect(flowCoverage(definition, [{ path, answers: [], ...ended }]).unknownSteps).toBe(1);
  });

  it("is whole for a flow without nodes, and names its nodes", () => {
    expect(coveredShare(coverageCounts([]))).toBe(1);
    expect(flowCoverage(definition, []).nodes.map(({ title }) => title)).toEqual([
      '"Do you farm?"; wait for Farms',
      "split random",
      '"Thank you"',
    ]);
  });
});
