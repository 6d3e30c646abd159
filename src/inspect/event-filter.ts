import { LabError } from "../base/index.js";
import { type AttemptOutcome, attemptOutcomes } from "../measure/index.js";
import { parseDuration } from "../scenario/index.js";
import type { RecordedEvent, RecordingReader } from "../store/index.js";
import { decodeEvent, isEventType, isForwarded } from "../wire/index.js";
import { RecordedCast } from "./recorded-cast.js";

/**
 * Outcomes of attempts. An event without attempts is `not-forwarded` if the account does not forward its type, else
 * `untried`.
 */
export const eventOutcomes: readonly (AttemptOutcome | "untried" | "not-forwarded")[] = [
  ...attemptOutcomes,
  "untried",
  "not-forwarded",
];

/** Selects events of a recording: those that match every given option. */
export interface EventFilterOptions {
  /** Handsets: selectors (`clinic/0..4`) or phone numbers; any of them. */
  readonly of?: readonly string[];
  /** People whom the event is about: selectors or phone numbers; any of them. */
  readonly person?: readonly string[];
  readonly type?: readonly string[];
  /** Outcomes of the event's attempts (`eventOutcomes`); any of them. */
  readonly outcome?: readonly string[];
  /** First time, included: virtual (`90m`, `1:30:00`) or an instant with its zone. */
  readonly from?: string;
  /** Last time, included. */
  readonly to?: string;
}

/** Tests events, and says where reading may stop. */
export class EventFilter {
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #outcomes: ReadonlySet<string> | undefined;
  /** By channel: the types that the account forwards; undefined: all. */
  readonly #forwards: ReadonlyMap<number, readonly string[] | undefined>;
  readonly #hasChannel: ((channel: number) => boolean) | undefined;
  readonly #hasPhone: ((phone: string) => boolean) | undefined;

  /** @throws LabError `bad-options` for values that this recording does not know */
  constructor(recording: RecordingReader, options: EventFilterOptions) {
    const { of = [], person = [], type = [], outcome = [], from, to } = options;
    const { startsAtMs } = recording.meta();
    this.#fromMs = from === undefined ? -Infinity : timeOf("--from", from, startsAtMs);
    this.#toMs = to === undefined ? Infinity : timeOf("--to", to, startsAtMs);
    if (this.#fromMs > this.#toMs) {
      throw new LabError("bad-options", `--from ${from} is later than --to ${to}`, { hint: "exchange the two" });
    }
    this.#types = type.length === 0 ? undefined : new Set(type.map((one) => knownType(recording, one)));
    this.#forwards = new Map(Array.from(recording.channels(), ({ id, forwards }) => [id, forwards]));
    this.#outcomes = outcome.length === 0 ? undefined : new Set(outcome.map(knownOutcome));
    if (of.length > 0 || person.length > 0) {
      const cast = new RecordedCast(recording);
      if (of.length > 0) this.#hasChannel = cast.channelTest("--of", of);
      if (person.length > 0) this.#hasPhone = cast.personTest("--person", person);
    }
  }

  /** Whether `matches` needs an event's attempts. */
  get needsAttempts(): boolean {
    return this.#outcomes !== undefined;
  }

  /** Whether no event at this time or later matches. */
  isPast(atMs: number): boolean {
    return atMs > this.#toMs;
  }

  /** @param event - its attempts may be absent unless `needsAttempts` */
  matches(
    event: Pick<RecordedEvent, "atMs" | "channel" | "type" | "body"> & {
      readonly attempts?: readonly { readonly outcome: string }[];
    },
  ): boolean {
    const { atMs, channel, type } = event;
    if (atMs < this.#fromMs || atMs > this.#toMs) return false;
    if (this.#types?.has(type) === false || this.#hasChannel?.(channel) === false) return false;
    if (this.#outcomes !== undefined && !this.#hasOutcome(event, this.#outcomes)) return false;
    return this.#hasPhone === undefined || this.#isAbout(event.body, this.#hasPhone);
  }

  #hasOutcome(
    { channel, type, attempts = [] }: Parameters<EventFilter["matches"]>[0],
    outcomes: ReadonlySet<string>,
  ): boolean {
    if (attempts.length > 0) return attempts.some(({ outcome }) => outcomes.has(outcome));
    return outcomes.has(isForwarded(type, this.#forwards.get(channel)) ? "untried" : "not-forwarded");
  }

  #isAbout(body: string, hasPhone: (phone: string) => boolean): boolean {
    const { event } = decodeEvent(body);
    const phone =
      "pairs" in event ? event.pairs.find(([key]) => key === "phone")?.[1] : "phone" in event ? event.phone : undefined;
    return phone !== undefined && hasPhone(phone);
  }
}

/** The events of a recording that match a filter, in their order. */
export function* filteredEvents(recording: RecordingReader, filter: EventFilter): Generator<RecordedEvent> {
  for (const event of recording.events()) {
    if (filter.isPast(event.atMs)) return;
    if (filter.matches(event)) yield event;
  }
}

function knownType(recording: RecordingReader, type: string): string {
  if (isEventType(type)) return type;
  const types = [...recording.eventsByType().keys()];
  if (types.includes(type)) return type;
  throw new LabError("bad-options", `--type: the recording has no event of the type '${type}'`, {
    hint: types.length === 0 ? "it has no events" : `it has ${types.join(", ")}`,
  });
}

function knownOutcome(outcome: string): string {
  if ((eventOutcomes as readonly string[]).includes(outcome)) return outcome;
  throw new LabError("bad-options", `--outcome: '${outcome}' is unknown`, {
    hint: `write one of ${eventOutcomes.join(", ")}`,
  });
}

/** Virtual milliseconds of a span since the start (`90m`), a clock (`1:30:00.5`) or an instant. */
function timeOf(option: string, text: string, startsAtMs: number): number {
  const spanMs = parseDuration(text);
  if (spanMs !== undefined) return spanMs;
  const clock = /^(\d{1,6}):([0-5]\d):([0-5]\d(?:\.\d{1,3})?)$/.exec(text);
  if (clock !== null) {
    return Math.round((Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3])) * 1000);
  }
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isInstant ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw new LabError("bad-options", `${option}: '${text}' is not a time`, {
      hint: "write virtual time (90m, 1:30:00.500) or an instant with its zone (2026-03-04T07:30:00Z)",
    });
  }
  return ms - startsAtMs;
}
