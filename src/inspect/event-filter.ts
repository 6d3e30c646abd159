import { LabError } from "../base/index.js";
import { type AttemptOutcome, attemptOutcomes } from "../measure/index.js";
import { affectedEvents, type AffectedKind } from "../report/index.js";
import { parseDuration } from "../scenario/index.js";
import {
  type EventSelection,
  NOT_FORWARDED,
  type RecordedEvent,
  type RecordingReader,
  UNTRIED,
} from "../store/index.js";
import { isEventType } from "../wire/index.js";
import { RecordedCast } from "./recorded-cast.js";

/**
 * Outcomes of attempts. An event without attempts is `not-forwarded` if the account does not forward its type, else
 * `untried`.
 */
export const eventOutcomes: readonly (AttemptOutcome | typeof UNTRIED | typeof NOT_FORWARDED)[] = [
  ...attemptOutcomes,
  UNTRIED,
  NOT_FORWARDED,
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
  /** What is wrong with the events; any of it. */
  readonly affected?: readonly AffectedKind[];
  /** From when on an event of the affected kind `late` is late, in milliseconds; default: see `lateEvents`. */
  readonly lateMs?: number;
  /** First time, included: virtual (`90m`, `1:30:00`) or an instant with its zone. */
  readonly from?: string;
  /** Last time, included. */
  readonly to?: string;
}

/** A validated filter of one recording's events. */
export class EventFilter {
  /** What the store selects. */
  readonly selection: EventSelection;

  /** @throws LabError `bad-options` for values that this recording does not know */
  constructor(recording: RecordingReader, options: EventFilterOptions) {
    const { of = [], person = [], type = [], outcome = [], affected = [], lateMs, from, to } = options;
    const { startsAtMs } = recording.meta();
    const fromMs = from === undefined ? undefined : virtualTimeOf("--from", from, startsAtMs);
    const toMs = to === undefined ? undefined : virtualTimeOf("--to", to, startsAtMs);
    if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
      throw new LabError("bad-options", `--from ${from} is later than --to ${to}`, { hint: "swap the two times" });
    }
    const types = type.map((one) => knownType(recording, one));
    const outcomes = outcome.map(knownOutcome);
    const cast = of.length === 0 && person.length === 0 ? undefined : new RecordedCast(recording);
    this.selection = {
      fromMs,
      toMs,
      ...(types.length > 0 && { types }),
      ...(outcomes.length > 0 && { outcomes }),
      ...(affected.length > 0 && {
        events: new Set(affected.flatMap((kind) => [...affectedEvents(recording, kind, { lateMs })])),
      }),
      ...(of.length > 0 && { channels: cast?.channelsOf("--of", of) }),
      ...(person.length > 0 && { phone: cast?.phonesOf("--person", person) }),
    };
  }
}

/** The events of a recording that match a filter, in their order. */
export function filteredEvents(recording: RecordingReader, { selection }: EventFilter): Generator<RecordedEvent> {
  return recording.events(selection);
}

/** @throws LabError `bad-options` if neither the service nor the recording has the event type */
export function knownType(recording: RecordingReader, type: string): string {
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

/**
 * Virtual milliseconds of a span since the start (`90m`), a clock (`1:30:00.5`) or an instant with its zone.
 *
 * @param option - name of the command's option, for messages
 * @throws LabError `bad-options`
 */
export function virtualTimeOf(option: string, text: string, startsAtMs: number): number {
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
