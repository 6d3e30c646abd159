/** The search for the capacity of a receiver, which plays a scenario many times. */
export { DEFAULT_PASS, type Study, studyCapacity } from "./study.js";
export type { StudyAction, StudyListener, StudyPlan, StudyResult } from "./options.js";
export type { FieldUnits } from "./field-units.js";
export type { Trial } from "./trial.js";
