import { batch } from "@preact/signals";
import {
  type DeltaFrame,
  type FleetColumn,
  fleetColumns,
  type FleetColumns,
  type FleetGroup,
  type FleetRow,
  type LabFacts,
  type LogEntry,
  REPEAT_AFTER_MS,
  type SeriesPoint,
  type SnapshotFrame,
  type StreamFrame,
  type Traffic,
} from "../../protocol/index.js";
import {
  beginsAgainAtMs,
  clock,
  fleet,
  type FleetState,
  lab,
  labNumber,
  liveLog,
  LOG_MAX,
  logSkipped,
  points,
  POINTS_MAX,
  run,
  story,
  totals,
  traffic,
} from "./state.js";

/** Frames of a hidden tab whose traffic is kept: two seconds. */
const TRAFFIC_MAX = 8;

type Columns = Record<FleetColumn, Int32Array>;

/** The parts that a frame has complete or not at all. */
type Whole = Pick<Partial<SnapshotFrame>, "clock" | "totals" | "story" | "run">;

/** Fields of a snapshot that identify the lab. */
const facts = ["name", "seed", "mode", "startsAtMs", "database"] as const;

/**
 * Collects the frames of the stream: `applyFrame` applies a frame, `writeSignals` writes the state to the signals that views read.
 * Many frames can arrive between two animation frames.
 */
export class LabPicture {
  #session: string | undefined;
  #frame = 0;
  /** The last snapshot, until it is shown. */
  #snapshot: SnapshotFrame | undefined;
  #lab: LabFacts | undefined;
  /** Whether the last snapshot is of another lab than the signals. */
  #isOtherLab = false;
  #groups: readonly FleetGroup[] = [];
  #columns: Columns | undefined;
  /** Channels that changed since the last `writeSignals`; undefined when all may have changed. */
  #changed: Set<number> | undefined;
  #version = 0;
  // Values below are replaced, never mutated: a signal that is set to its current value does not notify.
  #whole: Whole = {};
  #log: readonly LogEntry[] = [];
  #points: readonly SeriesPoint[] = [];
  #skipped = 0;
  #traffic: readonly Traffic[] = [];

  /** The frame to resume after; undefined: none has arrived yet. */
  get resume(): { readonly session: string; readonly frame: number } | undefined {
    return this.#session === undefined ? undefined : { session: this.#session, frame: this.#frame };
  }

  /** @returns whether the frame follows the last one; if not, it was not applied, because frames are missing */
  applyFrame(frame: StreamFrame): boolean {
    if (frame.kind === "snapshot") this.#takeSnapshot(frame);
    else if (this.#session === undefined || frame.frame !== this.#frame + 1) return false;
    else this.#takeDelta(frame);
    this.#frame = frame.frame;
    const waitMs = msToRepeat(this.#whole);
    beginsAgainAtMs.value = waitMs === undefined ? undefined : Date.now() + waitMs;
    return true;
  }

  /** Writes the state to the signals; of the fleet, only the changes since the last call. */
  writeSignals(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    batch(() => {
      if (this.#isOtherLab) labNumber.value++;
      this.#isOtherLab = false;
      if (this.#snapshot !== undefined) lab.value = this.#snapshot.lab;
      this.#snapshot = undefined;
      clock.value = this.#whole.clock;
      totals.value = this.#whole.totals;
      story.value = this.#whole.story;
      run.value = this.#whole.run;
      points.value = this.#points;
      liveLog.value = this.#log;
      logSkipped.value = this.#skipped;
      if (this.#traffic.length > 0) traffic.value = this.#traffic;
      this.#traffic = [];
      if (this.#columns === undefined || changed?.size === 0) return;
      fleet.value = {
        groups: this.#groups,
        count: this.#columns.battery.length,
        columns: this.#columns,
        changed: changed === undefined ? undefined : [...changed],
        version: ++this.#version,
      } satisfies FleetState;
    });
  }

  /** As `writeSignals`, for signals that others have overwritten since. */
  showAll(): void {
    this.#changed = undefined;
    this.writeSignals();
  }

  #takeSnapshot(frame: SnapshotFrame): void {
    this.#session = frame.session;
    this.#snapshot = frame;
    if (this.#isAnother(frame)) this.#isOtherLab = true;
    this.#lab = frame.lab;
    this.#whole = wholeOf(frame);
    this.#groups = frame.groups;
    this.#columns = columnsOf(frame.fleet);
    this.#changed = undefined;
    this.#log = frame.log.slice(-LOG_MAX);
    this.#points = frame.points.slice(-POINTS_MAX);
    this.#skipped = 0;
  }

  /** Whether a snapshot is of another lab, which invalidates the whole state. */
  #isAnother({ lab: next, clock: { nowMs } }: SnapshotFrame): boolean {
    const before = this.#lab;
    const wentBack = nowMs < (this.#whole.clock?.nowMs ?? 0);
    return before === undefined || wentBack || facts.some((name) => before[name] !== next[name]);
  }

  #takeDelta(frame: DeltaFrame): void {
    this.#whole = wholeOf({ ...this.#whole, ...frame });
    for (const row of frame.fleet ?? []) this.#takeRow(row);
    this.#log = withAdded(this.#log, frame.log, LOG_MAX);
    this.#points = withAdded(this.#points, frame.points, POINTS_MAX);
    this.#skipped += frame.logSkipped ?? 0;
    if (frame.traffic !== undefined) this.#traffic = [...this.#traffic, frame.traffic].slice(-TRAFFIC_MAX);
  }

  #takeRow(row: FleetRow): void {
    const columns = this.#columns;
    const channel = row[0] ?? 0;
    if (columns === undefined || channel < 1 || channel > columns.battery.length) return;
    for (const [index, name] of fleetColumns.entries()) columns[name][channel - 1] = row[index + 1] ?? 0;
    this.#changed?.add(channel);
  }
}

/** Wall milliseconds until the scenario restarts automatically; undefined: it does not at the current speed. */
export function msToRepeat({ clock: now, story: played }: Whole): number | undefined {
  if (now === undefined || now.isPaused || now.speed <= 0) return undefined;
  if (played?.isRepeating !== true || played.lastsMs === null) return undefined;
  if (played.state === "stopped" || played.jump !== null) return undefined;
  return Math.max(0, (played.lastsMs - now.nowMs) / now.speed + REPEAT_AFTER_MS);
}

function wholeOf({ clock, totals, story, run }: Whole): Whole {
  return { clock, totals, story, run };
}

function columnsOf(fleetOf: FleetColumns): Columns {
  return Object.fromEntries(fleetColumns.map((name) => [name, Int32Array.from(fleetOf[name])])) as Columns;
}

function withAdded<T>(list: readonly T[], added: readonly T[] | undefined, most: number): readonly T[] {
  return added === undefined || added.length === 0 ? list : [...list, ...added].slice(-most);
}
