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
export function causeShares({ day, causes, unexplained }: InferredDay): CauseShare[] {
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
