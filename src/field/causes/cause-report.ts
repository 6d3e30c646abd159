import { type Cause, shortSpan } from "./cause.js";
import { handsetName } from "./day-row.js";
import type { InferredDay } from "./infer-day.js";

/** A cause as `--json` prints it. */
export interface CauseJson {
  readonly verb: string;
  /** An instant in UTC. */
  readonly at: string;
  /** The handset as `handset events` names it; null: the receiver. */
  readonly of: string | null;
  /** A duration, as scenarios spell it; null: an instant, or to the end. */
  readonly for: string | null;
  /** The step's other arguments. */
  readonly args: Readonly<Record<string, string>>;
  readonly evidence: string;
  /** Number of rows that it explains. */
  readonly rows: number;
}

/** How much of a day each verb explains. */
export interface CauseShare {
  readonly what: string;
  readonly rows: number;
  /** Of all rows, 0 to 1. */
  readonly share: number;
}

/** The causes of a day, in the order of time. */
export function causesJson({ causes }: InferredDay): CauseJson[] {
  return causes.map(({ verb, relayer, fromMs, toMs, args, evidence, rows }) => ({
    verb,
    at: new Date(Math.round(fromMs)).toISOString(),
    of: relayer === undefined ? null : causeOf({ relayer }),
    for: toMs === undefined ? null : spelled(toMs - fromMs),
    args,
    evidence,
    rows: rows.length,
  }));
}

/** A duration in whole seconds, as scenarios spell it. */
function spelled(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return ["h", "m", "s"].map((unit, index) => (parts[index] === 0 ? "" : `${parts[index]}${unit}`)).join("");
}

/** What explains the rows of a day: each row counts once, for the first cause that has it. */
export function causeShares({ day, causes, phones, unexplained }: InferredDay): CauseShare[] {
  const by = new Map<string, number>();
  const left = new Set([...day.rows.flatMap(({ attempts }) => attempts.map(({ place }) => place)), ...day.unread]);
  const total = Math.max(1, left.size);
  const count = (what: string, places: Iterable<number>): void => {
    for (const place of places) if (left.delete(place)) by.set(what, (by.get(what) ?? 0) + 1);
  };
  count(
    "nothing",
    unexplained.map(({ place }) => place),
  );
  for (const cause of causes) count(cause.verb, cause.rows);
  for (const { attempts } of day.rows)
    count(
      "retries by the service",
      attempts.slice(1).map(({ place }) => place),
    );
  const habits = [...phones.values()].filter(({ tellsTwice }) => tellsTwice);
  count(
    "phones whose app tells rows twice (fault answer-late)",
    habits.flatMap(({ retellings }) => retellings.flatMap(({ copies }) => copies.map(({ place }) => place))),
  );
  count("people and the service, as they wrote and called", left);
  const shares = [...by].map(([what, rows]) => ({ what, rows, share: rows / total }));
  return shares.sort((one, other) => other.rows - one.rows);
}

/** What a cause concerns: a handset as `handset events` names it, or the receiver. */
export function causeOf({ relayer }: Pick<Cause, "relayer">): string {
  return relayer === undefined ? "receiver" : `${handsetName(relayer)}/0`;
}

/** What a cause is, in words: `network none for 24m`. */
export function causePhrase({ verb, args, fromMs, toMs }: Cause): string {
  const how = Object.entries(args).map(([key, value]) => (plainKeys.has(key) ? value : `${key} ${value}`));
  const span = toMs === undefined ? "" : `for ${shortSpan(toMs - fromMs)}`;
  return [verb, ...how, span].filter((part) => part !== "").join(" ");
}

const plainKeys = new Set(["type", "state", "level", "skew", "answers"]);

/** Causes of one kind that befell several phones at one time: the outage of a village. */
export interface CausesTogether {
  readonly first: Cause;
  /** How many phones more. */
  readonly others: number;
  /** The phones, as `handset events` names them. */
  readonly of: readonly string[];
  readonly rows: number;
}

/** From this number of phones on a cause has one entry for all. */
const leastTogether = 3;
const togetherMs = 60_000;

/** Joins causes that began and ended within a minute of one another on at least three phones. */
export function causesTogether(causes: readonly Cause[]): CausesTogether[] {
  const groups: Cause[][] = [];
  for (const cause of causes) {
    const group = groups.findLast(([first]) => first !== undefined && areTogether(first, cause));
    if (group === undefined) groups.push([cause]);
    else group.push(cause);
  }
  return groups.flatMap((group) => {
    const told = group.length < leastTogether ? group.map((cause) => [cause]) : [group];
    return told.flatMap((some): CausesTogether[] => {
      const [first] = some;
      if (first === undefined) return [];
      const rows = some.reduce((sum, one) => sum + one.rows.length, 0);
      return [{ first, others: some.length - 1, of: some.map(causeOf), rows }];
    });
  });
}

function areTogether(one: Cause, other: Cause): boolean {
  if (one.relayer === undefined || one.verb !== other.verb) return false;
  if (JSON.stringify(one.args) !== JSON.stringify(other.args)) return false;
  const ends = Math.abs((one.toMs ?? one.fromMs) - (other.toMs ?? other.fromMs));
  return Math.abs(one.fromMs - other.fromMs) <= togetherMs && ends <= togetherMs;
}
