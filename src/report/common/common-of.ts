import type { RecordingReader } from "../../store/index.js";
import { affectedEvents, type AffectedKind } from "./affected.js";
import { commonTraits } from "./common-traits.js";
import { type LateEvents, lateEvents } from "./late.js";

/** Larger recordings are not compared: two million attempts take some ten seconds. */
const EVENTS_MAX = 300_000;

/** How the events are called, and which traits say nothing, because they follow from what is wrong. */
const kinds: Readonly<Record<AffectedKind, { readonly noun: string; readonly without: readonly string[] }>> = {
  doubles: { noun: "doubled events", without: [] },
  "without-effect": { noun: "texts without effect", without: [] },
  reordered: { noun: "reordered events", without: ["beside", "beside-own", "repeated"] },
  refused: { noun: "refused events", without: ["repeated"] },
  late: { noun: "late events", without: ["behind", "repeated", "beside", "beside-own"] },
};

/**
 * Finds what events with which something is wrong have in common, on demand; nothing in a large recording.
 *
 * @param timezone - of the hours
 */
export function commonOfRecording(
  recording: RecordingReader,
  timezone: string,
): (kind: AffectedKind) => readonly string[] {
  return (kind) =>
    recording.lastRowOf("event") > EVENTS_MAX
      ? []
      : commonTraits(recording, affectedEvents(recording, kind), {
          timezone,
          ...kinds[kind],
          // A copy is no text of its own, so it neither has an effect nor lacks one.
          ...(kind === "without-effect" && {
            isCompared: ({ type, copy }) => type === "mo_sms" && copy === null,
          }),
        });
}

/** The late events of a recording; undefined: it is too large. */
export function lateOfRecording(recording: RecordingReader): LateEvents | undefined {
  return recording.lastRowOf("event") > EVENTS_MAX ? undefined : lateEvents(recording);
}
