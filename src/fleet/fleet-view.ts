import { LabError } from "../base/index.js";
import type { Percentiles } from "../measure/index.js";
import {
  joinedLatency,
  type PartLoad,
  type PartStatus,
  readStatus,
  RUN_FILE,
  type RunIdentity,
  SharedFolder,
} from "../run/index.js";

/** The state of a part as the others see it. `unseen`: it has not written yet; `lost`: silent for too long. */
export type SeenState = PartStatus["state"] | "unseen" | "lost";

/** One part of a fleet. */
export interface PartView {
  readonly part: number;
  readonly state: SeenState;
  /** What it said last; absent: `unseen`. */
  readonly status?: PartStatus;
  /** Milliseconds since then. */
  readonly ageMs?: number;
}

/** The load of all parts. Rates are those of the parts that play, per wall second. */
export interface JointLoad {
  /** Virtual time of the slowest part that plays. */
  readonly atMs: number;
  readonly lastsMs: number;
  readonly events: number;
  readonly accepted: number;
  readonly failures: number;
  readonly inFlight: number;
  readonly retrying: number;
  /** Null: the clock waits for the receiver. */
  readonly due: number | null;
  readonly answered: number;
  /** Seconds that the percentiles cover; null: all of the run so far. */
  readonly seconds: number | null;
  readonly latencyMs: Percentiles;
  readonly latenessMs: Percentiles | null;
}

/** The parts of a fleet at one moment. */
export interface FleetView {
  readonly folder: string;
  readonly count: number;
  readonly parts: readonly PartView[];
  /** Absent: no part has played yet. */
  readonly load?: JointLoad;
}

/** Reads the status of each part from the shared folder of a fleet. */
export class FleetFolder {
  readonly #folder: SharedFolder;
  readonly #count: number;

  /** @throws LabError `bad-options` if the folder is not of a fleet */
  constructor(path: string) {
    const folder = SharedFolder.open(path);
    const identity = folder?.read<RunIdentity>(RUN_FILE)?.value;
    const count = Number(identity?.["number of parts"]);
    if (folder === undefined || !(count >= 1)) {
      throw new LabError("bad-options", `${path} is not the folder of a fleet`, {
        hint: `the parts write it: handset run … --shard auto --start-when-all-ready ${path}`,
      });
    }
    this.#folder = folder;
    this.#count = count;
    // The age of a status is measured by the folder's clock. A reader that may not write there has its own clock.
    try {
      folder.measureClock(`clock-reader.${process.pid}`);
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
    }
  }

  get path(): string {
    return this.#folder.path;
  }

  view(): FleetView {
    const parts = Array.from({ length: this.#count }, (_, index) => this.#part(index + 1));
    const load = jointLoad(parts);
    return { folder: this.#folder.path, count: this.#count, parts, ...(load !== undefined && { load }) };
  }

  #part(part: number): PartView {
    const heard = readStatus(this.#folder, part);
    if (heard === undefined) return { part, state: "unseen" };
    const { status, ageMs, isLost } = heard;
    return { part, state: isLost ? "lost" : status.state, status, ageMs: Math.round(ageMs) };
  }
}

/** Whether a part will still change by itself. */
export function isLive({ state }: PartView): boolean {
  return state === "starting" || state === "ready" || state === "playing" || state === "ending";
}

/** Percentiles of one part. */
export function latencyOf({ delivery }: PartLoad): Percentiles {
  return joinedLatency([delivery]).percentiles();
}

function jointLoad(parts: readonly PartView[]): JointLoad | undefined {
  const loads = parts.flatMap(({ status }) => status?.load ?? []);
  if (loads.length === 0) return undefined;
  const playing = parts.flatMap(({ state, status }) => (state === "playing" && status?.load ? [status.load] : []));
  // A window of seconds covers the parts that play now. Without a window, ended parts count, too.
  const seconds = loads.find((load) => load.seconds !== null)?.seconds ?? null;
  const measured = seconds === null || playing.length === 0 ? loads : playing;
  const lateness = measured.flatMap((load) => load.lateness ?? []);
  const sum = (all: readonly PartLoad[], of: (load: PartLoad) => number): number =>
    all.reduce((total, load) => total + of(load), 0);
  const dues = playing.flatMap(({ due }) => due ?? []);
  const slowest = playing.length === 0 ? loads : playing;
  return {
    atMs: Math.min(...slowest.map(({ atMs }) => atMs)),
    lastsMs: Math.max(...loads.map(({ lastsMs }) => lastsMs)),
    events: sum(loads, ({ events }) => events),
    accepted: sum(loads, ({ accepted }) => accepted),
    failures: sum(loads, ({ failures }) => failures),
    inFlight: sum(playing, ({ inFlight }) => inFlight),
    retrying: sum(playing, ({ retrying }) => retrying),
    due: dues.length === 0 ? null : round(dues.reduce((total, one) => total + one, 0)),
    answered: round(sum(playing, ({ answered }) => answered)),
    seconds,
    latencyMs: joinedLatency(measured.map(({ delivery }) => delivery)).percentiles(),
    latenessMs: lateness.length === 0 ? null : joinedLatency(lateness).percentiles(),
  };
}

function round(rate: number): number {
  return Math.round(rate * 10) / 10;
}
