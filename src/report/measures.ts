import {
  HostPressure,
  LATE_MS,
  type LoadModel,
  type Measurements,
  Meter,
  type Outage,
  Outages,
  type Percentiles,
  PersonOrder,
  type Punctuality,
  Repeats,
  TroubleEffects,
  shiftOutage,
  type Tags,
  type Trend,
  groupOf,
} from "../measure/index.js";
import type { RecordingReader } from "../store/index.js";
import { isForwarded } from "../wire/index.js";
import type { LateEvents } from "./common/index.js";
import { type ReceiverBehaviour, DoubleFinder } from "./receiver-behaviour.js";
import {
  type CommandEnd,
  factsOf,
  type Finding,
  type FindingFacts,
  findingsOf,
  type HostMeasures,
  type CommonOf,
  type SpecialOf,
} from "./findings/index.js";
import { replyOutcomesOf } from "./recorded-replies.js";

/** The measures of one event type, or of one group of handsets. */
export interface BreakdownMeasures {
  readonly events: number;
  readonly attempts: number;
  /** As `RunResult.latencyMs`. */
  readonly latencyMs: Percentiles;
  /** As `RunResult.serviceMs`. */
  readonly serviceMs?: Percentiles;
}

/** The measures of a run: what `RunResult` has in addition to its pinned numbers. Plain JSON. */
export interface Measures {
  readonly model: LoadModel;
  /** The generator was late: more than 1 % of the attempts were made over 100 ms after their due time. */
  readonly fellBehind: boolean;
  /** Open model only: how closely the run kept to its schedule. */
  readonly punctuality?: Punctuality;
  readonly byType: Readonly<Record<string, BreakdownMeasures>>;
  /** By the names of the groups of handsets. */
  readonly byGroup: Readonly<Record<string, BreakdownMeasures>>;
  /** Answers by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Attempts without a usable answer, by code. */
  readonly errors: Readonly<Record<string, number>>;
  /** Attempts beyond the first of an event. */
  readonly retries: number;
  /** Bytes of bodies: `out` in the requests written, `in` in the answers. */
  readonly bytes: { readonly out: number; readonly in: number };
  /**
   * Wall milliseconds from the due time of a person's text to the receiver's message to that person. Absent in
   * lockstep.
   */
  readonly roundTripMs?: Percentiles;
  /** Lockstep only: the same in virtual milliseconds. */
  readonly roundTripVirtualMs?: Percentiles;
  /**
   * Incoming texts that were posted to the receiver: `matched`: with an effect; `waiting`: without an effect by the
   * end; `forgotten`: dropped from the full table of waiting texts (absent when none was).
   */
  readonly roundTrips: { readonly matched: number; readonly waiting: number; readonly forgotten?: number };
  /** Number of messages that answer an event, or a copy of it, for the second time. */
  readonly doubles: number;
  /** How busy other programs kept this machine. */
  readonly host: HostMeasures;
  /** The growth of the service time; `none` when it does not grow; absent when too little was measured. */
  readonly trend?: Trend | "none";
  /** Events that were accepted after a later event of the same person. */
  readonly reordered: number;
  /** Worst first. */
  readonly findings: readonly Finding[];
  /**
   * Periods in which a receiver that had answered before did not answer, in milliseconds since the start of the run:
   * virtual time in lockstep, else wall time. Absent when there were none.
   */
  readonly outages?: readonly Outage[];
}

/** Facts about a run that its meter does not have. */
export interface MeasuredRun {
  readonly model: LoadModel;
  /** Incoming texts that were posted to the receiver. */
  readonly texts: number;
  /** Number of these texts that were dropped from the table before an effect. */
  readonly forgotten?: number;
  readonly behaviour: ReceiverBehaviour;
  /** Load of other programs; absent when it was not measured, and the machine counts as not busy. */
  readonly host?: HostPressure;
  /** Steps of the story that change the receiver's answers. */
  readonly receiverSteps?: number;
  /** Absent when no command was started as the receiver, or it did not end by itself. */
  readonly commandEnd?: CommandEnd | undefined;
  /** Absent: nothing is known of it. */
  readonly specialOf?: SpecialOf | undefined;
  /** Absent: nothing is known of it. */
  readonly commonOf?: CommonOf | undefined;
  /** Absent: not known. */
  readonly late?: LateEvents | undefined;
  /** The run still plays. */
  readonly isPlaying?: boolean;
}

