/** How an incoming call can end that Android's call log does not list as answered or missed. */
export const callEnds = ["rejected", "voicemail", "blocked", "answered-elsewhere"] as const;
export type CallEnd = (typeof callEnds)[number];

/** What a phone charges from (docs/reference/handset.md#status-report). */
export const plugs = ["ac", "usb", "wireless"] as const;
export type Plug = (typeof plugs)[number];

/**
 * What a phone reports of its battery: `unknown`: the status UNK; `none`: nothing yet, so level -1
 * (docs/reference/handset.md#status-report).
 */
export const batteryReports = ["ok", "unknown", "none"] as const;
export type BatteryReports = (typeof batteryReports)[number];
