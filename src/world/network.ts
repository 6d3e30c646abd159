/** Types of data link, as phones name them (docs/reference/handset.md#status-report). */
export const networkTypes = [
  "none",
  "GPRS",
  "EDGE",
  "UMTS",
  "HSPA",
  "LTE",
  "WIFI",
  "HSDPA",
  "HSPA+",
  "CDMA",
  "NR",
  "BLUETOOTH",
  "WIMAX",
] as const;

/** The data link of a phone; `none`: it has no link. */
export type NetworkType = (typeof networkTypes)[number];

/** A type of data link that carries data. */
export type LinkType = Exclude<NetworkType, "none">;

/**
 * A share 0..1 of segments that the radio refuses: one for all data links, or one for each. A link that is not named
 * refuses none.
 */
export type SendFailShare = number | Readonly<Partial<Record<NetworkType, number>>>;

/** The share of segments that the radio refuses on a data link. */
export function failShareOn(share: SendFailShare, link: NetworkType): number {
  return typeof share === "number" ? share : (share[link] ?? 0);
}

/** Links that need neither a mast nor a SIM. */
const linksWithoutMast: ReadonlySet<NetworkType> = new Set(["WIFI", "BLUETOOTH"]);

/** Whether a link needs neither a mast of the phone's carrier nor a SIM. */
export function worksWithoutMast(network: NetworkType): boolean {
  return linksWithoutMast.has(network);
}