/** The measures of a run. */
export function measuresOf(meter: Meter, options: MeasuredRun): Measures {
  const { model, behaviour } = options;
  const facts = findingFacts(meter, options);
  const all = meter.total();
  const punctuality = meter.schedule.punctuality();
  const roundTrip = all.roundTrip.percentiles();
  const part = (tags: Tags): BreakdownMeasures => breakdownOf(meter.total(tags), model);
  return {
    model,
    fellBehind: punctuality.fellBehind,
    ...(model === "open" && { punctuality }),
    byType: Object.fromEntries(meter.types.map((type) => [type, part({ type })])),
    byGroup: Object.fromEntries(meter.groups.map((group) => [group, part({ group })])),
    statuses: Object.fromEntries([...all.statuses].toSorted(([a], [b]) => a - b)),
    errors: Object.fromEntries([...all.errors].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))),
    retries: all.retries,
    bytes: { out: all.bytesOut, in: all.bytesIn },
    ...(model === "lockstep" ? { roundTripVirtualMs: roundTrip } : { roundTripMs: roundTrip }),
    roundTrips: roundTripsOf(all.roundTrip.count, options),
    doubles: behaviour.doubles.count,
    host: facts.host,
    trend: facts.trend,
    reordered: behaviour.order.count,
    findings: findingsOf(facts),
    ...outagesOf(facts),
  };
}

function outagesOf({ outages, beginsMs }: FindingFacts): Pick<Measures, "outages"> {
  return outages.length === 0 ? {} : { outages: outages.map((outage) => shiftOutage(outage, -beginsMs)) };
}

/** The findings of a run that may still play. Computes no other measures, which take longer. */
export function findingsSoFar(meter: Meter, options: MeasuredRun): Finding[] {
  return findingsOf(findingFacts(meter, options));
}

function findingFacts(meter: Meter, options: MeasuredRun): FindingFacts {
  const { model, behaviour, host = new HostPressure(), receiverSteps = 0 } = options;
  const { commandEnd, specialOf = () => [], commonOf = () => [], late, isPlaying = false } = options;
  const roundTrips = roundTripsOf(meter.total().roundTrip.count, options);
  const { fellBehind } = meter.schedule.punctuality();
  const own = { model, host, fellBehind, roundTrips, receiverSteps, commandEnd, specialOf, commonOf, late, isPlaying };
  return factsOf(meter, behaviour, own);
}

function roundTripsOf(matched: number, { texts, forgotten = 0 }: MeasuredRun): Measures["roundTrips"] {
  return { matched, waiting: texts - matched - forgotten, ...(forgotten > 0 && { forgotten }) };
}

function breakdownOf(cell: Measurements, model: LoadModel): BreakdownMeasures {
  return {
    events: cell.events,
    attempts: cell.attempts,
    latencyMs: cell.delivery.percentiles(),
    ...(model === "open" && { serviceMs: cell.service.percentiles() }),
  };
}

/** The sentence about a run that fell behind its schedule; undefined for a run that kept to it. */
export function fellBehindText({
  fellBehind,
  lateShare,
  seconds,
  lateSeconds,
  worst,
}: Punctuality): string | undefined {
  if (!fellBehind) return undefined;
  const share = `${lateShare < 0.1 ? (100 * lateShare).toFixed(1) : Math.round(100 * lateShare)}%`;
  const at = worst === null ? "" : `, at worst by ${(worst.latenessMs / 1000).toFixed(1)} s in second ${worst.atS + 1}`;
  return (
    `the run fell behind its schedule: ${share} of the attempts were made more than ${LATE_MS} ms late, ` +
    `in ${lateSeconds} of ${seconds} seconds${at}; delivery times include this delay, service times do not`
  );
}

/** The load model of a recorded run, from its pace. */
export function loadModelOf(recording: RecordingReader): LoadModel {
  const { pace } = recording.meta().options;
  if (pace === "lockstep") return "lockstep";
  return pace === "max" ? "closed" : "open";
}

