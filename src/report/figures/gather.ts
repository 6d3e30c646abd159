import { groupOf } from "../../measure/index.js";
import type { RecordingReader, RunMeta } from "../../store/index.js";
import { type Axis, bucketOf, newAxis } from "./axis.js";
import { EventTypes } from "./event-types.js";
import { attemptDetailsOf } from "./attempt-details.js";
import type { Figures, IdleText, Series } from "./figures.js";
import { fleetOf } from "./fleet.js";
import { heatMapOf } from "./heat.js";
import { marksOf } from "./marks.js";
import { Breakdown, percentilesOf } from "./breakdown.js";
import { DurationHistograms } from "./duration-histograms.js";
import { AttemptCounts, type AttemptTiming, increase } from "./attempt-counts.js";
import { WallTimes } from "./wall-times.js";
import { decodeEvent } from "../../wire/index.js";

const PERCENTS = [50, 95, 99] as const;

/**
 * Reads the attempts of a recording once, into structures of fixed size. A million attempts take seconds and tens of
 * megabytes.
 *
 * @throws StoreError when the recording cannot be read
 */
export function gatherFigures(recording: RecordingReader): Figures {
  return gatherFiguresAndHistograms(recording).figures;
}

/** The figures, and the histogram of delivery times of each bucket of the axis. */
export function gatherFiguresAndHistograms(recording: RecordingReader): {
  readonly figures: Figures;
  readonly spans: DurationHistograms;
} {
  const meta = recording.meta();
  const speed = speedOf(meta);
  const isPaced = speed !== null;
  const walls = new WallTimes(recording);
  const axis = axisOf(recording, { meta, walls, isWall: isPaced || meta.options["pace"] === "max" });
  const { count: buckets } = axis;
  const isWall = axis.kind === "wall";

  const handsets: string[] = [];
  const groups = new Breakdown();
  const groupOfChannel: number[] = [];
  for (const { id, name } of recording.channels()) {
    handsets[id] = name;
    groupOfChannel[id] = groups.indexOf(groupOf(name));
  }

  const types = new Breakdown();
  const events = new EventTypes(recording, types);
  const tally = new AttemptCounts({ axis, isPaced, walls, events, types, groups, groupOf: groupOfChannel });
  for (const page of recording.attemptFigures()) for (const attempt of page) tally.add(attempt);

  const { whole, latency, service, lateness, failures } = tally;
  const place = ({ atMs, wallMs }: { atMs: number; wallMs: number }): number => (isWall ? wallMs : atMs) - axis.fromMs;
  const { marks, leftOut: marksLeftOut } = marksOf(
    recording,
    (atMs) => (isWall ? walls.wallMsAt(atMs) : atMs) - axis.fromMs,
  );
  const access = {
    recording,
    handsets,
    dueMs: (attempt: AttemptTiming) => tally.dueMs(attempt) - axis.fromMs,
  };
  const figures: Figures = {
    axis,
    speed,
    perBucket: {
      events: [...(isWall ? tally.first : eventsPerBucket(recording, axis))],
      attempts: [...tally.due],
      accepted: [...tally.accepted],
      ...(isWall && { ended: [...tally.ended], open: openPerBucket(tally) }),
      ...bucketPercentiles(latency, buckets),
      ...(isPaced && pacedSeries(tally, buckets)),
    },
    heat: heatMapOf(latency, buckets),
    latencyMs: percentilesOf(latency, whole),
    ...(isPaced && { serviceMs: percentilesOf(service, whole), latenessMs: percentilesOf(lateness, whole) }),
    statuses: tally.statuses(),
    failures: failures.kinds().map((kind) => ({
      ...kind,
      firstMs: kind.firstMs - axis.fromMs,
      lastMs: kind.lastMs - axis.fromMs,
    })),
    byType: types.rows(),
    byGroup: groups.rows(),
    slowest: attemptDetailsOf(
      tally.slowest.rows().map((row) => ({ kind: "slow", row })),
      access,
    ),
    failed: attemptDetailsOf(failures.samples(), access),
    fleet: fleetOf(recording, place),
    roundTrips: roundTripsOf(recording),
    doubles: { resent: tally.resent, repeated: tally.repeated },
    marks,
    marksLeftOut,
    withoutEffect: idleTexts(recording, handsets),
    attempts: tally.count,
  };
  return { figures, spans: latency };
}

