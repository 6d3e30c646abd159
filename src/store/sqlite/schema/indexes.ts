/** Name of the unique index that finds an event by its channel and number. */
export const eventIndex = "event_number";

/** Name of the unique index on an event's attempts: it finds them, and rejects a second row for one attempt. */
export const attemptIndex = "attempt_event";

/** Condition of the partial index of failures. SQLite uses the index only for queries with exactly this condition. */
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
CREATE INDEX IF NOT EXISTS event_outcome ON event (subject) WHERE type IN ('mt_sent', 'mt_dlvd', 'mt_fail');
CREATE INDEX IF NOT EXISTS message_reply ON message (reply_channel, reply_event) WHERE reply_event IS NOT NULL;
CREATE INDEX IF NOT EXISTS delay_event ON delay (channel, number);
CREATE INDEX IF NOT EXISTS hearing_message ON hearing (message);
CREATE INDEX IF NOT EXISTS loss_ends ON loss (phone, channel);
CREATE INDEX IF NOT EXISTS loss_message ON loss (message) WHERE message IS NOT NULL;
CREATE INDEX IF NOT EXISTS input_resend ON input (json ->> 'id') WHERE kind = 'resend';
`;

/**
 * Indexes for the API's lists and look-ups. They are created when an account is served, and cost time for each row from
 * then on; a run without an API has none.
 */
export const servingIndexes: string = `
CREATE INDEX IF NOT EXISTS contact_modified ON contact (modified_at_ms, row) WHERE state <> 'deleted';
CREATE INDEX IF NOT EXISTS contact_deleted ON contact (modified_at_ms, row) WHERE state = 'deleted';
CREATE UNIQUE INDEX IF NOT EXISTS message_id ON message (id);
CREATE INDEX IF NOT EXISTS broadcast_created ON broadcast (created_at_ms, id);
CREATE INDEX IF NOT EXISTS broadcast_queued ON broadcast (id) WHERE status = 'queued';
CREATE INDEX IF NOT EXISTS channel_uuid ON channel (uuid);
CREATE INDEX IF NOT EXISTS channel_phone ON channel (phone);
CREATE INDEX IF NOT EXISTS channel_created ON channel (created_at_ms, id) WHERE is_active = 1;
CREATE INDEX IF NOT EXISTS message_kept ON message (created_at_ms, id) WHERE visibility <> 'deleted';
CREATE INDEX IF NOT EXISTS message_contact ON message (contact, created_at_ms, id);
CREATE INDEX IF NOT EXISTS message_broadcast ON message (broadcast, created_at_ms, id) WHERE broadcast IS NOT NULL;
CREATE INDEX IF NOT EXISTS message_inbox ON message (created_at_ms, id) WHERE direction = 'I' AND visibility = 'visible' AND type = 'inbox';
CREATE INDEX IF NOT EXISTS message_flows ON message (created_at_ms, id) WHERE direction = 'I' AND visibility = 'visible' AND type = 'flow';
CREATE INDEX IF NOT EXISTS message_archived ON message (created_at_ms, id) WHERE direction = 'I' AND visibility = 'archived';
CREATE INDEX IF NOT EXISTS message_outbox ON message (created_at_ms, id) WHERE direction = 'O' AND visibility = 'visible' AND status = 'Q';
CREATE INDEX IF NOT EXISTS message_sent ON message (created_at_ms, id) WHERE direction = 'O' AND visibility = 'visible' AND status IN ('S', 'D');
CREATE INDEX IF NOT EXISTS message_failed ON message (created_at_ms, id) WHERE direction = 'O' AND visibility = 'visible' AND status = 'F';
CREATE INDEX IF NOT EXISTS message_incoming ON message (modified_at_ms, id) WHERE direction = 'I';
CREATE UNIQUE INDEX IF NOT EXISTS call_id ON call (id);
CREATE INDEX IF NOT EXISTS call_created ON call (created_at_ms, id);
CREATE INDEX IF NOT EXISTS call_contact ON call (contact, created_at_ms, id);
CREATE INDEX IF NOT EXISTS campaign_created ON campaign (created_at_ms, id);
CREATE INDEX IF NOT EXISTS campaign_event_created ON campaign_event (created_at_ms, id) WHERE is_active = 1;
CREATE INDEX IF NOT EXISTS flow_created ON flow (created_at_ms, id);
CREATE INDEX IF NOT EXISTS flow_start_modified ON flow_start (modified_at_ms, id);
CREATE UNIQUE INDEX IF NOT EXISTS flow_run_uuid ON flow_run (uuid);
CREATE INDEX IF NOT EXISTS flow_run_modified ON flow_run (modified_at_ms, id);
CREATE INDEX IF NOT EXISTS flow_run_responded ON flow_run (modified_at_ms, id) WHERE responded = 1;
CREATE INDEX IF NOT EXISTS flow_run_exit ON flow_run (flow, exit_type);
CREATE INDEX IF NOT EXISTS flow_run_start ON flow_run (start) WHERE start IS NOT NULL;
CREATE INDEX IF NOT EXISTS flow_run_flow ON flow_run (flow, modified_at_ms, id);
-- Behind the one by flow: where both fit, SQLite takes the later one, and a contact has few runs.
CREATE INDEX IF NOT EXISTS flow_run_contact ON flow_run (contact, modified_at_ms, id);
CREATE INDEX IF NOT EXISTS resthook_modified ON resthook (modified_at_ms, id);
CREATE INDEX IF NOT EXISTS resthook_subscriber_created ON resthook_subscriber (created_at_ms, id) WHERE is_active = 1;
CREATE INDEX IF NOT EXISTS resthook_subscriber_resthook ON resthook_subscriber (resthook, id) WHERE is_active = 1;
CREATE INDEX IF NOT EXISTS resthook_attempt_event ON resthook_attempt (event);
CREATE INDEX IF NOT EXISTS resthook_event_created ON resthook_event (created_at_ms, id);
CREATE INDEX IF NOT EXISTS resthook_event_resthook ON resthook_event (resthook, created_at_ms, id);
`;
