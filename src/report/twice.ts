import { type EventName, eventId, eventKey } from "../measure/index.js";
import type { RecordedMessage, RecordingReader } from "../store/index.js";
import { countOf } from "./number-format.js";
import { DoubleFinder } from "./receiver-behaviour.js";

/** A message to a person about one event, one of two. */
interface ToldOnce {
  readonly text: string;
  /** When the service got it: virtual milliseconds. */
  readonly atMs: number;
  /** The event that it answers; undefined: a message by the API, which names none. */
  readonly event: EventName | undefined;
  /** Whether the person's phone has shown it; undefined: of a replay, which sends no messages. */
  readonly isHeard: boolean | undefined;
}

/** A person to whom two messages tell of one event. */
export interface ToldTwice {
  /** The event, or the person's last text before two messages by the API; undefined: not known. */
  readonly event: EventName | undefined;
  /** Its type. */
  readonly type: string | undefined;
  readonly phone: string;
  readonly first: ToldOnce;
  readonly second: ToldOnce;
}

/** The first doubles of a recording (docs/measurement.md#doubles) with both messages, in order of time. */
export function toldTwice(recording: RecordingReader, most: number): ToldTwice[] {
  const found: { readonly about: EventName | number | undefined; readonly second: RecordedMessage }[] = [];
  const finder = new DoubleFinder((about, second) => {
    if (found.length < most) found.push({ about, second });
  });
  const originals = new Map<number, number>();
  const texts = new Map<number, EventName>();
  for (const { channel, number, type, copy, subject } of recording.eventRows()) {
    const isText = type === "mo_sms" && subject !== null;
    if (copy !== null) {
      originals.set(eventKey({ channel, number }), copy.of);
      finder.addCopy({ channel, number }, copy.of, isText ? subject : null);
    }
    if (isText) texts.set(subject, { channel, number });
  }
  for (const attempt of recording.attemptMeasures()) finder.addAttempt(attempt);
  finder.addMessages(recording);
  const familyOf = (message: RecordedMessage): EventName | undefined => {
    const event = answeredBy(message);
    return event && { ...event, number: originals.get(eventKey(event)) ?? event.number };
  };
  const lookup = recording.lookup();
  const told = (message: RecordedMessage): ToldOnce => ({
    text: message.text,
    atMs: message.createdAtMs,
    event: answeredBy(message),
    isHeard: lookup.hearingsOf(message.id).length > 0,
  });
  return found.map(({ about, second }) => {
    const family = familyOf(second);
    const first = firstOf(recording, second, (one) =>
      family === undefined ? one.origin === "api" && one.text === second.text : keyOf(familyOf(one)) === keyOf(family),
    );
    const event = family ?? (typeof about === "number" ? texts.get(about) : about);
    const type = event && lookup.event(event.channel, event.number)?.type;
    return { event, type, phone: second.phone, first: told(first ?? second), second: told(second) };
  });
}

/** The message to the same person before another one: the first of an event's answers, else the latest. */
function firstOf(
  recording: RecordingReader,
  second: RecordedMessage,
  isMeant: (message: RecordedMessage) => boolean,
): RecordedMessage | undefined {
  let first: RecordedMessage | undefined;
  for (const message of recording.messages()) {
    if (message.id === second.id) break;
    if (message.contact !== second.contact || message.direction !== "O" || !isMeant(message)) continue;
    if (second.replyTo === null || first === undefined) first = message;
  }
  return first;
}

function answeredBy({ replyTo }: RecordedMessage): EventName | undefined {
  return replyTo === null ? undefined : { channel: replyTo.channel, number: replyTo.event };
}

function keyOf(event: EventName | undefined): number {
  return event === undefined ? -1 : eventKey(event);
}

/** People whom the text of `toldTwiceText` names. */
export const TOLD_TWICE_MAX = 3;

/**
 * The doubles of a run in words, for the expectation `never-twice`.
 *
 * @param options - `count`: of all of them; `path`: of the recording; `nameOf`: the selector of a person with a number
 */
export function toldTwiceText(
  told: readonly ToldTwice[],
  options: {
    readonly count: number;
    readonly path: string | null;
    readonly nameOf: (phone: string) => string | undefined;
  },
): string {
  const { count, path, nameOf } = options;
  const all = `${countOf(count, "message tells", "messages tell")} a person twice of one event`;
  const [one] = told;
  if (one === undefined) return all;
  const shown = told.map((one) => sentence(one, nameOf));
  const more = count > told.length ? [`and ${count - told.length} more`] : [];
  const whole = `${all}: ${[...shown, ...more].join("; ")}`;
  if (path === null || path === ":memory:") return whole;
  const why = one.event === undefined ? "" : `, handset why ${path} ${eventId(one.event)} tells how`;
  return `${whole}. handset events ${path} --doubles lists the events${why}`;
}

function sentence({ event, type, phone, first, second }: ToldTwice, nameOf: (phone: string) => string | undefined) {
  const name = nameOf(phone);
  const who = name === undefined ? phone : `${name} (${phone})`;
  const about = event === undefined ? "nothing that is known" : `event ${eventId(event)} (${type ?? "unknown"})`;
  const ofCopy =
    second.event !== undefined && event !== undefined && eventKey(second.event) !== eventKey(event)
      ? ` to its copy ${eventId(second.event)}`
      : "";
  const via = second.event === undefined ? " by the API" : "";
  const same = first.text === second.text;
  const answers =
    `“${first.text}”${via} at ${clockText(first.atMs)}, and ` +
    `${same ? "the same" : `“${second.text}”`}${ofCopy}${via} at ${clockText(second.atMs)}`;
  const unheard = [first, second].filter(({ isHeard }) => isHeard === false).length;
  const heard = ["both were heard", "one was heard", "neither was heard so far"][unheard] ?? "";
  if (first.isHeard === undefined) return `${about}: the answers are to send ${who} ${answers}`;
  return `${about}: ${who} got ${answers} (${heard})`;
}

/** An instant of the run: `01:20:00`. */
function clockText(ms: number): string {
  const pair = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${pair(ms / 3_600_000)}:${pair((ms / 60_000) % 60)}:${pair((ms / 1000) % 60)}`;
}
