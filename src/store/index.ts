/** Recordings: one SQLite file a run, with the service's own tables. The only room that speaks SQL. */
export { asStoreError, StoreError, storeError } from "./sqlite/errors.js";
export { findFault } from "./recording/find-fault.js";
export { Digest, digestOfRecording } from "./recording/digest.js";
export { Recording } from "./recording/recording.js";
export { STORY_WAITS_KEY, type StoryWait, storyWaitsOf } from "./recording/story-waits.js";
export type { InsertedEvent } from "./recording/journal-rows.js";
export { joinRecordings } from "./recording/join-recordings.js";
export { queryFile, tableNames } from "./sqlite/query-file.js";
export { lockRecording } from "./recording/lock-recording.js";
export { openRecording } from "./recording/open-recording.js";
export { rollBackJournal } from "./recording/roll-back-journal.js";
export { EventSpool, type SpooledEvent } from "./spool/event-spool.js";
export { RecordingReader } from "./reading/reader.js";
export type { TracedEvent, Lookup } from "./reading/lookup.js";
export type { AttemptedTuple } from "./reading/event-pages.js";
export { type EventSelection, NOT_FORWARDED, UNTRIED } from "./reading/event-selection.js";
export type { AttemptFigures, OtherFigures, SampleRow } from "./reading/figures.js";
export type {
  AttemptRow,
  RecordedAttempt,
  RecordedEvent,
  RecordedFlowCall,
  RecordedFlowRun,
  RecordedInput,
  RecordedMessage,
  RecordedResthookAttempt,
  RecordedRoundTrip,
  RunMeta,
  TroubleRow,
} from "./recording/rows.js";
export { type Cursor, List, type Page, type PageQuery, type SqlValue } from "./account/list.js";
export type { AccountLists } from "./account/tables.js";
export type { ListedCampaign } from "./account/campaigns.js";
export type { ListedCampaignEvent } from "./account/campaign-events.js";
export type { ListedContact } from "./account/contacts.js";
export type { ListedBoundary } from "./account/boundaries.js";
export type { ListedBroadcast } from "./account/broadcasts.js";
export type { ListedCall } from "./account/calls.js";
export type { ListedChannel } from "./account/channels.js";
export type { ListedFlowStart } from "./account/flow-starts.js";
export type { StoredFlow } from "./account/flows.js";
export type { ListedGroup } from "./account/groups.js";
export type { ListedLabel } from "./account/labels.js";
export type { ListedMessage } from "./account/messages.js";
export type { ListedRun } from "./account/runs.js";
export type { ListedResthookEvent, ListedSubscriber } from "./account/resthooks.js";
export type { UndeliveredEvent } from "./recording/undelivered.js";
export type { StoredLoss } from "./reading/losses.js";
export { Conversations, type StoredCall, type StoredText } from "./reading/conversations.js";
export {
  EventLog,
  type ExaminedEvent,
  LOG_SCAN_ROWS,
  type LoggedAttempt,
  type LoggedEvent,
  type LogScan,
} from "./reading/event-log.js";
