import type { RecordedAttempt } from "../recording/rows.js";
import type { RowSource } from "./row-source.js";
import { listIn } from "./select.js";

type AttemptTuple = readonly [
  row: number,
  channel: number,
  number: number,
  tryNumber: number,
  target: number | null,
  dueAtMs: number,
  effectAtMs: number,
  sentWallMs: number | null,
  durationMs: number,
  latencyMs: number,
  status: number | null,
  error: string | null,
  outcome: RecordedAttempt["outcome"],
  headers: string | null,
  head: number | null,
  body: Uint8Array | null,
  bodyBytes: number,
  redirects: string | null,
  latenessMs: number | null,
  isRepeat: number,
  step: number | null,
];

const columns = `row, channel, number, try, target, due_at_ms, effect_at_ms, sent_wall_ms, duration_ms, latency_ms, status,
  error, outcome, headers, head, body, body_bytes, redirects, lateness_ms, is_repeat, step`;

const selectAll = `SELECT ${columns} FROM attempt WHERE row > ? ORDER BY row LIMIT ?`;

const selectOfChannels = `SELECT ${columns} FROM attempt
  WHERE row > ? AND +channel IN (SELECT value FROM json_each(?)) ORDER BY row LIMIT ?`;

/**
 * All attempts in the order in which they were recorded. Tuples, with the texts of the dictionaries read once each, take half
 * the time of objects whose columns SQLite looks up in every row.
 *
 * @param options - `afterRow`: the first ones are left out; `channels`: only theirs; `urlOf`: the URL of a target
 */
export function* readAttempts(
  source: RowSource,
  options: {
    readonly afterRow: number;
    readonly channels: ReadonlySet<number> | undefined;
    readonly urlOf: (target: number | null) => string;
  },
): Generator<RecordedAttempt> {
  const { afterRow, channels, urlOf } = options;
  const heads = new Map<number, string | null>();
  const linesOf = (head: number): string | null => {
    let lines = heads.get(head);
    if (lines === undefined) {
      lines = source.value<string>("SELECT lines FROM head WHERE row = ?", head) ?? null;
      heads.set(head, lines);
    }
    return lines;
  };
  const pages =
    channels === undefined
      ? source.tuplesAfter<AttemptTuple>(selectAll, afterRow)
      : source.tuplesAfter<AttemptTuple>(selectOfChannels, afterRow, JSON.stringify([...channels]));
  for (const page of pages) {
    for (const tuple of page) {
      const [row, channel, number, tryNumber, target, dueAtMs, effectAtMs, sentWallMs, durationMs, latencyMs] = tuple;
      const [, , , , , , , , , , status, error, outcome, headers, head, body, bodyBytes, redirects] = tuple;
      yield {
        row,
        channel,
        number,
        try: tryNumber,
        url: urlOf(target),
        dueAtMs,
        effectAtMs,
        sentWallMs,
        durationMs,
        latencyMs,
        status,
        error,
        outcome,
        headers: headers ?? (head === null ? null : linesOf(head)),
        body,
        bodyBytes,
        redirects: redirects === null ? noRedirects : source.read(() => listIn<string>(redirects)),
        latenessMs: tuple[18],
        isRepeat: tuple[19] === 1,
        step: tuple[20],
      };
    }
  }
}

const noRedirects: readonly string[] = [];
