import type { GraphNode } from "./graph.js";

/** Number of passes that improve the order inside the layers, each downwards and upwards. */
const SWEEPS = 4;

/**
 * A layered drawing (Sugiyama). Exits lead to lower layers, except back edges. Inside a layer, nodes are near their
 * neighbours (barycentre heuristic).
 *
 * @returns UUIDs by layer, from the top and from the left
 */
export function layers(nodes: readonly GraphNode[]): string[][] {
  const forward = forwardEdges(nodes);
  const depths = depthsOf(nodes, forward);
  const rows: string[][] = [];
  for (const { uuid } of nodes) (rows[depths.get(uuid) ?? 0] ??= []).push(uuid);
  const filled = rows.filter((row) => row.length > 0);
  const backward = reversed(forward);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let row = 1; row < filled.length; row++) sortBy(filled, row, { neighbours: backward, beside: row - 1 });
    for (let row = filled.length - 2; row >= 0; row--) sortBy(filled, row, { neighbours: forward, beside: row + 1 });
  }
  for (let row = 1; row < filled.length; row++) sortBy(filled, row, { neighbours: backward, beside: row - 1 });
  return filled;
}

type Edges = ReadonlyMap<string, readonly string[]>;

/** The edges without back edges. */
function forwardEdges(nodes: readonly GraphNode[]): Edges {
  const byUuid = new Map(nodes.map((node) => [node.uuid, node]));
  const forward = new Map<string, string[]>();
  const state = new Map<string, "open" | "done">();
  for (const root of nodes) {
    if (state.has(root.uuid)) continue;
    const stack = [{ uuid: root.uuid, next: 0 }];
    state.set(root.uuid, "open");
    forward.set(root.uuid, []);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const exit = byUuid.get(top.uuid)?.exits[top.next++];
      if (exit === undefined) {
        state.set(top.uuid, "done");
        stack.pop();
      } else if (exit.destination !== null && state.get(exit.destination) !== "open") {
        forward.get(top.uuid)?.push(exit.destination);
        if (state.has(exit.destination)) continue;
        state.set(exit.destination, "open");
        forward.set(exit.destination, []);
        stack.push({ uuid: exit.destination, next: 0 });
      }
    }
  }
  return forward;
}

/** The longest path to each node. */
function depthsOf(nodes: readonly GraphNode[], forward: Edges): ReadonlyMap<string, number> {
  const entering = new Map(nodes.map(({ uuid }) => [uuid, 0]));
  for (const to of [...forward.values()].flat()) entering.set(to, (entering.get(to) ?? 0) + 1);
  const depths = new Map<string, number>();
  const ready = nodes.filter(({ uuid }) => entering.get(uuid) === 0).map(({ uuid }) => uuid);
  for (const uuid of ready) depths.set(uuid, 0);
  for (let uuid = ready.pop(); uuid !== undefined; uuid = ready.pop()) {
    for (const to of forward.get(uuid) ?? []) {
      depths.set(to, Math.max(depths.get(to) ?? 0, (depths.get(uuid) ?? 0) + 1));
      const left = (entering.get(to) ?? 0) - 1;
      entering.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  return depths;
}

function reversed(edges: Edges): Edges {
  const back = new Map<string, string[]>();
  for (const [from, tos] of edges) {
    for (const to of tos) {
      const known = back.get(to);
      if (known === undefined) back.set(to, [from]);
      else known.push(from);
    }
  }
  return back;
}

/** Sorts a layer by the mean place of each node's neighbours in the adjacent layer. */
function sortBy(
  rows: string[][],
  index: number,
  { neighbours, beside }: { readonly neighbours: Edges; readonly beside: number },
): void {
  const row = rows[index];
  const other = rows[beside];
  if (row === undefined || other === undefined) return;
  const places = new Map(other.map((uuid, place) => [uuid, (place + 0.5) / other.length]));
  const keys = new Map(
    row.map((uuid, place) => {
      const near = (neighbours.get(uuid) ?? []).flatMap((one) => places.get(one) ?? []);
      const own = (place + 0.5) / row.length;
      return [uuid, near.length === 0 ? own : near.reduce((sum, one) => sum + one, 0) / near.length];
    }),
  );
  rows[index] = row.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
}
