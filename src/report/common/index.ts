/** What is wrong with events of a recording, and what these events have in common. */
export { affectedEvents, type AffectedKind, affectedKinds } from "./affected.js";
export { commonOfRecording, lateOfRecording } from "./common-of.js";
export { commonTraits } from "./common-traits.js";
export { LATE_MS, type LateEvents } from "./late.js";
