/** `/lab/flow-graph`. */
export interface FlowGraphAnswer {
  readonly uuid: string;
  readonly name: string;
  readonly type: string;
  readonly definition: unknown;
  readonly problem: string | null;
  readonly counted_runs: number;
  readonly all_runs: number;
  readonly nodes: readonly NodeCounts[];
}

/** How many runs passed a node, and which exits they took. */
export interface NodeCounts {
  readonly uuid: string;
  readonly visits: number;
  readonly waiting: number;
  readonly exits: readonly { readonly uuid: string; readonly taken: number | null }[];
}
