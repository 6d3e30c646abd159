/** Recordings: one SQLite file a run, with the service's own tables. The only room that speaks SQL. */
export { StoreError, type StoreErrorCode } from "./errors.js";
export { Digest, digestOfRecording } from "./digest.js";
export { Recording, type CreateOptions } from "./recording.js";
export { openRecording, RecordingReader } from "./reader.js";
export type {
  AttemptGlimpse,
  AttemptRow,
  EventFates,
  InputRow,
  RecordedAttempt,
  RecordedEvent,
  RecordedInput,
  RecordedMessage,
  RecordedNote,
  RecordedReply,
  RecordingCounts,
  ReplyRow,
  RunEnd,
  RunMeta,
} from "./rows.js";
export { type Cursor, List, type Page, type PageQuery, type Value } from "./account/list.js";
export type { AccountLists } from "./account/tables.js";
export type { ListedLabel } from "./account/labels.js";
