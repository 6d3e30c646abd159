import type { RecordingReader } from "../../store/index.js";

/** The fields by which events of two recordings are compared. */
export interface ComparedEvent {
  readonly atMs: number;
  readonly channel: number;
  readonly number: number;
  readonly type: string;
  readonly body: string;
}

/** The first place where the events of two recordings differ. */
export interface Difference {
  /** Number of equal events before it. */
  readonly after: number;
  /** Null when this recording has no more events. */
  readonly one: ComparedEvent | null;
  readonly other: ComparedEvent | null;
}

/**
 * Reads two recordings in the order of the digest.
 * @returns undefined when all events are the same
 */
export function firstDifference(one: RecordingReader, other: RecordingReader): Difference | undefined {
  const [left, right] = [one.eventRows(), other.eventRows()];
  for (let after = 0; ; after++) {
    const [a, b] = [left.next(), right.next()];
    if (a.done === true && b.done === true) return undefined;
    const [x, y] = [a.done === true ? null : comparedEvent(a.value), b.done === true ? null : comparedEvent(b.value)];
    if (x === null || y === null || !isSame(x, y)) return { after, one: x, other: y };
  }
}

function comparedEvent({ atMs, channel, number, type, body }: ComparedEvent): ComparedEvent {
  return { atMs, channel, number, type, body };
}

function isSame(a: ComparedEvent, b: ComparedEvent): boolean {
  return a.atMs === b.atMs && a.channel === b.channel && a.number === b.number && a.body === b.body;
}
