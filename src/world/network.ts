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

/** A share 0..1 of sends that fail: the same on all data links, or one for each; links that are not named have none. */
export type SendFailShare = number | Readonly<Partial<Record<NetworkType, number>>>;

/** The share of sends that fail on a data link. */
export function failShareOn(share: SendFailShare, link: NetworkType): number {
  return typeof share === "number" ? share : (share[link] ?? 0);
}

/** Links that do not need the phone's own mast. */
const nearby: ReadonlySet<NetworkType> = new Set(["WIFI", "BLUETOOTH"]);

/** Whether a link works without the mast of the phone's carrier. */
export function isNearby(network: NetworkType): boolean {
  return nearby.has(network);
}