/** Events by bucket of virtual time. */
function eventsPerBucket(recording: RecordingReader, axis: Axis): Uint32Array {
  const born = new Uint32Array(axis.count);
  for (const page of recording.eventTimes()) for (const [, atMs] of page) increase(born, bucketOf(axis, atMs));
  return born;
}

function pacedSeries(
  { service, lateness }: AttemptCounts,
  buckets: number,
): Pick<Figures["perBucket"], "serviceP50" | "serviceP99" | "latenessP99" | "latenessMax"> {
  const [served, late] = [bucketPercentiles(service, buckets), bucketPercentiles(lateness, buckets)];
  return { serviceP50: served.p50, serviceP99: served.p99, latenessP99: late.p99, latenessMax: late.max };
}

/** Virtual milliseconds per wall millisecond; null: not paced. */
function speedOf({ options }: RunMeta): number | null {
  const speed = Number.parseFloat(options["pace"] ?? "");
  return speed > 0 ? speed : null;
}

function axisOf(
  recording: RecordingReader,
  { meta, walls, isWall }: { readonly meta: RunMeta; readonly walls: WallTimes; readonly isWall: boolean },
): Axis {
  const ends = recording.wallEnds();
  const counts = recording.counts();
  if (isWall && (ends !== undefined || (!walls.isEmpty && counts.attempts > 0))) {
    const fromMs = walls.isEmpty ? (ends?.fromMs ?? 0) : Math.min(walls.firstMs, ends?.fromMs ?? Infinity);
    const untilMs = Math.max(walls.lastMs, ends?.untilMs ?? 0);
    return newAxis("wall", { fromMs, untilMs, leastWidthMs: 100, itemCount: counts.attempts });
  }
  const untilMs = Number.isFinite(meta.lastsMs)
    ? Math.max(meta.lastsMs, recording.lastAtMs(), 1)
    : recording.lastAtMs();
  return newAxis("virtual", { fromMs: 0, untilMs, leastWidthMs: 1000, itemCount: counts.events });
}

function bucketPercentiles(spans: DurationHistograms, buckets: number): Record<"p50" | "p95" | "p99" | "max", Series> {
  const [p50, p95, p99, max]: (number | null)[][] = [[], [], [], []] as const;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const [at50 = null, at95 = null, at99 = null] = spans.percentiles(bucket, PERCENTS);
    p50.push(rounded(at50));
    p95.push(rounded(at95));
    p99.push(rounded(at99));
    max.push(rounded(spans.maxMs(bucket)));
  }
  return { p50, p95, p99, max };
}

/** Rounds to microseconds, to keep the page small. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}

function openPerBucket({ due, ended }: AttemptCounts): number[] {
  let open = 0;
  return Array.from(due, (count, bucket) => (open += count - (ended[bucket] ?? 0)));
}

/** Wall time from incoming texts to the receiver's messages to these persons. */
function roundTripsOf(recording: RecordingReader): Figures["roundTrips"] {
  const spans = new DurationHistograms(1);
  let count = 0;
  for (const { wallMs } of recording.roundTrips()) {
    count++;
    if (wallMs !== null) spans.add(0, wallMs);
  }
  return { count, wallMs: percentilesOf(spans, 0) };
}

/** Limit of the list. */
const LISTED_MAX = 20;
/** Characters shown of a text. */
const TEXT_MAX = 200;

/**
 * The first texts without effect. Empty if no text had an effect: such a receiver does not answer texts, and a list
 * would not say more.
 *
 * @param handsets - names by channel
 */
function idleTexts(recording: RecordingReader, handsets: readonly string[]): IdleText[] {
  if (recording.roundTrips().next().done === true) return [];
  return recording.textsWithoutEffect(LISTED_MAX).map(({ channel, number, atMs, body }) => {
    const { event } = decodeEvent(body);
    const { phone = "", text = "" } = event.event === "mo_sms" && "text" in event ? event : {};
    return {
      event: `${channel}/${number}`,
      handset: handsets[channel] ?? String(channel),
      atMs,
      phone,
      text: text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`,
    };
  });
}
