/** Most fires in an answer. */
export const FIRES_MAX = 100;

export interface FlowGraph {
  readonly uuid: string;
  readonly name: string;
  readonly type: string;
  /** In native form, also of a legacy flow; null: it cannot be read. */
  readonly definition: Readonly<Record<string, unknown>> | null;
  /** Why it cannot be read. */
  readonly problem: string | null;
  /** How many runs were counted: at most `answers.COUNTED_RUNS_MAX`. */
  readonly countedRuns: number;
  readonly allRuns: number;
  readonly nodes: readonly {
    readonly uuid: string;
    readonly visits: number;
    /** Contacts who are there now. */
    readonly waiting: number;
    /** `taken` null: unknown, because several exits lead to the same place. */
    readonly exits: readonly { readonly uuid: string; readonly taken: number | null }[];
    readonly categories: readonly { readonly uuid: string; readonly chosen: number | null }[];
  }[];
}

export interface FlowRunPath {
  readonly id: number;
  readonly uuid: string;
  readonly flow: { readonly uuid: string; readonly name: string };
  readonly contact: { readonly uuid: string; readonly name: string | null; readonly phone: string | null };
  /** Null: it is active. */
  readonly exit: string | null;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  readonly exitedAtMs: number | null;
  readonly path: readonly { readonly node: string; readonly atMs: number; readonly exit: string | null }[];
  readonly answers: readonly {
    readonly label: string;
    readonly category: string;
    readonly value: string;
    readonly text: string;
    readonly atMs: number;
  }[];
}

export interface CampaignFires {
  /** First due first. */
  readonly toCome: FireList;
  /** Latest first. */
  readonly done: FireList;
}

export interface FireList {
  readonly count: number;
  /** At most `FIRES_MAX`. */
  readonly fires: readonly {
    /** UUID of the event; null: it was deleted. */
    readonly event: string | null;
    readonly campaign: { readonly uuid: string; readonly name: string } | null;
    readonly contact: { readonly uuid: string; readonly name: string | null };
    readonly dueAtMs: number;
    readonly firedAtMs: number | null;
  }[];
}

export interface ResthookDeliveries {
  readonly event: number;
  readonly attempts: readonly {
    readonly url: string;
    readonly try: number;
    readonly atMs: number;
    readonly durationMs: number;
    readonly status: number | null;
    readonly error: string | null;
    readonly outcome: string;
  }[];
  /** Subscribers that do not have it yet. */
  readonly pending: readonly { readonly url: string; readonly try: number; readonly dueAtMs: number }[];
}
