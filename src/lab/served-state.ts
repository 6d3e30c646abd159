import type { Account } from "../account/index.js";
import type { SimTime } from "../sim/index.js";
import type { Recording } from "../store/index.js";
import type { InTransit, World } from "../world/index.js";

/** Keys of world state that a recording keeps outside its tables. */
const GUESTS = "guests";
const IN_TRANSIT = "afloat";
const BACKLOG = "backlog";
const LOAD = "load";
const LOAD_DONE = "loadDone";

/** Account data that is being loaded in parts. */
export interface UnfinishedLoad {
  /** The recorded source. */
  readonly json: string;
  readonly load: { readonly repeatedDone: number; readonly isDone: boolean };
}
const REACHED = "reachedMs";

/** Phone numbers of the recorded people who are not in the cast. */
export function readGuests(recording: Recording): string[] {
  return JSON.parse(recording.kept(GUESTS) ?? "[]") as string[];
}

/** Records the phone numbers of people who are not in the cast. */
export function recordGuests(recording: Recording, guests: readonly string[]): void {
  recording.keep(GUESTS, JSON.stringify(guests));
}

/** Texts and calls that were on their way to the service when the served database was closed or its process killed. */
export function readInTransit(recording: Recording): InTransit[] {
  return JSON.parse(recording.kept(IN_TRANSIT) ?? "[]") as InTransit[];
}

/** Records texts and calls in transit with each commit. Call it before the world starts. */
export function recordInTransitWithCommits(recording: Recording, world: World): void {
  world.trackTexts();
  recording.keepWithCommits(IN_TRANSIT, () => JSON.stringify(world.inTransit()));
}

/** Records what the account has left to later steps, and an unfinished load, with each commit. */
export function recordAccountWorkWithCommits(
  recording: Recording,
  work: { readonly account: Account; readonly loading: () => UnfinishedLoad | undefined },
): void {
  const { account, loading } = work;
  recording.keepWithCommits(BACKLOG, () => account.backlog.state);
  recording.keepWithCommits(LOAD, () => loading()?.json ?? "");
  recording.keepWithCommits(LOAD_DONE, () => String(loading()?.load.repeatedDone ?? 0));
}

/** What the account had left to later steps when the database was closed. */
export function readBacklog(recording: Recording): string {
  return recording.kept(BACKLOG) ?? "[]";
}

/** The load that was not finished when the database was closed; undefined: none. */
export function readUnfinishedLoad(
  recording: Recording,
): { readonly json: string; readonly repeatedDone: number } | undefined {
  const json = recording.kept(LOAD) ?? "";
  return json === "" ? undefined : { json, repeatedDone: Number(recording.kept(LOAD_DONE) ?? 0) };
}

/** Virtual time that a served lab had reached when it last recorded it; 0: it never did. */
export function readReachedTime(recording: Pick<Recording, "kept">): SimTime {
  return Number(recording.kept(REACHED) ?? 0);
}

/** How often a served lab records the time that it has reached: wall milliseconds. */
const REACHED_EVERY_MS = 1000;

/**
 * Records each second the virtual time that a served lab has reached. Where nothing happens, no other row has it, and a
 * restart would set the clock back.
 */
export class ReachedTime {
  readonly #recording: Recording;
  readonly #read: () => SimTime;
  #timer: NodeJS.Timeout | undefined;
  #lastMs = -1;

  constructor(recording: Recording, read: () => SimTime) {
    this.#recording = recording;
    this.#read = read;
  }

  /** @param guard - calls what may fail from a timer */
  start(guard: (act: () => void) => void): void {
    guard(() => this.record());
    this.#timer = setInterval(() => guard(() => this.record()), REACHED_EVERY_MS);
    this.#timer.unref();
  }

  /** Records it now. */
  record(): void {
    const reachedMs = this.#read();
    if (reachedMs === this.#lastMs) return;
    this.#recording.keep(REACHED, String(reachedMs));
    this.#lastMs = reachedMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
