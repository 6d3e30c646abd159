/** One difference between the log and the deliveries, or an explanation. */
export interface Discrepancy {
  /** Id of the event; absent: the row matches no event. */
  readonly event?: string;
  /** Place of the row in the file, from 1. */
  readonly row?: number;
  readonly text: string;
}

/** Kinds of discrepancies: the first four break the reconciliation, the others explain. */
export const discrepancyKinds = ["missing", "doubled", "changed", "unknown", "deduplicated", "uncertain"] as const;
export type DiscrepancyKind = (typeof discrepancyKinds)[number];

/** Limit of listed discrepancies of a kind. */
const LISTED_MAX = 1000;

/** Counts discrepancies, and keeps the first 1,000 of each kind. */
export class DiscrepancyList {
  readonly counts: Record<DiscrepancyKind, number> = {
    missing: 0,
    doubled: 0,
    changed: 0,
    unknown: 0,
    deduplicated: 0,
    uncertain: 0,
  };
  readonly listed: Record<DiscrepancyKind, Discrepancy[]> = {
    missing: [],
    doubled: [],
    changed: [],
    unknown: [],
    deduplicated: [],
    uncertain: [],
  };

  /** Events by kind, as `eventKey`. */
  readonly events: Readonly<Record<Exclude<DiscrepancyKind, "unknown">, Set<number>>> = {
    missing: new Set(),
    doubled: new Set(),
    changed: new Set(),
    deduplicated: new Set(),
    uncertain: new Set(),
  };

  /**
   * @param describe - called only for discrepancies that are listed
   * @param event - its `eventKey`; absent: a row without an event
   */
  add(kind: DiscrepancyKind, describe: () => Discrepancy, event?: number): void {
    this.counts[kind]++;
    if (event !== undefined && kind !== "unknown") this.events[kind].add(event);
    if (this.listed[kind].length < LISTED_MAX) this.listed[kind].push(describe());
  }
}
