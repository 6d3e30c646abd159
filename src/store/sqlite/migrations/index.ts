import type { Connection } from "../connection.js";
import { recording } from "./0001-recording.js";
import { account, servingIndexes } from "./0002-account.js";
import { load } from "./0003-load.js";
import { heads } from "./0004-heads.js";
import { batches } from "./0005-batches.js";
import { copies } from "./0006-copies.js";
import { noBatches } from "./0007-no-batches.js";
import { ways } from "./0008-ways.js";
import { targets } from "./0009-targets.js";
import { forwards } from "./0010-forwards.js";
import { flows } from "./0011-flows.js";
import { losses } from "./0012-losses.js";
import { hostSeconds } from "./0013-host-seconds.js";
import { callRedirects } from "./0014-call-redirects.js";

export { servingIndexes };

/** "HSLB": the application id in the header of the SQLite file. */
export const APPLICATION_ID = 0x48534c42;

/** In order; a recording's `user_version` is the number of applied migrations. */
const migrations: readonly string[] = [
  recording,
  account,
  load,
  heads,
  batches,
  copies,
  noBatches,
  ways,
  targets,
  forwards,
  flows,
  losses,
  hostSeconds,
  callRedirects,
];

/** The current schema version. */
export const SCHEMA_VERSION: number = migrations.length;

/** Migrates a recording to the current schema version, or up to an older one, in one transaction. */
export function migrate(database: Connection, version: number = SCHEMA_VERSION): void {
  const from = Number(database.setting("user_version"));
  database.transaction(() => {
    for (const migration of migrations.slice(from, version)) database.exec(migration);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${version}`);
  });
}

/** Name of the unique index that finds an event by its channel and number. */
export const eventIndex = "event_number";

/** Name of the unique index on an event's attempts: it finds them, and rejects a second row for one attempt. */
export const attemptIndex = "attempt_event";

/** The attempts in the index of failures: a query finds it if it has the same words. */
export const isFailure = "attempt.outcome <> 'accepted'";

/**
 * Indexes for readers, created when a run ends. Maintained during the run they would cost more than the rows. Their
 * order is not the order of the rows, so a commit would rewrite about one page per row. A recording of a killed run
 * lacks them: reading it is slower.
 */
export const readersIndexes: string = `
CREATE UNIQUE INDEX IF NOT EXISTS message_id ON message (id);
CREATE UNIQUE INDEX IF NOT EXISTS call_id ON call (id);
CREATE UNIQUE INDEX IF NOT EXISTS ${eventIndex} ON event (channel, number);
CREATE UNIQUE INDEX IF NOT EXISTS ${attemptIndex} ON attempt (channel, number, try);
CREATE INDEX IF NOT EXISTS attempt_failure ON attempt (outcome, channel, number) WHERE ${isFailure};
CREATE INDEX IF NOT EXISTS reply_event ON reply (channel, number);
CREATE INDEX IF NOT EXISTS event_copy ON event (channel, copy_of) WHERE copy_of IS NOT NULL;
CREATE INDEX IF NOT EXISTS event_outcome ON event (subject) WHERE type IN ('mt_sent', 'mt_dlvd');
CREATE INDEX IF NOT EXISTS message_reply ON message (reply_channel, reply_event) WHERE reply_event IS NOT NULL;
CREATE INDEX IF NOT EXISTS delay_event ON delay (channel, number);
CREATE INDEX IF NOT EXISTS hearing_message ON hearing (message);
CREATE INDEX IF NOT EXISTS loss_ends ON loss (phone, channel);
CREATE INDEX IF NOT EXISTS loss_message ON loss (message) WHERE message IS NOT NULL;
CREATE INDEX IF NOT EXISTS input_resend ON input (json ->> 'id') WHERE kind = 'resend';
`;
