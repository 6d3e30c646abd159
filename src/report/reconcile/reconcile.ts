import { decodeEvent } from "../../wire/index.js";
import type { RecordedEvent, RecordingReader } from "../../store/index.js";
import { type ReceivedRow, normalizePhone } from "./received-rows.js";

/** How rows are matched with events: by event id, by number of the message or call, or by content and time. */
export type MatchedBy = "id" | "number" | "phone, text and time";

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

/** The result of comparing a receiver's log with what was delivered to it. */
export interface Reconciliation {
  readonly matchedBy: MatchedBy;
  /** The compared event types. */
  readonly types: readonly string[];
  readonly windowMs: number;
  readonly rows: number;
  /** Events that the receiver accepted. */
  readonly accepted: number;
  /** Events whose row equals what was sent. */
  readonly found: number;
  readonly counts: Readonly<Record<DiscrepancyKind, number>>;
  /** The first of each kind, at most `LISTED_MAX`. */
  readonly listed: Readonly<Record<DiscrepancyKind, readonly Discrepancy[]>>;
}

/** Limit of listed discrepancies of a kind. */
export const LISTED_MAX = 1000;

/** An event that a row may match. */
interface Candidate {
  readonly key: string;
  /** Key of the original event, shared by its copies. */
  readonly family: string;
  readonly number: number | undefined;
  readonly type: string;
  readonly phone: string | undefined;
  readonly text: string | undefined;
  /** Instants that the receiver may have logged, in milliseconds since 1970. */
  readonly timesMs: readonly number[];
  readonly state: "accepted" | "uncertain" | "unsent";
  /** Number of requests that the receiver may have processed. */
  readonly posts: number;
  /** Those of them that somebody sent again by hand. */
  readonly postsByHand: number;
  match: ReceivedRow | undefined;
}

/**
 * Compares a receiver's rows with the events of a recording. All rows, and the events of the compared types, are held
 * in memory: about 0.5 KiB each.
 *
 * @param options - `types`: event types to compare; absent: those in the rows, or mo_sms if the rows have no type;
 *   `windowMs`: largest distance between the times of a row and its event
 */
export function reconcile(
  recording: RecordingReader,
  rows: readonly ReceivedRow[],
  { types: given, windowMs }: { readonly types?: readonly string[] | undefined; readonly windowMs: number },
): Reconciliation {
  const named = new Set(rows.flatMap(({ type }) => (type === undefined ? [] : [type])));
  const types = given ?? (named.size === 0 ? ["mo_sms"] : [...named].sort());
  const matchedBy: MatchedBy = rows.some(({ id }) => id !== undefined)
    ? "id"
    : rows.some(({ number }) => number !== undefined)
      ? "number"
      : "phone, text and time";
  const candidates = candidatesOf(recording, new Set(types));
  const findings = new DiscrepancyList();
  const keysOf = { id: byId, number: byNumber, "phone, text and time": byPhoneAndText }[matchedBy];
  const left = matchRows(candidates, rows, {
    keysOf,
    windowMs: matchedBy === "phone, text and time" ? windowMs : Infinity,
    findings,
  });
  const unmatched = matchedBy === "phone, text and time" ? matchChanged(candidates, left, windowMs) : left;
  for (const row of unmatched) {
    if (given !== undefined && row.type !== undefined && !types.includes(row.type)) continue;
    findings.add("unknown", { row: row.row, text: `row ${row.row} (${shown(row)}) matches no event that was sent` });
  }
  const present = new Set(candidates.flatMap(({ match: row, family }) => (row === undefined ? [] : [family])));
  let found = 0;
  for (const candidate of candidates) {
    if (candidate.match !== undefined) found += noteChanges(candidate, candidate.match, findings) ? 0 : 1;
    else noteAbsence(candidate, present, findings);
  }
  return {
    matchedBy,
    types,
    windowMs,
    rows: rows.length,
    accepted: candidates.filter(({ state }) => state === "accepted").length,
    found,
    counts: findings.counts,
    listed: findings.listed,
  };
}

