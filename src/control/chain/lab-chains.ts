import type { Chain, Resent } from "../../console/index.js";
import { postedHeaders } from "../../http/index.js";
import { type ChainScenario, chainScenario, scenarioOf } from "../../inspect/index.js";
import { findSubject, lifeOf, type OpenTry } from "../../report/index.js";
import { NOT_KEPT } from "../../scenario/index.js";
import {
  type EventLog,
  LOG_SCAN_ROWS,
  type LoggedEvent,
  type RecordedAttempt,
  type Recording,
  type RecordingReader,
  type TracedEvent,
} from "../../store/index.js";
import type { LabNames } from "../lab-names.js";
import { refuseUnknown } from "./refuse-unknown.js";
import { chainJson, type ChainSource } from "./chain-json.js";
import type { ControlParts } from "../control-parts.js";
import { resendByHand } from "./resend.js";

/** Most events of a handset that are searched for a chain's scenario, newest first. */
const EVENTS_MAX = 20_000;

/**
 * Traces causes and effects of events and messages of a lab, exports them as a scenario, and resends events. An id is
 * an event's (`3/17`), or the number of a message or call.
 */
export class LabChains {
  readonly #parts: ControlParts;
  readonly #names: LabNames;
  /** Cache of each recording's headers: parsing its scenario takes longer than reading a chain. */
  readonly #headers = new WeakMap<Recording, Readonly<Record<string, string>>>();

  constructor(parts: ControlParts, names: LabNames) {
    this.#parts = parts;
    this.#names = names;
  }

  /** Its causes and effects. @throws ControlRefusal 404 */
  chain(id: string): Chain {
    const reader = this.#reader();
    return refuseUnknown(() => {
      const life = lifeOf(reader, id, (phone) => this.#nameOf(phone), {
        openTryOf: (event) => this.#openTryOf(reader, event),
      });
      return chainJson(this.#source(reader), life, findSubject(reader, id));
    });
  }

  /** A scenario that reproduces the steps that led to it. @throws ControlRefusal 404; 409 if none can be made */
  scenarioOf(id: string): ChainScenario {
    const reader = this.#reader();
    const { lab, log } = this.#parts.lab();
    return refuseUnknown(() =>
      chainScenario(reader, {
        id,
        reachedMs: lab.nowMs,
        eventsOf: (channel, isWanted) => newestEvents({ log, reader, channel }, isWanted),
      }),
    );
  }

  /** Sends an event again, as one more attempt. @throws ControlRefusal 400, 404, 409 */
  resend(id: string): Resent {
    const reader = this.#reader();
    return refuseUnknown(() =>
      resendByHand({ served: this.#parts.lab(), parts: this.#parts, names: this.#names, reader, id }),
    );
  }

  /** The reader shares the writer's connection, so it also reads uncommitted rows. */
  #reader(): RecordingReader {
    const { recording } = this.#parts.lab();
    recording.flush();
    return recording.reader();
  }

  #openTryOf(reader: RecordingReader, event: TracedEvent): OpenTry | undefined {
    const { lab, log, recording } = this.#parts.lab();
    const retry = lab.retryOf(event);
    const last = reader.attemptsOf(event.channel, event.number).at(-1);
    if (retry !== undefined && last !== undefined) {
      return { try: retry.try, afterMs: lab.nowMs >= retry.dueAtMs ? null : retry.dueAtMs - last.dueAtMs };
    }
    const isFirst = last === undefined && log.isPosted(event) && !recording.isSettled(event.row);
    return isFirst && !lab.hasEnded ? { try: 1, afterMs: null } : undefined;
  }

  #nameOf(phone: string): string | undefined {
    const { selector, name } = this.#names.person(phone);
    return name ?? selector ?? undefined;
  }

  #source(reader: RecordingReader): ChainSource {
    const { receiver } = this.#parts;
    const scenario = this.#parts.scenario();
    const names = this.#names;
    const { lab, recording } = this.#parts.lab();
    const { startsAtMs, startedWallMs, options } = reader.meta();
    const originWallMs = Date.now() - lab.pipeline.senderMs;
    return {
      recording: reader,
      names,
      startsAtMs,
      wallOf({ sentWallMs, dueAtMs }) {
        if (sentWallMs === null) return null;
        if (dueAtMs >= lab.beganAtMs) return originWallMs + sentWallMs;
        // The clock of a run starts with its recording. The database does not record when an earlier server's clock
        // started.
        return options["pace"] === "served" ? null : startedWallMs + sentWallMs;
      },
      isOpen: (event) => this.#openTryOf(reader, event) !== undefined,
      headersOf: ({ url, body, attempt }) =>
        postedHeaders({
          url,
          body,
          headers: this.#keptHeaders(recording, reader),
          headersFor: receiver(),
          own: scenario.receiver?.marks === true ? marksOf(attempt) : {},
        }),
    };
  }

  /** The scenario's headers, with placeholders for values that the recording does not keep. */
  #keptHeaders(recording: Recording, reader: RecordingReader): Readonly<Record<string, string>> {
    let headers = this.#headers.get(recording);
    if (headers === undefined) {
      const kept = scenarioOf(reader.meta(), recording.path).receiver?.headers ?? {};
      const names = Object.keys(this.#parts.scenario().receiver?.headers ?? {});
      headers = Object.fromEntries(names.map((name) => [name, kept[name] ?? NOT_KEPT]));
      this.#headers.set(recording, headers);
    }
    return headers;
  }
}

/** The newest events of a channel, at most `EVENTS_MAX`. */
function* newestEvents(
  { log, reader, channel }: { log: EventLog; reader: RecordingReader; channel: number },
  isWanted: (event: LoggedEvent) => boolean,
): Generator<TracedEvent> {
  let below = Number.MAX_SAFE_INTEGER;
  for (let seen = 0; seen < EVENTS_MAX;) {
    const events = log.scan({ by: "channel", value: channel, above: 0, below, direction: "older" });
    for (const event of events) {
      const traced = isWanted(event) ? reader.lookup().event(channel, event.number) : undefined;
      if (traced !== undefined) yield traced;
    }
    seen += events.length;
    below = events.at(-1)?.row ?? 0;
    if (events.length < LOG_SCAN_ROWS) return;
  }
}

/** The headers by which a receiver recognises attempts (`receiver: marks`). */
function marksOf({ channel, number, try: tryNumber, dueAtMs, isRepeat }: RecordedAttempt): Record<string, string> {
  return {
    "x-handset-event": `${channel}/${number}`,
    "x-handset-attempt": String(tryNumber),
    "x-handset-time": String(dueAtMs),
    ...(isRepeat && { "x-handset-repeat": "1" }),
  };
}
