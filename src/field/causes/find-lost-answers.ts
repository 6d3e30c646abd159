import { type Cause, clockTime, counted, shortSpan } from "./cause.js";
import { type DayRow, isCall, isReport } from "./day-row.js";

/** Rows that a phone told again. */
export interface Retelling {
  readonly relayer: number;
  /** When they arrived first; the sync whose answer got lost. */
  readonly firstMs: number;
  /** When the first of them arrived first: before `firstMs` if not all came with one sync. */
  readonly earliestMs: number;
  readonly againMs: number;
  readonly copies: readonly DayRow[];
}

/** Copies that come within this belong to one sync. */
const sameSyncMs = 3_000;

/**
 * Finds the rows that a phone told again: the same text or call of the same person at the same phone time, as another
 * message of the service; or the same report about the same message. Two texts of one person in one millisecond do not
 * happen; in the historic spelling, which has whole seconds, the times must also be minutes old.
 */
export function findRetellings(relayer: number, rows: readonly DayRow[]): Retelling[] {
  const first = new Map<string, DayRow>();
  const found: { relayer: number; firstMs: number; earliestMs: number; againMs: number; copies: DayRow[] }[] = [];
  for (const row of rows) {
    if (!isReport(row)) continue;
    const key = JSON.stringify([
      row.type,
      row.phone,
      row.text,
      row.duration,
      row.phoneMs,
      row.type.startsWith("mt_") && !isCall(row) ? row.id : 0,
    ]);
    const original = first.get(key);
    if (original === undefined) {
      first.set(key, row);
      continue;
    }
    first.set(key, row);
    const last = found.at(-1);
    if (last !== undefined && row.atMs - last.againMs <= sameSyncMs) {
      last.copies.push(row);
      last.firstMs = Math.max(last.firstMs, original.atMs);
      last.earliestMs = Math.min(last.earliestMs, original.atMs);
    } else {
      const { atMs } = original;
      found.push({ relayer, firstMs: atMs, earliestMs: atMs, againMs: row.atMs, copies: [row] });
    }
  }
  return found;
}

/** From this number of retellings and this share of a phone's rows on, its app tells rows twice as a habit. */
const leastHabit = 8;
const habitShare = 0.25;

/**
 * Whether a phone's app tells rows twice all day, as that of 2024 does, which applies each answer one sync late: then no
 * answers get lost.
 */
export function isHabit(retellings: readonly Retelling[], rows: readonly DayRow[]): boolean {
  const copies = retellings.reduce((sum, one) => sum + one.copies.length, 0);
  const told = rows.filter(isReport).length - copies;
  return retellings.length >= leastHabit && copies >= told * habitShare;
}

/** The causes of what a phone told again. */
export function lostAnswers(retellings: readonly Retelling[]): Cause[] {
  return retellings.map(({ relayer, firstMs, earliestMs, againMs, copies }): Cause => {
    const many = counted(copies.length, "row");
    const texts = copies.filter(({ type, id }) => type.startsWith("mo_") && id !== undefined).length;
    const ids = texts === copies.length ? " with new ids" : texts > 0 ? `, ${texts} of them with new ids` : "";
    if (againMs - firstMs < 1_000) {
      return {
        verb: "service",
        relayer,
        fromMs: firstMs - 500,
        toMs: againMs + 500,
        args: { doubles: "true" },
        evidence: `${many} twice${ids} at ${clockTime(againMs)}, within ${Math.round(againMs - firstMs)}ms: one request, processed twice`,
        rows: copies.map(({ place }) => place),
      };
    }
    const isOneSync = firstMs - earliestMs <= sameSyncMs;
    const span = `${shortSpan(againMs - firstMs)}${isOneSync ? "" : ` to ${shortSpan(againMs - earliestMs)}`}`;
    return {
      verb: "sync",
      relayer,
      fromMs: firstMs,
      args: { loses: "response" },
      evidence: `${many} twice${ids} at ${clockTime(againMs)}, ${span} after they came first`,
      rows: copies.map(({ place }) => place),
    };
  });
}
