import type { Kernel, SimTime, Streams } from "../sim/index.js";
import type { ExitType, RunData } from "../wire/index.js";
import { slugOf } from "./definitions/index.js";
import type { FlowRow } from "./flows.js";
import type { RowTable } from "./registry.js";

/** Maximum number of steps that a run keeps (docs/reference/service-api.md#limits). */
export const RUN_PATH_MAX = 100;

/** A visit of a node. */
export interface RunStep {
  readonly node: string;
  readonly atMs: SimTime;
  /** UUID of the exit that was taken; absent when there is none, or it was not recorded. */
  readonly exit?: string;
}

/** The latest value that a run saved under a name (docs/reference/flows.md#routers-and-results). */
export interface LatestResult {
  readonly name: string;
  readonly value: string;
  /** In the spelling of the flow's author. */
  readonly category: string | null;
  readonly node: string;
  readonly atMs: SimTime;
  /** The text from which the value was taken. */
  readonly input: string | null;
}

/**
 * One answer of a run. Flow events list all answers, not only the latest of each name
 * (docs/reference/flows.md#flow-events).
 */
export interface RunAnswer {
  readonly label: string;
  readonly category: string;
  readonly value: string;
  /** Text of the message that was handled. */
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
  /** Id of the flow start that started it; null when there is none. */
  readonly start: number | null;
  /** Whether the run has handled a message of the contact (docs/reference/flows.md#flow-starts). */
  readonly hasResponded: boolean;
  /** Oldest first; the last {@link RUN_PATH_MAX} steps. */
  readonly path: readonly RunStep[];
  /** By slug. */
  readonly results: Readonly<Record<string, LatestResult>>;
  /** Oldest first. */
  readonly answers: readonly RunAnswer[];
  /** The `@embed` data of its start; null when there is none. */
  readonly embeddedData: unknown;
  readonly createdAtMs: SimTime;
  readonly modifiedAtMs: SimTime;
  readonly exitedAtMs: SimTime | null;
  /** How the run ended; null while it is active. */
  readonly exit: ExitType | null;
}

/** Number of a flow's runs by exit type; `active`: not ended. */
export type RunCounts = Readonly<Record<ExitType | "active", number>>;

/** Where runs are stored. The store implements it. */
export interface RunTable extends RowTable<RunRow> {
  get(id: number): RunRow | undefined;
  byUuid(uuid: string): RunRow | undefined;
  /** The latest 100 runs of a contact, newest first. */
  ofContact(contactRow: number): RunRow[];
  /** The runs of a flow that changed last, at most `limit`, latest first. */
  latestOfFlow(flow: number, limit: number): RunRow[];
  /** Inserts or replaces a run that changes with each step. The store may build and write only the last version. */
  putStep(run: Pick<RunRow, "id" | "contact">, make: () => RunRow): void;
  /** Whether a contact ever had a run in a flow. */
  hasRun(flow: number, contact: number): boolean;
  /** Whether a contact has a run that has not ended. */
  hasActive(contact: number): boolean;
  /** Rows of the contacts with a run of this flow start. */
  contactsOfStart(start: number): ReadonlySet<number>;
  /** Ends every active run of a contact as interrupted. */
  interruptActiveOf(contactRow: number, atMs: SimTime): void;
  /** Deletes all runs of a contact. */
  removeOf(contactRow: number): void;
  /** Counts by flow id, of the flows that have runs. */
  countsOf(flowIds: readonly number[]): Map<number, RunCounts>;
}

/** A run from before the recording, as an account file describes it: ended or waiting. */
export interface PastRun extends Omit<RunData, "flow" | "contact"> {
  readonly flow: FlowRow;
  /** Row of the contact. */
  readonly contact: number;
}

/** Runs of flows (docs/reference/service-api.md#runs). */
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
   * Adds a past run. Its visits of nodes are spread evenly over its duration. A waiting run has no session: it can be
   * interrupted, but not continued.
   */
  add({ flow, contact, agoMs, lastedMs, exit, path, results: saved }: PastRun): RunRow {
    const id = this.#table.nextId();
    const createdAtMs = this.#kernel.now - agoMs;
    const endedAtMs = createdAtMs + lastedMs;
    const steps = path.map((node, index) => ({
      node,
      atMs: createdAtMs + Math.floor((lastedMs * index) / path.length),
    }));
    const results = saved.map(({ name, value, category, input, node }): [string, LatestResult] => {
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
      path: steps.slice(-RUN_PATH_MAX),
      results: Object.fromEntries(results),
      answers,
      embeddedData: null,
      createdAtMs,
      modifiedAtMs: endedAtMs,
      exitedAtMs: exit === null ? null : endedAtMs,
      exit,
    };
    this.#table.put(run);
    return run;
  }
}
