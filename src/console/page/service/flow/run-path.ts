import type { FlowRun } from "../../../protocol/index.js";
import type { GraphNode } from "./graph.js";

/** The path of a run on a graph. */
export interface PathOnGraph {
  /** Number of visits of each node. */
  readonly visits: ReadonlyMap<string, number>;
  /** UUIDs of the exits that were taken. */
  readonly exits: ReadonlySet<string>;
  /** The contact's current node; undefined: the run is over. */
  readonly current: string | undefined;
  /** The node at which it ended; undefined: it is not over. */
  readonly end: string | undefined;
  /** Steps at nodes that the flow no longer has. */
  readonly unknownSteps: number;
}

/**
 * Joins a run's steps with the graph. An unrecorded exit is inferred from the next step if only one exit leads there.
 */
export function pathOnGraph(nodes: readonly GraphNode[], run: FlowRun): PathOnGraph {
  const byUuid = new Map(nodes.map((node) => [node.uuid, node]));
  const visits = new Map<string, number>();
  const exits = new Set<string>();
  let unknownSteps = 0;
  run.path.forEach(({ node: uuid, exit }, index) => {
    const node = byUuid.get(uuid);
    if (node === undefined) {
      unknownSteps++;
      return;
    }
    visits.set(uuid, (visits.get(uuid) ?? 0) + 1);
    const next = run.path[index + 1];
    if (exit !== null) exits.add(exit);
    else if (next !== undefined) {
      const fitting = node.exits.filter(({ destination }) => destination === next.node);
      const [only] = fitting;
      if (fitting.length === 1 && only !== undefined) exits.add(only.uuid);
    }
  });
  const last = run.path.at(-1)?.node;
  const isOver = run.exit_type !== null;
  return { visits, exits, current: isOver ? undefined : last, end: isOver ? last : undefined, unknownSteps };
}
