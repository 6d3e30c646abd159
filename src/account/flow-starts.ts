import type { Kernel, SimTime, Streams } from "../sim/index.js";
import type { RowTable } from "./registry.js";
import { sortedIds } from "./sorted-ids.js";

/** Progress of a flow start (docs/reference/service-api.md#flow-start-statuses). */
export type StartStatus = "pending" | "starting" | "complete" | "failed";

/** An order to start a flow for contacts, as it is stored. */
export interface FlowStartRow {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  /** Id of the flow. */
  readonly flow: number;
  /** Ids of groups, ascending. */
  readonly groups: readonly number[];
  /** Rows of contacts, ascending, including the contacts of requested addresses. */
  readonly contacts: readonly number[];
  /** False: skips contacts who were ever in this flow. */
  readonly restartsParticipants: boolean;
  /** Skips contacts who are in any flow now. */
  readonly excludesActive: boolean;
  /** Normalised; what flows read as `@extra` or `@trigger.params`. */
  readonly extra: unknown;
  /** Normalised; what flows read as `@embed`. */
  readonly embeddedData: unknown;
  readonly status: StartStatus;
  /** Contacts to start; null: not counted yet. */
  readonly total: number | null;
  readonly createdAtMs: SimTime;
  readonly modifiedAtMs: SimTime;
}

/** Where flow starts are stored. The store implements it. */
export interface FlowStartTable extends RowTable<FlowStartRow> {
  get(id: number): FlowStartRow | undefined;
}

/** Recipients and data of a flow start. */
export interface StartOrder {
  readonly flow: number;
  readonly groups: readonly number[];
  readonly contacts: readonly number[];
  readonly restartsParticipants: boolean;
  readonly excludesActive: boolean;
  readonly extra: unknown;
  readonly embeddedData: unknown;
}

/** Flow starts (docs/reference/service-api.md#flow-starts). */
export class FlowStarts {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #table: FlowStartTable;

  constructor(options: { kernel: Kernel; streams: Streams; table: FlowStartTable }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#table = options.table;
  }

  /** Adds a start. It stays `pending`, as the service runs no flows; without recipients it is complete at once. */
  add(order: StartOrder): FlowStartRow {
    const id = this.#table.nextId();
    const isForNobody = order.groups.length === 0 && order.contacts.length === 0;
    const start: FlowStartRow = {
      ...order,
      id,
      uuid: this.#streams.uuid(`flow-start/${id}`),
      groups: sortedIds(order.groups),
      contacts: sortedIds(order.contacts),
      status: isForNobody ? "complete" : "pending",
      total: isForNobody ? 0 : null,
      createdAtMs: this.#kernel.now,
      modifiedAtMs: this.#kernel.now,
    };
    this.#table.put(start);
    return start;
  }
}
