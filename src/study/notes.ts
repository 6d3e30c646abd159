import type { Capacity } from "./capacity.js";
import type { FieldUnits } from "./field-units.js";
import type { Trial } from "./trial.js";

/** Notes for the reader about how the result was found. */
export function notesOn(capacity: Capacity, units: FieldUnits, trials: readonly Trial[]): string[] {
  const { kind, contradiction, generatorLimit, limitedBy } = capacity;
  const notes = busyNote(trials);
  if (contradiction !== undefined) {
    const failed = contradiction.failedAt.map((value) => units.amount(value)).join(" and ");
    notes.push(
      `the receiver is not steady: ${failed} failed, although ${units.amount(contradiction.heldAt)} held, so trust the interval, not a level`,
    );
  }
  if (kind !== "knee") return notes;
  if (generatorLimit !== undefined) {
    notes.push(`at ${units.amount(generatorLimit)} this machine itself fell behind, which limits the precision`);
  }
  if (limitedBy === "time") notes.push("the time limit was reached before the requested precision");
  if (limitedBy === "stopped") notes.push("the search was stopped before the requested precision");
  if (limitedBy === "trials")
    notes.push("the trials contradict each other: the maximum of trials was reached before the requested precision");
  return notes;
}

/** A note that other programs kept this machine busy, with the number of void trials; none if no trial is void. */
function busyNote(trials: readonly Trial[]): string[] {
  const voided = trials.filter(({ verdict, busySeconds = 0 }) => verdict === "void" && busySeconds > 0).length;
  if (voided === 0) return [];
  const busySeconds = trials.reduce((sum, trial) => sum + (trial.busySeconds ?? 0), 0);
  const which = voided === 1 ? "a failed trial is" : `${voided} failed trials are`;
  return [`other programs kept this machine busy for ${busySeconds} s of the trials; ${which} void`];
}
