/** What plays many runs to find something out. */
export {
  studyCapacity,
  DEFAULT_PASS,
  type Study,
  type StudyListener,
  type StudyOptions,
  type StudyResult,
} from "./study.js";
export type { Capacity, Level, Verdict } from "./capacity.js";
export type { FieldUnits } from "./field-units.js";
export type { Trial } from "./trial.js";
export type { VaryRequest } from "./vary.js";
