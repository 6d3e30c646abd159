import type { Recording } from "../store/index.js";
import type { InTransit, World } from "../world/index.js";

/** Keys of world state that a recording keeps outside its tables. */
export const GUESTS = "guests";
export const IN_TRANSIT = "afloat";

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