class DiscrepancyList {
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

  add(kind: DiscrepancyKind, discrepancy: Discrepancy): void {
    this.counts[kind]++;
    if (this.listed[kind].length < LISTED_MAX) this.listed[kind].push(discrepancy);
  }
}

function candidatesOf(recording: RecordingReader, types: ReadonlySet<string>): Candidate[] {
  const { startsAtMs, startedWallMs } = recording.meta();
  const candidates: Candidate[] = [];
  const byHand = recording.triesByHand();
  for (const event of recording.events())
    if (types.has(event.type)) candidates.push(candidateOf(event, { startsAtMs, startedWallMs, byHand }));
  return candidates;
}

function candidateOf(
  event: RecordedEvent,
  {
    startsAtMs,
    startedWallMs,
    byHand,
  }: { readonly startsAtMs: number; readonly startedWallMs: number; readonly byHand: ReadonlySet<string> },
): Candidate {
  const { channel, number, copy, attempts, body, type, atMs } = event;
  const { event: decoded } = decodeEvent(body);
  const fields: { readonly event?: string; readonly phone?: string; readonly text?: string; readonly time?: number } =
    "pairs" in decoded ? Object.fromEntries(decoded.pairs.filter(([name]) => name !== "time")) : decoded;
  const written = attempts.filter(({ status, sentWallMs }) => status !== null || sentWallMs !== null);
  const isAccepted = attempts.some(({ outcome }) => outcome === "accepted");
  const own = fields.time === undefined ? [] : [fields.time];
  return {
    key: `${channel}/${number}`,
    family: `${channel}/${copy?.of ?? number}`,
    number: event.subject ?? undefined,
    type,
    phone: fields.phone === undefined ? undefined : normalizePhone(fields.phone),
    text: fields.text,
    timesMs: [
      ...own,
      startsAtMs + atMs,
      ...written.flatMap(({ sentWallMs }) => (sentWallMs === null ? [] : [startedWallMs + sentWallMs])),
    ],
    state: isAccepted ? "accepted" : written.length > 0 ? "uncertain" : "unsent",
    posts: written.length,
    postsByHand: written.filter((attempt) => byHand.has(`${channel}/${number} ${attempt.try}`)).length,
    match: undefined,
  };
}

type Keyed = Pick<Candidate, "number" | "type" | "phone" | "text"> & { readonly key?: string };
type KeyOf = (one: Keyed, type: string | undefined) => string | undefined;

const byId: KeyOf = ({ key }) => key;
const byNumber: KeyOf = ({ number }, type) => (number === undefined ? undefined : `${number} ${type ?? ""}`);
const byPhoneAndText: KeyOf = ({ phone, text }, type) => `${phone ?? ""} ${text ?? ""} ${type ?? ""}`;

/** Assigns to each event the row with its key that is nearest in time. @returns the rows that match no event */
function matchRows(
  candidates: readonly Candidate[],
  rows: readonly ReceivedRow[],
  {
    keysOf,
    windowMs,
    findings,
  }: { readonly keysOf: KeyOf; readonly windowMs: number; readonly findings: DiscrepancyList },
): ReceivedRow[] {
  const hasTypes = rows.some(({ type }) => type !== undefined);
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = keysOf(candidate, hasTypes ? candidate.type : undefined);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [candidate]);
    else group.push(candidate);
  }
  const left: ReceivedRow[] = [];
  for (const row of rows) {
    const { number, type = "", phone, text, id } = row;
    const key = keysOf({ number, type, phone, text, ...(id !== undefined && { key: id }) }, row.type);
    const group =
      (key === undefined ? undefined : groups.get(key))?.filter((one) => distance(one, row) <= windowMs) ?? [];
    const free = nearest(
      group.filter((one) => one.match === undefined && one.state !== "unsent"),
      row,
    );
    if (free !== undefined) free.match = row;
    else if (group.some((one) => one.match !== undefined)) noteDouble(nearest(group, row), row, findings);
    else left.push(row);
  }
  return left;
}

