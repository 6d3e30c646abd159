import type { SimTime } from "../../sim/index.js";
import type { Translations } from "../../wire/index.js";
import type { RowTable } from "../registry.js";

/**
 * `queued`: some messages are not made yet. `failed`: no recipient could be reached
 * (docs/reference/service-api.md#broadcast-statuses).
 */
export type BroadcastStatus = "queued" | "sent" | "failed";

/** Text and recipients of a broadcast. */
export interface BroadcastOrder {
  readonly text: Translations;
  /** The language for contacts without a language, or with one that `text` lacks. */
  readonly baseLanguage: string;
  /** Normalised. */
  readonly urns: readonly string[];
  /** Rows of contacts. */
  readonly contacts: readonly number[];
  /** Ids of groups. */
  readonly groups: readonly number[];
  /** Null selects the best channel for each recipient, see `Routing`. */
  readonly channel: number | null;
}

/** A broadcast, as it is stored. */
export interface BroadcastRow extends BroadcastOrder {
  /** Counts from 1. */
  readonly id: number;
  readonly status: BroadcastStatus;
  /** Distinct recipients; null before they are counted. */
  readonly total: number | null;
  /** Messages made so far. */
  readonly started: number;
  readonly createdAtMs: SimTime;
}

/** Where broadcasts are stored. The store implements it. */
export interface BroadcastTable extends RowTable<BroadcastRow> {
  /** Stores the progress of a broadcast, without its text and recipients. */
  setProgress(broadcast: Pick<BroadcastRow, "id" | "status" | "total" | "started">): void;
  /** Broadcasts with the status `queued`, oldest first. */
  unfinished(): BroadcastRow[];
}
