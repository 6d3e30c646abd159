import { type EventName, eventId, eventKey, Doubles } from "../measure/index.js";
import type { RecordingReader } from "../store/index.js";
import { countOf } from "./number-format.js";

/** A message to a person about one event, one of two. */
interface ToldOnce {
  readonly text: string;
  /** When the service got it: virtual milliseconds. */
  readonly atMs: number;
  /** The event that it answers; undefined: a message by the API, which names none. */
  readonly event: EventName | undefined;
  /** Whether the person's phone has shown it. */
  readonly isHeard: boolean;
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
  const found: Omit<ToldTwice, "type">[] = [];
  const originals = new Map<number, number>();
  const texts = new Map<number, EventName>();
  const copied = new Set<number>();
  let told: ((name: EventName | undefined) => void) | undefined;
  const doubles = new Doubles({ copiesMax: Infinity, onDouble: (event) => told?.(event) });
  for (const { channel, number, type, copy, subject } of recording.eventRows()) {
    const isText = type === "mo_sms" && subject !== null;
    if (copy !== null) {
      originals.set(eventKey({ channel, number }), copy.of);
      doubles.recordCopy({ channel, number }, copy.of);
      if (isText) copied.add(subject);
    }
    if (isText) texts.set(subject, { channel, number });
  }
  const lookup = recording.lookup();
  const isHeard = (message: number): boolean => lookup.hearingsOf(message).length > 0;
  const firsts = new Map<string, { readonly id: number } & Omit<ToldOnce, "isHeard">>();
  const lastTexts = new Map<number, number>();
  for (const { id, direction, contact, phone, origin, replyTo, text, createdAtMs: atMs } of recording.messages()) {
    if (found.length >= most) break;
    if (direction === "I") {
      lastTexts.set(contact, id);
      doubles.recordText(contact, { isCopy: copied.has(id), atMs });
      continue;
    }
    const event = replyTo === null ? undefined : { channel: replyTo.channel, number: replyTo.event };
    const family = event && { ...event, number: originals.get(eventKey(event)) ?? event.number };
    const key = family === undefined ? `${contact} ${text}` : `${contact} ${eventId(family)}`;
    told = () => {
      const { id: firstId, ...first } = firsts.get(key) ?? { id, text, atMs, event };
      const about = family ?? texts.get(lastTexts.get(contact) ?? -1);
      found.push({
        event: about,
        phone,
        first: { ...first, isHeard: isHeard(firstId) },
        second: { text, atMs, event, isHeard: isHeard(id) },
      });
    };
    if (event !== undefined) doubles.recordReply(event, { contact });
    else if (origin === "api") doubles.recordMessage({ contact, text, atMs });
    else continue;
    if (event === undefined || !firsts.has(key)) firsts.set(key, { id, text, atMs, event });
  }
  const typeOf = ({ channel, number }: EventName): string | undefined => lookup.event(channel, number)?.type;
  return found.map((one) => ({ ...one, type: one.event && typeOf(one.event) }));
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
  const unheard = [first, second].filter(({ isHeard }) => !isHeard).length;
  const heard = ["both were heard", "one was heard", "neither was heard so far"][unheard] ?? "";
  return `${about}: ${who} got ${answers} (${heard})`;
}

/** An instant of the run: `01:20:00`. */
function clockText(ms: number): string {
  const pair = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${pair(ms / 3_600_000)}:${pair((ms / 60_000) % 60)}:${pair((ms / 1000) % 60)}`;
}
