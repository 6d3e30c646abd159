import type { RawValue } from "../../scenario/index.js";
import { durationLiteral } from "../../scenario/index.js";
import type { RecordedMessage, RecordingReader, TracedEvent } from "../../store/index.js";
import { formField } from "../../wire/index.js";
import { attemptsOf, type ChainAbout } from "./about.js";
import type { Involved } from "./involved.js";
import type { TimedStep } from "./story.js";

/** Least time in which a message must be heard. */
const WITHIN_MS = 120_000;

/** Most characters of a text in a pattern, because the length of patterns is bounded. */
const PATTERN_TEXT = 300;

/** What the recording contains about the chain's people at its handsets. */
export interface ChainSeen {
  /** Newest first. */
  readonly events: readonly TracedEvent[];
  /** The instant up to which the recording was searched. */
  readonly untilMs: number;
  /** True when the recording goes beyond that instant, so counts up to it do not grow. */
  readonly isFinal: boolean;
}

interface Source {
  readonly reader: RecordingReader;
  readonly about: ChainAbout;
  readonly seen: ChainSeen;
  readonly involved: Involved;
  readonly judgedAtMs: number;
}

/** The recorded results as `expect` steps. */
export function expectationsOf(source: Source): TimedStep[] {
  const { message, events } = source.about;
  if (message !== undefined) return messageExpectations(source, message);
  const last = events.at(-1);
  return last === undefined ? [] : [eventExpectation(source, last)];
}

/** The recorded delivery failures as `expect` bounds of the run. */
export function boundsOf(reader: RecordingReader, { events }: ChainAbout): string[] {
  const counts = new Map<string, number>();
  for (const event of events) {
    for (const { outcome } of attemptsOf(reader, [event])) {
      const metric = `attempts.${outcome}{type=${event.type}}`;
      if (outcome !== "accepted") counts.set(metric, (counts.get(metric) ?? 0) + 1);
    }
  }
  return [...counts].map(([metric, count]) => `${metric} >= ${count}`);
}

function messageExpectations({ reader, seen, involved, judgedAtMs }: Source, message: RecordedMessage): TimedStep[] {
  const [{ handset, person }] = involved.ends;
  if (person === undefined) return [];
  const hears = { person: person.name, hears: patternOf(message.text) };
  const hearings = reader.lookup().hearingsOf(message.id);
  const [heardAtMs] = hearings;
  if (heardAtMs !== undefined) {
    // The result can come long after the message was heard: a message also changes when its contact is deleted.
    const within = Math.max(WITHIN_MS, Math.ceil((judgedAtMs - message.createdAtMs) / 60_000) * 60_000);
    const atMs = Math.max(0, judgedAtMs - within);
    const count: Readonly<Record<string, RawValue>> =
      hearings.length > 1 && seen.isFinal ? { count: String(hearings.length) } : {};
    return [expecting({ ...hears, within: durationLiteral(within), ...count }, atMs)];
  }
  const sent = seen.events.filter(({ type, subject }) => type === "mt_sent" && subject === message.id).length;
  return [
    ...(isToNobody(reader, message) ? [] : [expecting({ ...hears, "at-most": "0" }, judgedAtMs)]),
    ...(sent > 0 ? [expecting({ event: "mt_sent", of: handset.name, "at-least": String(sent) }, judgedAtMs)] : []),
  ];
}

/**
 * Whether nobody in the recording has the message's number. A step that names the number would add a person who has
 * it.
 */
export function isToNobody(reader: RecordingReader, { id }: Pick<RecordedMessage, "id">): boolean {
  return reader
    .lookup()
    .lossesOf(id)
    .some(({ cause }) => cause === "no-such-person");
}

function eventExpectation({ about, seen, involved, judgedAtMs }: Source, last: TracedEvent): TimedStep {
  const { type } = last;
  const fields = (["phone", "text"] as const).flatMap((field) => {
    const value = formField(last.body, field);
    return value === undefined || value === "" ? [] : [[field, value] as const];
  });
  const isSame = (event: TracedEvent): boolean =>
    event.type === type && fields.every(([field, value]) => formField(event.body, field) === value);
  const count = Math.max(about.events.filter((event) => event.type === type).length, seen.events.filter(isSame).length);
  const wanted = {
    event: type,
    of: involved.ends[0].handset.name,
    ...(fields.length > 0 && {
      where: Object.fromEntries(fields.map(([field, value]) => [field, field === "phone" ? value : patternOf(value)])),
    }),
    count: seen.isFinal && type !== "alarm" ? String(count) : `>= ${count}`,
  };
  return expecting(wanted, judgedAtMs);
}

function expecting(wanted: Readonly<Record<string, RawValue>>, atMs: number): TimedStep {
  return { atMs, rank: 3, step: { expect: wanted } };
}

/** A pattern that matches exactly this text, or its beginning. */
function patternOf(text: string): string {
  // Does not cut a surrogate pair in half.
  const shown = text.slice(0, PATTERN_TEXT).replace(/[\uD800-\uDBFF]$/, "");
  const end = shown === text ? "$" : "";
  return `/^${shown.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}${end}/`;
}
