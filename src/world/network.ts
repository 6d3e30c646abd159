/** Types of data link, as phones name them (docs/reference/handset.md#status-report). */
export const networkTypes = ["none", "GPRS", "EDGE", "UMTS", "HSPA", "LTE", "WIFI"] as const;

/** The data link of a phone; `none`: it has no link. */
export type NetworkType = (typeof networkTypes)[number];

/** A type of data link that carries data. */
export type LinkType = Exclude<NetworkType, "none">;
