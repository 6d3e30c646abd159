import type { SimTime } from "../../sim/index.js";
import type { Translations } from "../../wire/index.js";
import type { RowTable } from "../registry.js";

/** `queued`: not all of its messages are made. `failed`: nobody could be reached (service-api.md 3.9). */
export type BroadcastStatus = "queued" | "sent" | "failed";

/** What is sent, and to whom. */
export interface BroadcastOrder {
  readonly text: Translations;
  /** The language for those who have none of their own, or another one. */
  readonly baseLanguage: string;
  /** Normalised. */
  readonly urns: readonly string[];
  /** Rows of contacts. */
  readonly contacts: readonly number[];
  /** Ids of groups. */
  readonly groups: readonly number[];
  /** Null: the best for each recipient, see `Routing`. */
  readonly channel: number | null;
}

/** A broadcast, as it is stored. */
export interface BroadcastRow extends BroadcastOrder {
  /** Counts from 1. */
  readonly id: number;
  readonly status: BroadcastStatus;
  /** Recipients, each counted once; null: nobody has counted yet. */
  readonly total: number | null;
  /** Messages that were made. */
  readonly started: number;
  readonly createdAtMs: SimTime;
}

/** Where broadcasts are stored. The store implements it. */
export interface BroadcastTable extends RowTable<BroadcastRow> {
  /** Those with the status `queued`, the oldest first. */
  unfinished(): BroadcastRow[];
}
