import type { SimTime } from "../../sim/index.js";

/** A campaign event that is due for a contact. */
export interface CampaignFire {
  /** Id of the event. */
  readonly event: number;
  /** Row of the contact. */
  readonly contact: number;
  readonly dueAtMs: SimTime;
}

/** A fire with what became of it. */
export interface ListedFire extends CampaignFire {
  /** Null: it is to come. */
  readonly firedAtMs: SimTime | null;
}

/** Which fires to list: those of some events, of one contact, or both. */
export interface FireQuery {
  readonly events?: readonly number[] | undefined;
  readonly contact?: number | undefined;
  readonly isDone: boolean;
  readonly limit: number;
}

/**
 * Where the fires of campaigns are stored: at most one that is pending for each event and contact, and all that are
 * done. It also holds the contacts whose fires must be computed again. The store implements it.
 */
export interface CampaignFireTable {
  /** When the first pending fire is due; undefined: none is pending. */
  firstDueAtMs(): SimTime | undefined;
  /** Pending fires that are due by an instant, in the order of due time, event and contact; at most `limit`. */
  dueBy(atMs: SimTime, limit: number): CampaignFire[];
  /** Pending fires of a contact, by event. */
  pendingOf(contact: number): CampaignFire[];
  /** Fires that are to come, first due first, or that are done, latest first; at most `limit`. */
  list(query: FireQuery): { readonly fires: readonly ListedFire[]; readonly count: number };
  /** Adds a pending fire, unless it is already done at this due time. */
  add(fire: CampaignFire): void;
  /** Removes a pending fire. */
  remove(fire: CampaignFire): void;
  /** Removes the pending fires of an event. */
  removePendingOf(event: number): void;
  /** Marks a pending fire as done. */
  setDone(fire: CampaignFire, atMs: SimTime): void;
  /** Marks a contact whose fires must be computed again. */
  markStale(contact: number): void;
  /** Marks all members of a group. */
  markMembersStale(group: number): void;
  isStale(contact: number): boolean;
  /** The first marked contacts, by row; at most `limit`. */
  staleContacts(limit: number): number[];
  clearStale(contact: number): void;
}
