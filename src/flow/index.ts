/**
 * The flow runner: executes native definitions for one contact at a time (docs/reference/flows.md). Pure and
 * synchronous: clock, randomness, look-ups and HTTP come from the {@link Host}; a session is plain JSON.
 */
export type * from "./definition.js";
export type * from "./action-definitions.js";
export type * from "./contact-state.js";
export type * from "./events.js";
export type * from "./host.js";
export type * from "./named-reference.js";
export type * from "./run-summary.js";
export type * from "./session.js";
export type * from "./trigger.js";
export * from "./campaign-time.js";
export { evaluateMessage } from "./engine/message-template.js";
export * from "./schedule-time.js";
export * from "./triggers.js";
export { generationOf } from "./legacy/generation.js";
export { migrateDefinition, type MigrationOptions } from "./legacy/migrate-definition.js";
export { migrateExport } from "./legacy/migrate-export.js";
export { migrateTemplate } from "./legacy/expressions/migrate-template.js";
export { MigrationError } from "./legacy/migration-error.js";
export * from "./coverage.js";
export { answerCalls, interruptSession, resumeSession, startSession } from "./engine/sessions.js";
export { DefinitionError } from "./read/definition-error.js";
export { inspectDefinition, type Unsupported } from "./read/inspect-definition.js";
export { exportsHave, outsideReferences } from "./read/export-references.js";
export {
  isOfAccount,
  type MissingReference,
  type ReferencePlace,
  missingReferences,
  searchMissingReferences,
} from "./read/missing-references.js";
export { type MissingLineOptions, missingLines, missingSentences } from "./read/missing-texts.js";
export { type DefinitionReading, readAnyDefinition } from "./read/read-any-definition.js";
export { readDefinition } from "./read/read-definition.js";
export { channelOf, contactUrnsMax, withChannel, withoutQuery } from "./contact/contact-urn.js";
export { readContact } from "./contact/contact-json.js";
export { type Membership } from "./play/play-assets.js";
export { playSession } from "./play/play-session.js";
export { questionOf, type WaitingQuestion } from "./answers/answers.js";
export { type ExportFlows, readExportFlows } from "./walk/export-flows.js";
export { type Walk, walkFlow } from "./walk/walk-flow.js";
export { walkAssets } from "./walk/walk-assets.js";
export { type Finding, type LintLevel, lintLevels } from "./lint/finding.js";
export { type LintedExport, lintExports } from "./lint/lint.js";
export { jsonPositions } from "./lint/json-positions.js";
export { placeInFile } from "./lint/place-in-file.js";
export { lintRules } from "./lint/rules/index.js";
export { type TalkLine, linesOf } from "./talk/talk-line.js";
export { exportEnvironment, Talk, type TalkAccount, talkAccount, talkContact } from "./talk/talk.js";
export {
  playAct,
  type PlayedAct,
  playScript,
  type TalkAct,
  type TalkMock,
  type TalkScript,
} from "./talk/talk-script.js";
export { coverFlow, type CoverWalk, type FlowCover } from "./cover/cover-flow.js";
export type { UnreachedPart } from "./cover/unreached.js";
export { ContactInputError, readTalkContact } from "./talk/contact-input.js";
export { type ChangedTalk, compareTalk } from "./talk/compare-talks.js";
