import type { Recording } from "../store/index.js";
import type { InTransit, World } from "../world/index.js";

/** Keys under which a recording keeps state of the world that its tables do not hold. */
const GUESTS = "guests";
const IN_TRANSIT = "afloat";

/** Numbers of people beyond the cast whom a recording knows. */
export function guestsIn(recording: Recording): string[] {
  return JSON.parse(recording.kept(GUESTS) ?? "[]") as string[];
}

export function keepGuests(recording: Recording, guests: readonly string[]): void {
  recording.keep(GUESTS, JSON.stringify(guests));
}

/** Texts and calls that were on their way to the service when a served database was closed or killed. */
export function inTransitIn(recording: Recording): InTransit[] {
  return JSON.parse(recording.kept(IN_TRANSIT) ?? "[]") as InTransit[];
}

/** Keeps what is on its way with each commit. Call it before the world starts. */
export function keepInTransit(recording: Recording, world: World): void {
  world.trackTexts();
  recording.keepWithCommits(IN_TRANSIT, () => JSON.stringify(world.inTransit()));
}
