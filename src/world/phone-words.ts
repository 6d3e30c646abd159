/** Ends of an incoming call that Android's call log lists neither as answered nor as missed. */
export const callEnds = ["rejected", "voicemail", "blocked", "answered-elsewhere"] as const;
/** One of `callEnds`. */
export type CallEnd = (typeof callEnds)[number];

/** What a phone charges from (docs/reference/handset.md#status-report). */
export const plugs = ["ac", "usb", "wireless"] as const;
/** One of `plugs`. */
export type Plug = (typeof plugs)[number];

/**
 * What a phone reports of its battery. `unknown`: the status UNK, with source and level; `none`: nothing, so level -1
 * (docs/reference/handset.md#status-report).
 */
export const batteryReports = ["ok", "unknown", "none"] as const;
/** One of `batteryReports`. */
export type BatteryReports = (typeof batteryReports)[number];
