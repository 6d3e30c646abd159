import type { RunSummary, SessionHistory } from "../../flow/index.js";
import type { SimTime } from "../../sim/index.js";
import type { RowTable } from "../registry.js";

/** Progress of a flow start (docs/reference/service-api.md#flow-start-statuses). */
export type StartStatus = "pending" | "starting" | "complete" | "failed";

/** The run whose action ordered a start, as the started sessions read it. */
export interface StartParent {
  readonly runSummary: RunSummary;
  readonly history: SessionHistory;
}

/** An order to start a flow for contacts, as it is stored. */
export interface FlowStartRow {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  /** Id of the flow. */
  readonly flow: number;
  /** Ids of groups, ascending. */
  readonly groups: readonly number[];
  /** Ids of groups, ascending, whose members are skipped unless `contacts` has them. */
  readonly excludeGroups: readonly number[];
  /** Rows of contacts, ascending, including the contacts of requested addresses. */
  readonly contacts: readonly number[];
  /** False skips contacts who were ever in this flow. */
  readonly restartsParticipants: boolean;
  /** Skips contacts who are in any flow now. */
  readonly excludesActive: boolean;
  /** Normalised; flows read it as `@extra` or `@trigger.params`. */
  readonly extra: unknown;
  /** Normalised; flows read it as `@embed`. */
  readonly embeddedData: unknown;
  /** Null when no flow ordered it. */
  readonly parent: StartParent | null;
  /** Flows read it as `@trigger.origin`; null when a schedule ordered it. */
  readonly origin: "api" | null;
  readonly status: StartStatus;
  /** Number of contacts to start; null before they are counted. */
  readonly total: number | null;
  readonly createdAtMs: SimTime;
  readonly modifiedAtMs: SimTime;
}

/** Where flow starts are stored. The store implements it. */
export interface FlowStartTable extends RowTable<FlowStartRow> {
  get(id: number): FlowStartRow | undefined;
  /** Stores the progress of a start, without its recipients. */
  setProgress(start: Pick<FlowStartRow, "id" | "status" | "total" | "modifiedAtMs">): void;
  /** Starts that are pending or under way, oldest first. */
  unfinished(): FlowStartRow[];
}

/** Recipients and data of a flow start. */
export interface StartOrder {
  readonly flow: number;
  readonly groups: readonly number[];
  /** Default: none. */
  readonly excludeGroups?: readonly number[];
  readonly contacts: readonly number[];
  readonly restartsParticipants: boolean;
  readonly excludesActive: boolean;
  readonly extra: unknown;
  readonly embeddedData: unknown;
  /** Default: none. */
  readonly parent?: StartParent;
  /** Default: api. */
  readonly origin?: "api" | null;
}
