import type { Kernel, SimTime, Streams } from "../sim/index.js";
import type { RowTable } from "./registry.js";

/** How far a start has come (service-api.md 3.7). */
export type StartStatus = "pending" | "starting" | "complete" | "failed";

/** The beginning of a flow for many contacts, as it is stored. */
export interface FlowStartRow {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  /** Id of the flow. */
  readonly flow: number;
  /** Ids of groups, rising. */
  readonly groups: readonly number[];
  /** Rows of contacts, rising; those of the addresses that were named are among them. */
  readonly contacts: readonly number[];
  /** False: who ever was in this flow is left out. */
  readonly restartsParticipants: boolean;
  /** Who is in any flow now is left out. */
  readonly excludesActive: boolean;
  /** Normalised; what flows read as `@extra` or `@trigger.params`. */
  readonly extra: unknown;
  /** Normalised; what flows read as `@embed`. */
  readonly embeddedData: unknown;
  readonly status: StartStatus;
  /** Contacts that are to be started; null: nobody has counted yet. */
  readonly total: number | null;
  readonly createdAtMs: SimTime;
  readonly modifiedAtMs: SimTime;
}

/** Where flow starts are stored. The store implements it. */
export interface FlowStartTable extends RowTable<FlowStartRow> {
  get(id: number): FlowStartRow | undefined;
}

/** Who is to begin a flow, and with what. */
export interface StartOrder {
  readonly flow: number;
  readonly groups: readonly number[];
  readonly contacts: readonly number[];
  readonly restartsParticipants: boolean;
  readonly excludesActive: boolean;
  readonly extra: unknown;
  readonly embeddedData: unknown;
}

/** Flow starts (service-api.md 2.12). */
export class FlowStarts {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #table: FlowStartTable;

  constructor(options: { kernel: Kernel; streams: Streams; table: FlowStartTable }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#table = options.table;
  }

  /** Orders a start. It waits (`pending`) for whoever runs flows; with nobody to start it is complete at once. */
  add(order: StartOrder): FlowStartRow {
    const id = this.#table.nextId();
    const isForNobody = order.groups.length === 0 && order.contacts.length === 0;
    const start: FlowStartRow = {
      ...order,
      id,
      uuid: this.#streams.uuid(`flow-start/${id}`),
      groups: distinct(order.groups),
      contacts: distinct(order.contacts),
      status: isForNobody ? "complete" : "pending",
      total: isForNobody ? 0 : null,
      createdAtMs: this.#kernel.now,
      modifiedAtMs: this.#kernel.now,
    };
    this.#table.put(start);
    return start;
  }
}

/** Records show them in the order of their ids (service-api.md 2.12). */
function distinct(ids: readonly number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}