/**
 * Matches the remaining rows and events with the same phone and time: their text was changed.
 *
 * @returns unmatched rows
 */
function matchChanged(candidates: readonly Candidate[], rows: readonly ReceivedRow[], windowMs: number): ReceivedRow[] {
  const absent = new Map<string, Candidate[]>();
  const present = new Set(candidates.flatMap(({ match: row, family }) => (row === undefined ? [] : [family])));
  for (const candidate of candidates) {
    if (candidate.match !== undefined || candidate.state !== "accepted" || present.has(candidate.family)) continue;
    absent.set(candidate.phone ?? "", [...(absent.get(candidate.phone ?? "") ?? []), candidate]);
  }
  return rows.filter((row) => {
    if (row.timeMs === undefined || row.text === undefined) return true;
    const group = absent
      .get(row.phone ?? "")
      ?.filter((one) => one.match === undefined && distance(one, row) <= windowMs);
    const found = nearest(group ?? [], row);
    if (found !== undefined) found.match = row;
    return found === undefined;
  });
}

function nearest(group: readonly Candidate[], row: ReceivedRow): Candidate | undefined {
  let best: Candidate | undefined;
  for (const one of group) if (best === undefined || distance(one, row) < distance(best, row)) best = one;
  return best;
}

/** Milliseconds between a row's time and the nearest instant of an event; 0: the row has no time. */
function distance({ timesMs }: Candidate, { timeMs }: ReceivedRow): number {
  if (timeMs === undefined) return 0;
  return Math.min(...timesMs.map((one) => Math.abs(one - timeMs)));
}

function whyPosted({ posts, postsByHand }: Candidate): string {
  if (posts <= 1) return "it was posted once";
  const causes = [
    ...(posts - postsByHand > 1 ? ["a try had no usable answer"] : []),
    ...(postsByHand > 0 ? [`it was sent again by hand ${postsByHand === 1 ? "once" : `${postsByHand} times`}`] : []),
  ];
  return `it was posted ${posts} times, as ${causes.join(", and ")}`;
}

function noteDouble(candidate: Candidate | undefined, row: ReceivedRow, findings: DiscrepancyList): void {
  if (candidate === undefined) return;
  const { key } = candidate;
  const why = whyPosted(candidate);
  findings.add("doubled", {
    event: key,
    row: row.row,
    text: `event ${key} is in the log again, in row ${row.row}: ${why}`,
  });
}

/** @returns whether the row differs from what was sent */
function noteChanges({ key, text, phone }: Candidate, row: ReceivedRow, findings: DiscrepancyList): boolean {
  const changes: string[] = [];
  if (row.text !== undefined && text !== undefined && row.text !== text) {
    changes.push(`text sent ${JSON.stringify(text)}, logged ${JSON.stringify(row.text)}`);
  }
  if (row.phone !== undefined && phone !== undefined && row.phone !== phone) {
    changes.push(`phone sent ${phone}, logged ${row.phone}`);
  }
  if (changes.length === 0) return false;
  findings.add("changed", { event: key, row: row.row, text: `event ${key}, row ${row.row}: ${changes.join("; ")}` });
  return true;
}

function noteAbsence(
  { key, family, state, type, phone, text }: Candidate,
  present: ReadonlySet<string>,
  findings: DiscrepancyList,
): void {
  const what = `event ${key} (${shown({ type, phone, text })})`;
  if (state === "unsent") return;
  if (state === "uncertain") {
    findings.add("uncertain", {
      event: key,
      text: `${what} is not in the log; no try was accepted, so it may be absent`,
    });
  } else if (present.has(family)) {
    findings.add("deduplicated", {
      event: key,
      text: `${what} is not in the log; another event about the same text or call (${family} and its copies) is`,
    });
  } else findings.add("missing", { event: key, text: `${what} was accepted but is not in the log` });
}

function shown({ type, phone, text, id, number }: Partial<ReceivedRow>): string {
  const words = text === undefined ? undefined : JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  return [type, id, number, phone, words].filter((part) => part !== undefined).join(" ");
}
