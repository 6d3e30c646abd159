import type { CastKind } from "../cast-names.js";
import { callEnds } from "../../world/index.js";
import { word } from "../fields/fields.js";
import { keyConflict, type Problem } from "../sheet/raw-value.js";

/** The argument `ends` of calls. */
export const callEnd = word(
  callEnds,
  "How a call of people ends that is neither answered nor missed: the phone reports it as unk.",
);

/** The problem of a call with `ends` that is answered. */
export const endsAndTalks: Problem = keyConflict(
  "'ends' and 'talks' cannot both be: such a call is not answered",
  "keep one of the two",
);

/** The problem of a call with `ends` that a handset dials. */
export const endsOfHandsets: Problem = keyConflict(
  "'ends' is for calls of people: of a call that the phone dials, its log has the length only",
  "leave it out: a call that nobody answers lasts 0 s",
);

/**
 * Whether handsets call people, and not people handsets.
 *
 * @param from - the kind of the callers; undefined: `all`, so they are of the kind that the called ones are not
 * @param to - the same for the called ones; two times `all`: people call handsets
 */
export function areHandsetsCalling(from: CastKind | undefined, to: CastKind | undefined): boolean {
  return from === "handsets" || (from === undefined && to === "people");
}
