import type { SimTime } from "../../sim/index.js";

/** A campaign event that is due for a contact. */
export interface CampaignFire {
  /** Id of the event. */
  readonly event: number;
  /** Row of the contact. */
  readonly contact: number;
  readonly dueAtMs: SimTime;
}

/** A fire with its outcome. */
export interface ListedFire extends CampaignFire {
  /** When it fired; null while it is pending. */
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
 * Storage of campaign fires: at most one pending fire for each event and contact, and all finished ones. It also
 * stores the contacts whose fires must be computed again. The store implements it.
 */
export interface CampaignFireTable {
  /** When the first pending fire is due; undefined when none is pending. */
  firstDueAtMs(): SimTime | undefined;
  /** Pending fires that are due by an instant, in the order of due time, event and contact; at most `limit`. */
  dueBy(atMs: SimTime, limit: number): CampaignFire[];
  /** Pending fires of a contact, by event. */
  pendingOf(contact: number): CampaignFire[];
  /** Pending fires, first due first, or finished ones, latest first; at most `limit`. */
  list(query: FireQuery): { readonly fires: readonly ListedFire[]; readonly count: number };
  /** Adds a pending fire, unless a fire with this due time is already finished. */
  add(fire: CampaignFire): void;
  /** Removes a pending fire. */
  remove(fire: CampaignFire): void;
  /** Removes the pending fires of an event. */
  removePendingOf(event: number): void;
  /** Marks a pending fire as finished. */
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
