import { type Cause, clockTime, counted, shortSpan } from "./cause.js";
import { type DayRow, isCall } from "./day-row.js";
import type { Retelling } from "./find-lost-answers.js";

/** A row of a phone with its time by the log's clock: the phone's clock is corrected. */
export interface TimedRow {
  readonly row: DayRow;
  readonly trueMs: number;
  /** From the phone's time to the arrival. */
  readonly lagMs: number;
}

/** What is known of a phone's day before its outages are looked for. */
export interface PhoneDay {
  readonly relayer: number;
  /** What syncs told, without copies, in the order of arrival. */
  readonly rows: readonly TimedRow[];
  readonly alarms: readonly DayRow[];
  readonly retellings: readonly Retelling[];
  /** The phone's app tells many rows twice all day: no answer got lost. */
  readonly tellsTwice: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A time in which nothing came from a phone, and what came after it. */
export interface Gap {
  readonly relayer: number;
  /** Arrival of the last row before it, or the phone's last sync that an alarm names. */
  readonly fromMs: number;
  /** Arrival of the first row after it. */
  readonly toMs: number;
  /** Rows that came after it although the phone had them in it. */
  readonly late: readonly TimedRow[];
  /** Rows that the carrier handed over at its end, all at once. */
  readonly held: readonly TimedRow[];
}

/** A row that comes later than this after its phone time, or than twenty times the usual, is late. */
const leastLateMs = 30_000;
/** After so long a backlog of one outage has arrived: syncs carry 50 rows, and not every trigger starts one. */
const drainMs = 15 * 60_000;
/** A phone that had no answer waits two minutes, and tells again at its next poll at the latest. */
const retellingMs = 13 * 60_000;
/** The longest that a call rings. */
const longestRingMs = 90_000;
/** How long a phone waits for the answer to a sync. */
const syncTimeoutMs = 120_000;
/** Held texts come one after the other, half a second apart at most; some networks are slower. */
const heldGapMs = 1_200;
/** The first held text comes within this after the phone is back. */
const rejoinMs = 60_000;
/** How unlikely what is seen must be by chance, over all places of a phone's day where it could have been seen. */
const chanceLimit = 1e-4;
/** A phone that is off or without coverage for less than this was restarted. */
const longestRebootMs = 10 * 60_000;

/** From which delay on a row is late in this log. */
export function lateFrom(phones: readonly PhoneDay[]): number {
  const lags = phones.flatMap(({ rows }) => rows.filter(({ row }) => !isCall(row)).map(({ lagMs }) => lagMs));
  lags.sort((one, other) => one - other);
  return Math.max(leastLateMs, 20 * (lags[Math.floor(lags.length / 2)] ?? 0));
}

/** When a phone had a row at the latest: it reports a call when it is over, and its time is that of its start. */
function readyOf({ row, trueMs }: TimedRow): number {
  return isCall(row) ? trueMs + (row.duration ?? 0) * 1000 + longestRingMs : trueMs;
}

/** The first index of an instant that is not before another; sorted instants. */
function firstFrom(sorted: readonly number[], fromMs: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) < fromMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The late rows of a phone, those within gaps of its arrivals and the others. */
export function lateRows(
  phone: PhoneDay,
  lateFromMs: number,
  held: readonly Gap[],
): { gaps: Gap[]; others: TimedRow[] } {
  const { rows, retellings } = phone;
  const gaps = new Map<number, { fromMs: number; toMs: number; late: TimedRow[] }>();
  const others: TimedRow[] = [];
  const arrivals = rows.map(({ row }) => row.atMs);
  const heldRows = new Set(held.flatMap((gap) => gap.held));
  for (const timed of rows) {
    const { row } = timed;
    if (heldRows.has(timed)) continue;
    const readyMs = readyOf(timed);
    if (row.atMs - readyMs <= lateFromMs) continue;
    const next = firstFrom(arrivals, readyMs);
    const toMs = arrivals[next] ?? row.atMs;
    const fromMs = arrivals[next - 1] ?? phone.fromMs;
    if (toMs - fromMs < lateFromMs || row.atMs - toMs > drainMs) {
      others.push(timed);
      continue;
    }
    const gap = gaps.get(toMs);
    if (gap === undefined) gaps.set(toMs, { fromMs, toMs, late: [timed] });
    else gap.late.push(timed);
  }
  const found = [...gaps.values()].map((gap) => ({ ...gap, relayer: phone.relayer, held: [] }));
  return {
    gaps: found.filter(
      (gap) =>
        !retellings.some(
          ({ firstMs, againMs }) =>
            Math.abs(gap.fromMs - firstMs) < 3_000 && gap.toMs <= againMs + 3_000 && againMs - firstMs < retellingMs,
        ),
    ),
    others,
  };
}

/**
 * Gaps after which texts came at once that the carrier had held: several texts within seconds, right after a silence.
 * By chance it happens with the probability of the silence times that of this number of texts in so short a time, both of a
 * Poisson process with the phone's rate.
 */
export function heldTexts(phone: PhoneDay): Gap[] {
  const texts = phone.rows.filter(({ row }) => row.type === "mo_sms").sort((one, other) => one.trueMs - other.trueMs);
  const spanMs = Math.max(1, phone.toMs - phone.fromMs);
  const found: Gap[] = [];
  for (let from = 1; from < texts.length; from++) {
    let to = from;
    while (to + 1 < texts.length && trueOf(texts, to + 1) - trueOf(texts, to) <= heldGapMs) to++;
    const count = to - from + 1;
    const first = texts[from];
    if (count < 2 || first === undefined) continue;
    const before = phone.rows.filter(({ row }) => row.atMs < first.trueMs && first.trueMs - row.atMs > rejoinMs);
    // What the phone does as soon as it is back, such as sending what waited, may come first.
    const lastBefore = before.at(-1);
    const gapFromMs = Math.max(phone.fromMs, lastBefore?.row.atMs ?? phone.fromMs, trueOf(texts, from - 1));
    const back = phone.rows.find(({ row }) => row.atMs > gapFromMs);
    const gapToMs = Math.min(back?.row.atMs ?? first.trueMs, first.trueMs);
    const gapMs = gapToMs - gapFromMs;
    const last = texts[to] ?? first;
    const held = texts.slice(from, to + 1);
    from = to;
    if (gapMs < rejoinMs || found.some((gap) => gap.fromMs < gapToMs && gap.toMs > gapFromMs)) continue;
    const rate = texts.length / spanMs;
    const window = last.trueMs - first.trueMs + 100;
    const chance = Math.exp(-rate * gapMs) * poissonAtLeast(rate * window, count - 1) * texts.length;
    if (chance < chanceLimit) found.push({ relayer: phone.relayer, fromMs: gapFromMs, toMs: gapToMs, late: [], held });
  }
  return found;
}

function trueOf(rows: readonly TimedRow[], index: number): number {
  return rows[index]?.trueMs ?? Infinity;
}

/** The probability of at least `count` events where `mean` are expected. */
export function poissonAtLeast(mean: number, count: number): number {
  if (count <= 0) return 1;
  let term = Math.exp(-mean);
  let below = 0;
  for (let k = 0; k < count; k++) {
    below += term;
    term *= mean / (k + 1);
  }
  // The difference loses its digits where it is tiny: the first term of the tail is nearly all of it then.
  return Math.max(term, 1 - below < 1e-9 ? term : 1 - below);
}

/**
 * Whether late rows in a gap are more than chance: each row of the log comes late with the share of those that came
 * late outside of any gap.
 */
export function isBeyondChance(
  lateCount: number,
  { lateElsewhere, rows, gaps }: { lateElsewhere: number; rows: number; gaps: number },
): boolean {
  const share = (lateElsewhere + 1) / (rows + 2);
  return share ** lateCount * gaps < 1e-2;
}

/**
 * Whether one exchange without an answer explains the late rows of a gap: the phone waits two minutes for it, and tells
 * what came meanwhile after that.
 */
export function isOneTimeout(gap: Gap): boolean {
  return gap.late.every((timed) => gap.toMs - readyOf(timed) <= syncTimeoutMs && timed.row.atMs - gap.toMs < 3_000);
}

/** The cause of such rows. */
export function timeoutCause(gap: Gap): Cause {
  const fromMs = Math.max(gap.fromMs + 1, gap.toMs - syncTimeoutMs + 1);
  const most = Math.max(...gap.late.map(({ lagMs }) => lagMs));
  return {
    verb: "sync",
    relayer: gap.relayer,
    fromMs,
    args: { loses: "request" },
    evidence:
      `${counted(gap.late.length, "row")} up to ${shortSpan(most)} late at ${clockTime(gap.toMs)}: a phone waits ` +
      `${syncTimeoutMs / 1000}s for an answer`,
    rows: gap.late.map(({ row }) => row.place),
  };
}

/** The cause of late rows: the phone had no data link. */
export function networkCause(gap: Gap, alarms: readonly DayRow[]): Cause {
  const times = gap.late.map(({ trueMs }) => trueMs).sort((one, other) => one - other);
  const firstMs = times[0] ?? gap.fromMs;
  const lastMs = times.at(-1) ?? gap.toMs;
  const alarm = silentAlarm(gap, alarms);
  const lastSeenMs = alarm?.power?.lastSeenMs;
  const knownMs = Math.max(gap.fromMs, lastSeenMs !== undefined && lastSeenMs < firstMs ? lastSeenMs : 0);
  const fromMs = Math.max(knownMs + 1, firstMs - 1_000);
  const toMs = Math.max(lastMs + 500, gap.toMs - 2_500, fromMs + 1_000);
  const arrivals = gap.late.map(({ row }) => row.atMs).sort((one, other) => one - other);
  return {
    verb: "network",
    relayer: gap.relayer,
    fromMs,
    toMs,
    args: { type: "none" },
    knownMs,
    lastSeenMs,
    evidence:
      `${counted(gap.late.length, "row")} with phone times ${clockTime(firstMs)} to ${clockTime(lastMs)} came at ` +
      `${clockTime(arrivals[0] ?? gap.toMs)}, after ${shortSpan(gap.toMs - knownMs)} without a row` +
      (alarm === undefined
        ? ""
        : `; an alarm at ${clockTime(alarm.atMs)} says last seen ${clockTime(lastSeenMs ?? 0)}`),
    rows: gap.late.map(({ row }) => row.place),
  };
}

/** The cause of held texts: a phone that was off, or that its carrier did not reach. */
export function heldCause(gap: Gap, { alarms, rows, fromMs, toMs }: PhoneDay): Cause {
  const alarm = silentAlarm(gap, alarms);
  const lengthMs = gap.toMs - gap.fromMs;
  const isOff = alarm !== undefined || lengthMs <= longestRebootMs;
  const lastSeenMs = alarm?.power?.lastSeenMs ?? gap.fromMs;
  // This number of texts takes about this time; and the last row before the gap came about one row's time before it.
  const spanMs = Math.max(1, toMs - fromMs);
  const heldMs = ((gap.held.length + 1) * spanMs) / Math.max(1, rows.filter(({ row }) => row.type === "mo_sms").length);
  const soonestMs = gap.fromMs + Math.min(spanMs / Math.max(1, rows.length), lengthMs / 4);
  const startMs = Math.max(gap.fromMs + 1, lastSeenMs + 1, soonestMs, gap.toMs - heldMs);
  const first = gap.held[0]?.trueMs ?? gap.toMs;
  const last = gap.held.at(-1)?.trueMs ?? first;
  const endMs = Math.max(startMs + 1_000, gap.toMs - 2_500);
  const evidence =
    `${counted(gap.held.length, "text")} within ${((last - first) / 1000).toFixed(1)}s at ${clockTime(first)}, ` +
    `after ${shortSpan(lengthMs)} without a text` +
    (alarm === undefined ? "" : `; an alarm at ${clockTime(alarm.atMs)} says last seen ${clockTime(lastSeenMs)}`);
  const known = { knownMs: lastSeenMs, lastSeenMs: alarm?.power?.lastSeenMs };
  const held = {
    relayer: gap.relayer,
    fromMs: startMs,
    ...known,
    evidence,
    rows: gap.held.map(({ row }) => row.place),
  };
  if (isOff) return { ...held, verb: "reboot", toMs: endMs, args: {} };
  return { ...held, verb: "coverage", toMs: endMs, args: { state: "none" } };
}

function silentAlarm(gap: Gap, alarms: readonly DayRow[]): DayRow | undefined {
  return alarms.find(
    ({ atMs, power }) =>
      atMs > gap.fromMs && atMs <= gap.toMs && power?.lastSeenMs !== undefined && atMs - power.lastSeenMs > 25 * 60_000,
  );
}
