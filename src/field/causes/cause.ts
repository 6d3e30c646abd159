/** Verbs of the scenario language that can be concluded from a log. */
export const causeVerbs = [
  "network",
  "coverage",
  "reboot",
  "clock",
  "sync",
  "service",
  "power",
  "battery",
  "receiver",
  "delivery",
] as const;

export type CauseVerb = (typeof causeVerbs)[number];

/** A cause of what a log shows: a step of a scenario, and what speaks for it. */
export interface Cause {
  readonly verb: CauseVerb;
  /** The channel; absent: the receiver. */
  readonly relayer?: number | undefined;
  /** Milliseconds since 1970, by the log's clock. */
  readonly fromMs: number;
  /** Absent: an instant, or to the end of the log. */
  readonly toMs?: number | undefined;
  /** The step's arguments but `of` and `for`, as the scenario language spells them. */
  readonly args: Readonly<Record<string, string>>;
  /** Of mains: the level of the battery that the alarm tells. */
  readonly level?: number | undefined;
  /** Of an outage: the last sign of life before it; it began after that. */
  readonly knownMs?: number | undefined;
  /** Of an outage: the last sync before it, which an alarm names. */
  readonly lastSeenMs?: number | undefined;
  /** In numbers, for people. */
  readonly evidence: string;
  /** Places in the source of the rows that it explains. */
  readonly rows: readonly number[];
}

/** `09:04:37` of an instant, in UTC. */
export function clockTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** `12 rows`, `1 row`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** A duration for people: `40s`, `12m`, `2h5m`. */
export function shortSpan(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120)
    return seconds % 60 === 0 || minutes >= 20 ? `${minutes}m` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  return `${Math.round(hours / 24)}d`;
}
