import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { migrateDefinition } from "../../../../src/flow/index.js";
import { readGraph } from "../../../../src/console/page/service/flow/graph.js";
import { layOut, type GraphLayout, type PlacedNode } from "../../../../src/console/page/service/flow/layout.js";
import { pathOnGraph } from "../../../../src/console/page/service/flow/run-path.js";
import type { FlowRun } from "../../../../src/console/protocol/index.js";

function flowsOf(file: string): unknown[] {
  return (JSON.parse(readFileSync(`scenarios/flows/${file}`, "utf8")) as { flows: unknown[] }).flows;
}

/** A definition of nodes by their exits: `{ a: ["b", null] }`. */
function flowWith(exits: Record<string, readonly (string | null)[]>, ui?: unknown): unknown {
  return {
    nodes: Object.entries(exits).map(([uuid, tos]) => ({
      uuid,
      actions: [{ type: "send_msg", text: `This is ${uuid}` }],
      exits: tos.map((destination, index) => ({ uuid: `${uuid}-${index}`, destination_uuid: destination })),
    })),
    ...(ui !== undefined && { _ui: ui }),
  };
}

function placed(layout: GraphLayout, uuid: string): PlacedNode {
  const node = layout.nodes.find((one) => one.node.uuid === uuid);
  if (node === undefined) throw new Error(`${uuid} is not placed`);
  return node;
}

function overlapping({ nodes }: GraphLayout): string[] {
  return nodes.flatMap((a, index) =>
    nodes
      .slice(index + 1)
      .filter(
        (b) =>
          a.left < b.left + b.width &&
          b.left < a.left + a.width &&
          a.top < b.top + b.height &&
          b.top < a.top + a.height,
      )
      .map((b) => `${a.node.uuid} on ${b.node.uuid}`),
  );
}

describe("the graph of a flow", () => {
  it("says in words what its nodes do", () => {
    const [hotline] = flowsOf("clinic.json");
    const nodes = readGraph(hotline);
    expect(nodes[0]?.lines[0]).toMatchObject({
      kind: "says",
      text: expect.stringContaining("This is the clinic at Lake Road") as string,
    });
    const choice = nodes.find(({ isWaiting }) => isWaiting);
    expect(choice?.lines).toEqual([{ kind: "asks", text: "Waits for an answer, at most 2 h, saves it as “Choice”" }]);
    expect(choice?.exits.map(({ label }) => label)).toEqual(["Pregnancy", "Hours", "Nurse", "Other", "No Response"]);
    expect(choice?.tests).toContain("Hours: has any word 2 two hours open");
    expect(nodes.flatMap(({ lines }) => lines).map(({ text }) => text)).toEqual(
      expect.arrayContaining(["Enters the flow Due Date", "Splits by how the other flow ended"]),
    );
  });

  it("shows legacy flows as they are migrated, at their own places", () => {
    const legacy = flowsOf("poll.json")[0];
    const nodes = readGraph(migrateDefinition(legacy));
    expect(nodes.length).toBeGreaterThan(3);
    expect(nodes.every(({ lines, position }) => lines.length > 0 && position !== undefined)).toBe(true);
  });

  it("tolerates any JSON", () => {
    for (const definition of [null, 1, [], {}, { nodes: [null, 3, { uuid: "a", actions: {}, exits: 7, router: 1 }] }]) {
      expect(() => layOut(readGraph(definition))).not.toThrow();
    }
    expect(
      readGraph({ nodes: [{ uuid: "a", actions: [{ type: "call_llm" }, { type: "new_thing" }] }] })[0]?.lines,
    ).toEqual([
      { kind: "calls", text: "Asks a language model" },
      { kind: "calls", text: "new thing" },
    ]);
  });

  it("reads from the entry along the exits", () => {
    const nodes = readGraph(flowWith({ a: ["c", "b"], b: [null], c: ["d"], d: ["b"], lonely: [] }));
    expect(nodes.map(({ uuid, place }) => `${place} ${uuid}`)).toEqual(["1 a", "2 c", "3 d", "4 b", "5 lonely"]);
  });
});

describe("the layout", () => {
  it("puts what follows below, though a way leads back", () => {
    const layout = layOut(readGraph(flowWith({ a: ["b", "c"], b: ["d"], c: ["d"], d: ["a", null] })));
    const tops = ["a", "b", "c", "d"].map((uuid) => placed(layout, uuid).top);
    expect(tops[1]).toBeGreaterThan(tops[0] ?? 0);
    expect(tops[2]).toBe(tops[1]);
    expect(tops[3]).toBeGreaterThan(tops[2] ?? 0);
    expect(layout.edges).toHaveLength(6);
    expect(layout.edges.find(({ exit }) => exit === "d-1")?.to).toBeNull();
  });

  it("keeps the author's places, and no box lies on another", () => {
    const ui = {
      nodes: Object.fromEntries(
        ["a", "b", "c"].map((uuid, index) => [uuid, { position: { left: index === 2 ? 400 : 0, top: index * 60 } }]),
      ),
    };
    const layout = layOut(readGraph(flowWith({ a: ["b", "c"], b: [null], c: [null] }, ui)));
    expect(placed(layout, "c").left).toBeGreaterThan(placed(layout, "a").left + placed(layout, "a").width);
    expect(overlapping(layout)).toEqual([]);
  });

  it.each(["clinic.json", "order-status.json", "poll.json", "registration.json", "two-languages.json"])(
    "draws the flows of %s without overlaps",
    (file) => {
      for (const flow of flowsOf(file)) expect(overlapping(layOut(readGraph(migrateDefinition(flow))))).toEqual([]);
    },
  );

  it("is quick for 500 nodes", () => {
    const exits = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [
        `n${n}`,
        [1, 7, 13].map((step) => (n + step < 500 ? `n${n + step}` : n % 2 === 0 ? "n0" : null)),
      ]),
    );
    const began = performance.now();
    const layout = layOut(readGraph(flowWith(exits)));
    expect(performance.now() - began).toBeLessThan(1000);
    expect(layout.nodes).toHaveLength(500);
    expect(overlapping(layout)).toEqual([]);
  });
});

describe("a run on the graph", () => {
  const nodes = readGraph(flowWith({ a: ["b", "b"], b: ["c", "a"], c: [null] }));
  const run = (path: FlowRun["path"], exit: string | null): FlowRun => ({
    id: 1,
    uuid: "r",
    flow: { uuid: "f", name: "F" },
    contact: { uuid: "k", name: null, phone: null },
    exit_type: exit,
    created_on: "",
    modified_on: "",
    exited_on: null,
    path,
    answers: [],
  });
  const step = (node: string, exit: string | null = null): FlowRun["path"][number] => ({ node, time: "", exit });

  it("is at its last step while it is active", () => {
    const path = pathOnGraph(nodes, run([step("a", "a-1"), step("b", "b-1"), step("a", "a-0"), step("b")], null));
    expect(path).toMatchObject({ current: "b", end: undefined, unknownSteps: 0 });
    expect([...path.exits]).toEqual(["a-1", "b-1", "a-0"]);
    expect(path.visits.get("a")).toBe(2);
  });

  it("has ended at its last step, and its exits follow from the next steps where that is certain", () => {
    const path = pathOnGraph(nodes, run([step("a"), step("b"), step("gone"), step("c")], "completed"));
    expect(path).toMatchObject({ current: undefined, end: "c", unknownSteps: 1 });
    // Both exits of `a` lead to `b`.
    expect([...path.exits]).toEqual([]);
  });
});
