import { Buffer } from "node:buffer";
import type { RecordingReader } from "../../store/index.js";

/** How an attempt ended, as far as the service is concerned. */
export interface EndedAttempt {
  readonly channel: number;
  /** The event's number within the channel. */
  readonly number: number;
  readonly try: number;
  readonly dueAtMs: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly error: string | null;
}

/** The first attempt that did not end the same in two runs in lockstep. */
export interface AttemptDifference {
  /** Null: this run made no such attempt then. */
  readonly one: EndedAttempt | null;
  readonly other: EndedAttempt | null;
}

type AttemptSource = Pick<RecordingReader, "attempts">;
type Attempt = ReturnType<RecordingReader["attempts"]> extends Generator<infer T> ? T : never;

/**
 * Compares the attempts of two runs in lockstep, in which effects have one order.
 *
 * @param untilMs - virtual time up to which effects count: that of the first event that differs
 * @returns undefined when all of them ended the same
 */
export function firstAttemptDifference(
  one: AttemptSource,
  other: AttemptSource,
  untilMs: number,
): AttemptDifference | undefined {
  const [left, right] = [inEffectOrder(one, untilMs), inEffectOrder(other, untilMs)];
  for (;;) {
    const [a, b] = [nextOf(left), nextOf(right)];
    if (a === undefined && b === undefined) return undefined;
    const order = a === undefined ? 1 : b === undefined ? -1 : effectOrder(a, b);
    if (order !== 0) return { one: order < 0 ? ended(a) : null, other: order < 0 ? null : ended(b) };
    if (a !== undefined && b !== undefined && !endsTheSame(a, b)) return { one: ended(a), other: ended(b) };
  }
}

/** The attempts of a recording; those of one instant by event. A joined recording has them in the order of its parts. */
function* inEffectOrder(source: AttemptSource, untilMs: number): Generator<Attempt> {
  let instant: Attempt[] = [];
  for (const attempt of source.attempts()) {
    if (attempt.effectAtMs > untilMs) break;
    if (instant[0] !== undefined && attempt.effectAtMs !== instant[0].effectAtMs) {
      yield* instant.toSorted(effectOrder);
      instant = [];
    }
    instant.push(attempt);
  }
  yield* instant.toSorted(effectOrder);
}

function nextOf(attempts: Generator<Attempt>): Attempt | undefined {
  const { done, value } = attempts.next();
  return done === true ? undefined : value;
}

function effectOrder(a: Attempt, b: Attempt): number {
  return a.effectAtMs - b.effectAtMs || a.channel - b.channel || a.number - b.number || a.try - b.try;
}

function endsTheSame(a: Attempt, b: Attempt): boolean {
  if (a.outcome !== b.outcome || a.status !== b.status || a.error !== b.error) return false;
  return Buffer.compare(a.body ?? NOTHING, b.body ?? NOTHING) === 0;
}

const NOTHING = new Uint8Array();

function ended(attempt: Attempt | undefined): EndedAttempt | null {
  if (attempt === undefined) return null;
  const { channel, number, try: tryNumber, dueAtMs, outcome, status, error } = attempt;
  return { channel, number, try: tryNumber, dueAtMs, outcome, status, error };
}
