import type { Kernel, SimTime, Streams } from "../sim/index.js";
import type { ExitType, RunData } from "../wire/index.js";
import { slugOf } from "./definitions/index.js";
import type { FlowRow } from "./flows.js";
import type { RowTable } from "./registry.js";

/** Steps of a run that are kept (service-api.md 1.14). */
const PATH_MAX = 100;

/** A node that a run came to. */
export interface RunStep {
  readonly node: string;
  readonly atMs: SimTime;
}

/** What a run saved under a name, the latest (flows.md 5). */
export interface RunResult {
  readonly name: string;
  readonly value: string;
  /** As the flow's author wrote it. */
  readonly category: string | null;
  readonly node: string;
  readonly atMs: SimTime;
  /** The text that it came from. */
  readonly input: string | null;
}

/** One answer of a run. They are kept all, beside the latest of each name: flow events list them (flows.md 10). */
export interface RunAnswer {
  readonly label: string;
  readonly category: string;
  readonly value: string;
  /** The message that was being handled. */
  readonly text: string;
  readonly atMs: SimTime;
}

/** One contact's passage through a flow, as it is stored. */
export interface RunRow {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  /** Id of the flow. */
  readonly flow: number;
  /** Row of the contact. */
  readonly contact: number;
  /** Id of the flow start that made it; null: something else did. */
  readonly start: number | null;
  /** It has handled a message of the contact (flows.md 11). */
  readonly hasResponded: boolean;
  /** The oldest first; of a long one the last {@link PATH_MAX} steps. */
  readonly path: readonly RunStep[];
  /** By slug. */
  readonly results: Readonly<Record<string, RunResult>>;
  /** The oldest first. */
  readonly answers: readonly RunAnswer[];
  /** The `@embed` data that it was started with; null: none. */
  readonly embeddedData: unknown;
  /** Plain data that whoever runs flows needs to go on; null: it has ended. */
  readonly session: unknown;
  readonly createdAtMs: SimTime;
  readonly modifiedAtMs: SimTime;
  readonly exitedAtMs: SimTime | null;
  /** null: active. */
  readonly exit: ExitType | null;
}

/** Runs of a flow by how they ended; `active`: they have not. */
export type RunCounts = Readonly<Record<ExitType | "active", number>>;

/** Where runs are stored. The store implements it. */
export interface RunTable extends RowTable<RunRow> {
  get(id: number): RunRow | undefined;
  /** Ends every active run of a contact as interrupted. */
  interruptActiveOf(contactRow: number, atMs: SimTime): void;
  /** Takes away all runs of a contact. */
  removeOf(contactRow: number): void;
  /** Those of each flow that has runs, by its id. */
  countsOf(flowIds: readonly number[]): Map<number, RunCounts>;
}

/** What is told of a run that is over, or still waits, when an account is loaded. */
export interface PastRun extends Omit<RunData, "flow" | "contact"> {
  readonly flow: FlowRow;
  /** Row of the contact. */
  readonly contact: number;
}

/** Runs of flows (service-api.md 2.19). */
export class Runs {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #table: RunTable;

  constructor(options: { kernel: Kernel; streams: Streams; table: RunTable }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#table = options.table;
  }

  /**
   * Adds a run of the past; its visits of nodes are spread evenly over the time that it lasted. One that still waits has
   * no session: nobody can go on with it but to end it.
   */
  add({ flow, contact, agoMs, lastedMs, exit, path, results: saved }: PastRun): RunRow {
    const id = this.#table.nextId();
    const createdAtMs = this.#kernel.now - agoMs;
    const endedAtMs = createdAtMs + lastedMs;
    const steps = path.map((node, index) => ({
      node,
      atMs: createdAtMs + Math.floor((lastedMs * index) / path.length),
    }));
    const results = saved.map(({ name, value, category, input, node }): [string, RunResult] => {
      const key = flow.results.find((result) => result.name === name)?.key ?? slugOf(name);
      const atMs = steps.findLast((step) => step.node === node)?.atMs ?? endedAtMs;
      return [key, { name, value, category, node, atMs, input }];
    });
    const answers = saved.map(({ name, value, category, input }, index) => ({
      label: name,
      category,
      value,
      text: input,
      atMs: results[index]?.[1].atMs ?? endedAtMs,
    }));
    const run: RunRow = {
      id,
      uuid: this.#streams.uuid(`run/${id}`),
      flow: flow.id,
      contact,
      start: null,
      hasResponded: saved.length > 0,
      path: steps.slice(-PATH_MAX),
      results: Object.fromEntries(results),
      answers,
      embeddedData: null,
      session: null,
      createdAtMs,
      modifiedAtMs: endedAtMs,
      exitedAtMs: exit === null ? null : endedAtMs,
      exit,
    };
    this.#table.put(run);
    return run;
  }
}
