import { eventKey } from "../../measure/index.js";
import type { RecordingReader } from "../../store/index.js";
import { formField } from "../../wire/index.js";
import type { AttemptTraits } from "./event-traits.js";

/** Clocks of two attempts that only touch are not together. Wall milliseconds. */
const TOUCH_MS = 0.05;

interface Span {
  readonly key: number;
  readonly person: number | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What the attempts of each event were like, by `eventKey`. Events without any of these traits are absent. */
export function attemptTraits(recording: RecordingReader): ReadonlyMap<number, AttemptTraits> {
  const people = peopleOf(recording);
  const spans: Span[] = [];
  const repeated = new Set<number>();
  for (const attempt of recording.attemptMeasures()) {
    const key = eventKey(attempt);
    if (attempt.try > 1) repeated.add(key);
    const { sentWallMs, durationMs } = attempt;
    if (sentWallMs === null) continue;
    spans.push({ key, person: people.get(key), fromMs: sentWallMs, toMs: sentWallMs + durationMs });
  }
  spans.sort((a, b) => a.fromMs - b.fromMs);
  const beside = new Set<number>();
  const besideOwn = new Set<number>();
  let longest: Span | undefined;
  const longestOf = new Map<number, Span>();
  for (const span of spans) {
    longest = meet(longest, span, beside);
    if (span.person !== undefined) longestOf.set(span.person, meet(longestOf.get(span.person), span, besideOwn));
  }
  const keys = new Set([...repeated, ...beside, ...besideOwn]);
  return new Map(
    Array.from(keys, (key) => [
      key,
      { isBeside: beside.has(key), isBesideOwn: besideOwn.has(key), isRepeated: repeated.has(key) },
    ]),
  );
}

/** Notes two spans of different events that overlap. @returns the one that ends later */
function meet(before: Span | undefined, span: Span, found: Set<number>): Span {
  if (before === undefined) return span;
  if (before.toMs - TOUCH_MS > span.fromMs && before.key !== span.key) {
    found.add(before.key);
    found.add(span.key);
  }
  return before.toMs > span.toMs ? before : span;
}

/** A number for the person of each event that is about one. */
function peopleOf(recording: RecordingReader): Map<number, number> {
  const numbers = new Map<string, number>();
  const people = new Map<number, number>();
  for (const event of recording.eventRows()) {
    const phone = formField(event.body, "phone");
    if (phone === undefined) continue;
    let number = numbers.get(phone);
    if (number === undefined) numbers.set(phone, (number = numbers.size));
    people.set(eventKey(event), number);
  }
  return people;
}
