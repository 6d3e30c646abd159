import type { DayRow } from "../causes/day-row.js";

/** How much of a day its scenario plays again. */
export interface Reproduced {
  /** Rows of the log, without retries. */
  readonly rows: number;
  /** Those that were played, too: of the same type, with the same words of the same person, at the same time. */
  readonly found: number;
  /** Rows that were played and are not in the log. */
  readonly more: number;
  /** The rows of the log that were not played. */
  readonly missing: readonly DayRow[];
  /** The scenario ends here, since more does not fit; absent: it has the whole log. */
  readonly untilMs?: number | undefined;
}

/** Times may differ by this: what a phone does takes other times than on the day. */
const windowMs = 60_000;

/** Compares the rows of a log with those that its scenario played. Each played row counts once. */
export function reproducedRows(rows: readonly DayRow[], played: readonly DayRow[]): Reproduced {
  const left = new Map<string, DayRow[]>();
  for (const row of played) {
    const same = left.get(contentOf(row));
    if (same === undefined) left.set(contentOf(row), [row]);
    else same.push(row);
  }
  const missing = rows.filter((row) => {
    const same = left.get(contentOf(row)) ?? [];
    const index = same.findIndex((one) => Math.abs(timeOf(one) - timeOf(row)) < windowMs);
    if (index !== -1) same.splice(index, 1);
    return index === -1;
  });
  const found = rows.length - missing.length;
  return { rows: rows.length, found, more: played.length - found, missing };
}

/** An alarm is about its phone alone; in all else the handset's number may be one that the scenario invented. */
function contentOf({ type, phone, text, duration, relayerPhone }: DayRow): string {
  // Nobody spoke in a missed call, so a log may leave its duration out.
  const spoke = type.endsWith("_miss") ? null : duration;
  return JSON.stringify([type, phone, text, spoke, type === "alarm" ? relayerPhone : null]);
}

/** By the phone's clock where the row has it. */
export function timeOf({ phoneMs, atMs }: DayRow): number {
  return phoneMs ?? atMs;
}