/** Measures a recorded run again, from its events, attempts and round trips; the numbers are those of the live run. */
export function measureRecording(recording: RecordingReader): {
  readonly meter: Meter;
  readonly texts: number;
  readonly behaviour: ReceiverBehaviour;
  readonly host: HostPressure;
} {
  const channels = new Map(
    Array.from(recording.channels(), ({ id, name, url, forwards }) => [
      id,
      { group: groupOf(name), url, postsTexts: url !== null && isForwarded("mo_sms", forwards) },
    ]),
  );
  const model = loadModelOf(recording);
  const meter = new Meter({
    isPaced: model === "open",
    timeline: model === "lockstep" ? "virtual" : "wall",
    groupOf: (channel) => channels.get(channel)?.group ?? "",
  });
  if (model === "lockstep") meter.timeline.begin(0);
  for (const { wallMs } of recording.samples()) {
    if (model !== "lockstep") meter.timeline.begin(wallMs);
    break;
  }
  const events = new EventTable();
  const copies = new DoubleFinder();
  const repeats = new Repeats();
  const outages = new Outages();
  const troubles = new TroubleEffects();
  const copiedTries = new Set<string>();
  for (const { channel, number, try: tryNumber, kind, value } of recording.troubles()) {
    if (kind !== "copies") continue;
    for (let copy = 1; copy < Number(value); copy++) copiedTries.add(`${channel}/${number} ${tryNumber + copy}`);
  }
  let texts = 0;
  for (const { channel, number, atMs, type, body, subject, copy } of recording.eventRows()) {
    meter.recordEvent(type, channel);
    if (copy !== null) copies.addCopy({ channel, number }, copy.of, type === "mo_sms" ? subject : null);
    events.set(channel, number, { type, bytes: body.length, atMs: model === "lockstep" ? atMs : 0 });
    if (type === "mo_sms" && channels.get(channel)?.postsTexts !== false) texts++;
  }
  for (const attempt of recording.attemptMeasures()) {
    const { channel } = attempt;
    const { type, bytes } = events.get(channel, attempt.number);
    const endedMs = meter.recordAttempt(attempt, { type, channel }, bytes);
    outages.recordAttempt(attempt, { type, url: channels.get(channel)?.url ?? null }, endedMs);
    troubles.recordAttempt(attempt);
    copies.addAttempt(attempt);
    if (copiedTries.size > 0 && copiedTries.has(`${channel}/${attempt.number} ${attempt.try}`)) troubles.recordCopy();
    else repeats.recordAttempt(attempt);
  }
  for (const { channel, number, atMs, wallMs } of recording.roundTrips()) {
    const { type, atMs: fromMs } = events.get(channel, number);
    meter.recordRoundTrip(type, channel, wallMs ?? atMs - fromMs);
  }
  const host = new HostPressure();
  for (const second of recording.hostSeconds()) host.recordSecond(second);
  const replies = replyOutcomesOf(recording);
  const doubles = copies.addMessages(recording);
  return { meter, texts, host, behaviour: { doubles, order: new PersonOrder(), repeats, replies, outages, troubles } };
}

interface EventOfAttempt {
  readonly type: string;
  readonly bytes: number;
  readonly atMs: number;
}

/** Type, body length and time of each event in typed arrays, 13 bytes an event: a recording may have millions. */
class EventTable {
  readonly #types: string[] = [];
  readonly #channels: { types: Uint8Array; bytes: Uint32Array; atMs: Float64Array }[] = [];

  /** @param number - of the event within its channel, from 1 */
  set(channel: number, number: number, { type, bytes, atMs }: EventOfAttempt): void {
    let of = (this.#channels[channel] ??= {
      types: new Uint8Array(8),
      bytes: new Uint32Array(8),
      atMs: new Float64Array(8),
    });
    if (number >= of.types.length) of = this.#channels[channel] = enlarged(of, 2 * number);
    let place = this.#types.indexOf(type);
    // A byte holds 256 types; further types share the last index.
    if (place < 0) place = Math.min(this.#types.push(type) - 1, 255);
    of.types[number] = place;
    of.bytes[number] = bytes;
    of.atMs[number] = atMs;
  }

  get(channel: number, number: number): EventOfAttempt {
    const of = this.#channels[channel];
    return {
      type: this.#types[of?.types[number] ?? 0] ?? "",
      bytes: of?.bytes[number] ?? 0,
      atMs: of?.atMs[number] ?? 0,
    };
  }
}

function enlarged<Of extends { types: Uint8Array; bytes: Uint32Array; atMs: Float64Array }>(
  of: Of,
  length: number,
): Of {
  const [types, bytes, atMs] = [new Uint8Array(length), new Uint32Array(length), new Float64Array(length)];
  types.set(of.types);
  bytes.set(of.bytes);
  atMs.set(of.atMs);
  return { ...of, types, bytes, atMs };
}
