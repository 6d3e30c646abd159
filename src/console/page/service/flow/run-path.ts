import type { GraphNode } from "./graph.js";

/** A run as `/lab/flow-run` tells it. */
export interface RunDetails {
  readonly id: number;
  readonly uuid: string;
  readonly flow: { readonly uuid: string; readonly name: string };
  readonly contact: { readonly uuid: string; readonly name: string | null; readonly phone: string | null };
  readonly exit_type: string | null;
  readonly created_on: string;
  readonly modified_on: string;
  readonly exited_on: string | null;
  readonly path: readonly { readonly node: string; readonly time: string; readonly exit: string | null }[];
  readonly answers: readonly {
    readonly label: string;
    readonly category: string;
    readonly value: string;
    readonly text: string;
    readonly time: string;
  }[];
}

/** What a run has touched of a graph. */
export interface PathOnGraph {
  /** How often each node was visited. */
  readonly visits: ReadonlyMap<string, number>;
  /** UUIDs of the exits that were taken. */
  readonly exits: ReadonlySet<string>;
  /** Where the contact is now; undefined: the run is over. */
  readonly current: string | undefined;
  /** Where it ended; undefined: it is not over. */
  readonly end: string | undefined;
  /** Steps at nodes that the flow no longer has. */
  readonly unknownSteps: number;
}

/** Joins a run's steps with the graph. An exit that was not recorded follows from the next step where it is the only one. */
export function pathOnGraph(nodes: readonly GraphNode[], run: RunDetails): PathOnGraph {
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
