import type { OtherFigures, RecordingReader, RunMeta } from "../../store/index.js";
import { type Axis, bucketOf, newAxis } from "./axis.js";
import { EventIndex } from "./events.js";
import { exchanged } from "./exchanged.js";
import { Failures } from "./failures.js";
import type { Figures, Series } from "./figures.js";
import { fleetOf } from "./fleet.js";
import { heatMapOf } from "./heat.js";
import { marksOf } from "./marks.js";
import { Parts, spreadOf } from "./parts.js";
import { roundTripsOf } from "./round-trips.js";
import { Slowest } from "./slowest.js";
import { SpanCounts } from "./spans.js";
import { WallTimes } from "./wall.js";

/** A histogram of the whole run stands behind those of the buckets. */
const PERCENTS = [50, 95, 99] as const;

/** Two numbers as one, to look an event up: channels and numbers are far below 2^26. */
const CHANNEL = 2 ** 32;

/**
 * Reads a recording once, events and then attempts, and fills structures of a fixed size: a million attempts take some
 * seconds and some tens of megabytes.
 *
 * @throws StoreError when the recording cannot be read
 */
export function gatherFigures(recording: RecordingReader): Figures {
  const meta = recording.meta();
  const speed = speedOf(meta);
  const isPaced = speed !== null;
  const walls = new WallTimes(recording);
  const axis = axisOf(recording, { meta, walls, isWall: isPaced || meta.options["pace"] === "max" });
  const { count: buckets } = axis;
  const isWall = axis.kind === "wall";

  const handsets: string[] = [];
  const groups = new Parts();
  const groupOf: number[] = [];
  for (const { id, name } of recording.channels()) {
    handsets[id] = name;
    groupOf[id] = groups.indexOf(name.split("/")[0] ?? name);
  }

  const types = new Parts();
  const born = new Uint32Array(buckets);
  const bornIn = (atMs: number): void => add(born, bucketOf(axis, atMs));
  const events = EventIndex.read(recording, types, isWall ? () => undefined : bornIn);

  const whole = buckets;
  const latency = new SpanCounts(buckets + 1);
  const service = new SpanCounts(isPaced ? buckets + 1 : 0);
  const lateness = new SpanCounts(isPaced ? buckets + 1 : 0);
  const due = new Uint32Array(buckets);
  const taken = new Uint32Array(buckets);
  const ended = new Uint32Array(buckets);
  const failures = new Failures(axis);
  const slowest = new Slowest();
  const statuses = new Map<string, number>();
  const unanswered = new Set<number>();
  let [attempts, okCount, resent, repeated] = [0, 0, 0, 0];

  const dueOf = (sentWallMs: number | null, dueAtMs: number, durationMs: number, latencyMs: number): number => {
    if (!isWall) return dueAtMs;
    if (sentWallMs === null) return walls.of(dueAtMs);
    return isPaced ? sentWallMs + durationMs - latencyMs : sentWallMs;
  };

  for (const page of recording.attemptFigures()) {
    for (const [row, channel, number, dueAtMs, sentWallMs, durationMs, latencyMs, latenessMs, rest] of page) {
      attempts++;
      const dueMs = dueOf(sentWallMs, dueAtMs, durationMs, latencyMs);
      const bucket = bucketOf(axis, dueMs);
      add(due, bucket);
      if (isWall) add(ended, bucketOf(axis, dueMs + (isPaced ? latencyMs : durationMs)));
      let isAccepted = true;
      let isMeasured = true;
      let tryNumber = 1;
      if (rest === null) okCount++;
      else {
        const [outcome, status, error, nth, isRepeat] = JSON.parse(rest) as OtherFigures;
        tryNumber = nth;
        isAccepted = outcome === "accepted";
        isMeasured = status !== null || outcome === "timeout";
        if (isRepeat === 1) repeated++;
        const event = channel * CHANNEL + number;
        if (tryNumber > 1 && unanswered.delete(event)) resent++;
        if (status !== null) statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
        else if (sentWallMs !== null) unanswered.add(event);
        if (!isAccepted) {
          const kind = status === null ? (outcome === "timeout" ? "timeout" : (error ?? outcome)) : String(status);
          failures.add({ kind, outcome, dueMs, row });
        }
      }
      if (isAccepted) add(taken, bucket);
      if (isWall && tryNumber === 1) add(born, bucket);
      const spanMs = isMeasured ? latencyMs : null;
      if (spanMs !== null) {
        latency.add(bucket, spanMs);
        latency.add(whole, spanMs);
        slowest.add(row, spanMs);
        if (isPaced) {
          service.add(bucket, durationMs);
          service.add(whole, durationMs);
        }
      }
      if (isPaced && latenessMs !== null) {
        lateness.add(bucket, latenessMs);
        lateness.add(whole, latenessMs);
      }
      const part = { isAccepted, spanMs };
      types.add(events.typeOf(channel, number) ?? types.indexOf("other"), part);
      groups.add(groupOf[channel] ?? groups.indexOf("other"), part);
    }
  }
  if (okCount > 0) statuses.set("200", (statuses.get("200") ?? 0) + okCount);

  const access = {
    recording,
    events,
    handsets,
    dueMs: (attempt: { sentWallMs: number | null; dueAtMs: number; durationMs: number; latencyMs: number }) =>
      dueOf(attempt.sentWallMs, attempt.dueAtMs, attempt.durationMs, attempt.latencyMs) - axis.fromMs,
  };
  const percentiles = bucketPercentiles(latency, buckets);
  const served = isPaced ? bucketPercentiles(service, buckets) : undefined;
  const late = isPaced ? bucketPercentiles(lateness, buckets) : undefined;
  const place = ({ atMs, wallMs }: { atMs: number; wallMs: number }): number => (isWall ? wallMs : atMs) - axis.fromMs;
  return {
    axis,
    speed,
    perBucket: {
      events: [...born],
      attempts: [...due],
      accepted: [...taken],
      ...(isWall && { ended: [...ended], open: openAfter(due, ended) }),
      ...percentiles,
      ...(served !== undefined && { serviceP50: served.p50, serviceP99: served.p99 }),
      ...(late !== undefined && { latenessP99: late.p99, latenessMax: late.max }),
    },
    heat: heatMapOf(latency, buckets),
    latencyMs: spreadOf(latency, whole),
    ...(isPaced && { serviceMs: spreadOf(service, whole), latenessMs: spreadOf(lateness, whole) }),
    statuses: Object.fromEntries([...statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    failures: failures.kinds().map((kind) => ({
      ...kind,
      firstMs: kind.firstMs - axis.fromMs,
      lastMs: kind.lastMs - axis.fromMs,
    })),
    byType: types.list(),
    byGroup: groups.list(),
    slowest: exchanged(
      slowest.rows().map((row) => ({ kind: "slow", row })),
      access,
    ),
    failed: exchanged(failures.samples(), access),
    fleet: fleetOf(recording, place),
    roundTrips: roundTripsOf(recording),
    doubles: { resent, repeated, echoes: recording.echoes() },
    marks: marksOf(recording, (atMs) => (isWall ? walls.of(atMs) : atMs) - axis.fromMs),
    attempts,
  };
}

/** Virtual milliseconds to one of the wall; null where the wall's clock does not lead. */
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
    return newAxis("wall", { fromMs, untilMs, leastWidthMs: 100, things: counts.attempts });
  }
  const untilMs = Number.isFinite(meta.lastsMs) ? Math.max(meta.lastsMs, 1) : recording.lastAtMs();
  return newAxis("virtual", { fromMs: 0, untilMs, leastWidthMs: 1000, things: counts.events });
}

function add(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

function bucketPercentiles(spans: SpanCounts, buckets: number): Record<"p50" | "p95" | "p99" | "max", Series> {
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

/** A million digits less in the page. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}

function openAfter(due: Uint32Array, ended: Uint32Array): number[] {
  let open = 0;
  return Array.from(due, (count, bucket) => (open += count - (ended[bucket] ?? 0)));
}
