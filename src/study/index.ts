/** The search for the capacity of a receiver, which plays a scenario many times. */
export { DEFAULT_PASS, type Study, studyCapacity } from "./study.js";
export { diffReceivers, isDifferent, type DiffResult, type DiffSource } from "./diff.js";
export { renderDiff } from "./render-diff.js";
export type { StudyAction, StudyListener, StudyPlan, StudyResult } from "./options.js";
export {
  bundledReceivers,
  ownReceivers,
  playCommand,
  playZoo,
  readZoo,
  renderPlayed,
  renderZooJunit,
  renderZooList,
  renderZooSummary,
} from "./zoo/index.js";
export type { FieldUnits } from "./field-units.js";
export type { Trial } from "./trial.js";
export {
  type Minimised,
  minimisedJson,
  type MinimiseOptions,
  threadMinimiser,
  minimiseRequests,
  minimiseScenario,
  type MinimiseStep,
  renderMinimised,
  requireNewBugFile,
  writeBugs,
} from "./minimise/index.js";
export {
  type AuditFinding,
  auditFamilies,
  auditMutants,
  type AuditOptions,
  auditReceiver,
  type AuditResult,
  renderAudit,
  renderAuditHtml,
  renderAuditJunit,
  renderMutants,
} from "./audit/index.js";
export {
  type Explored,
  exploredJson,
  type ExploreOptions,
  type ExploreProgress,
  exploreScenario,
  renderExplored,
} from "./explore/index.js";
