/**
 * The tables of the account: everything that the REST API shows in addition to channels, messages and calls. Once
 * released this text is never edited: a change is a new migration.
 *
 * Ids count from 1 within their table. `is_active` 0 marks deleted rows that are kept because other rows refer to them.
 * Times (`…_at_ms`) are virtual, milliseconds since the scenario's start; earlier times are negative.
 */
export const account = `
-- Contacts get what the API knows of them. urns and fields are kept as JSON beside their index tables, so that a
-- contact is one row to read.
CREATE TABLE contact_new (
  row             INTEGER PRIMARY KEY,
  uuid            TEXT NOT NULL,
  name            TEXT,
  language        TEXT,
  state           TEXT NOT NULL,    -- active, blocked, stopped or deleted
  urns            TEXT NOT NULL,    -- JSON list, highest priority first
  fields          TEXT NOT NULL,    -- JSON object: text by field key
  created_at_ms   INTEGER NOT NULL,
  modified_at_ms  INTEGER NOT NULL,
  last_seen_at_ms INTEGER           -- when they last wrote or called; null: never
) STRICT;
INSERT INTO contact_new SELECT row, uuid, name, language, 'active', json_array(urn), '{}', created_at_ms, created_at_ms, NULL FROM contact;

-- Who owns an address, and through which channel they were last in touch.
CREATE TABLE contact_urn (
  urn     TEXT PRIMARY KEY,
  contact INTEGER NOT NULL, -- contact.row
  channel INTEGER           -- channel.id; null: not yet
) STRICT, WITHOUT ROWID;
INSERT INTO contact_urn SELECT urn, row, NULL FROM contact WHERE true ON CONFLICT DO NOTHING;
DROP TABLE contact;
ALTER TABLE contact_new RENAME TO contact;
CREATE UNIQUE INDEX contact_uuid ON contact (uuid);

ALTER TABLE channel ADD COLUMN shown_seen_at_ms INTEGER NOT NULL DEFAULT 0; -- no finer than five minutes
ALTER TABLE channel ADD COLUMN has_synced INTEGER NOT NULL DEFAULT 0;
UPDATE channel SET shown_seen_at_ms = last_seen_at_ms, has_synced = last_seen_at_ms > 0;

ALTER TABLE message ADD COLUMN broadcast INTEGER;                        -- broadcast.id
ALTER TABLE message ADD COLUMN type TEXT NOT NULL DEFAULT 'inbox';       -- inbox or flow
ALTER TABLE message ADD COLUMN visibility TEXT NOT NULL DEFAULT 'visible'; -- visible, archived or deleted
ALTER TABLE message ADD COLUMN flow INTEGER;                             -- flow.id

-- 0: its channel had no delivery URL, so that nobody waits for it.
ALTER TABLE event ADD COLUMN is_posted INTEGER NOT NULL DEFAULT 1;

CREATE TABLE token (
  token     TEXT PRIMARY KEY,
  role      TEXT NOT NULL,   -- administrator, editor, surveyor or viewer
  is_active INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE contact_group (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL,    -- unique among those that are active
  name          TEXT NOT NULL,
  query         TEXT,             -- null: members are put in by hand
  members       INTEGER NOT NULL, -- how many there are
  created_at_ms INTEGER NOT NULL,
  is_active     INTEGER NOT NULL
) STRICT;

-- modified_at_ms is the contact's, so that one index holds a group's members in the order in which they are listed.
CREATE TABLE membership (
  contact        INTEGER NOT NULL, -- contact.row
  contact_group  INTEGER NOT NULL, -- contact_group.id
  modified_at_ms INTEGER NOT NULL,
  PRIMARY KEY (contact, contact_group)
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_group ON membership (contact_group, modified_at_ms, contact);
CREATE TRIGGER membership_joined AFTER INSERT ON membership BEGIN
  UPDATE contact_group SET members = members + 1 WHERE id = new.contact_group;
END;
CREATE TRIGGER membership_left AFTER DELETE ON membership BEGIN
  UPDATE contact_group SET members = members - 1 WHERE id = old.contact_group;
END;
CREATE TRIGGER membership_follows AFTER UPDATE OF modified_at_ms ON contact WHEN new.modified_at_ms <> old.modified_at_ms BEGIN
  UPDATE membership SET modified_at_ms = new.modified_at_ms WHERE contact = new.row;
END;

CREATE TABLE contact_field (
  id            INTEGER PRIMARY KEY,
  key           TEXT NOT NULL UNIQUE,
  label         TEXT NOT NULL,
  type          TEXT NOT NULL, -- text, numeric, datetime, state, district or ward
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE label (
  id            INTEGER PRIMARY KEY AUTOINCREMENT, -- never given out twice: its UUID follows from it
  uuid          TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;

-- What follows the label is the message's, so that one index holds a label's visible messages in the order in which
-- they are listed.
CREATE TABLE message_label (
  message       INTEGER NOT NULL, -- message.row
  label         INTEGER NOT NULL, -- label.id
  is_visible    INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  id            INTEGER NOT NULL,
  PRIMARY KEY (message, label)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_label_label ON message_label (label, is_visible, created_at_ms, id);
CREATE TRIGGER message_shown AFTER UPDATE OF visibility ON message WHEN new.visibility <> 'deleted' BEGIN
  UPDATE message_label SET is_visible = new.visibility = 'visible' WHERE message = new.row;
END;
CREATE TRIGGER message_deleted AFTER UPDATE OF visibility ON message WHEN new.visibility = 'deleted' BEGIN
  DELETE FROM message_label WHERE message = new.row;
END;

CREATE TABLE broadcast (
  id            INTEGER PRIMARY KEY,
  text          TEXT NOT NULL,    -- JSON object: text by language
  base_language TEXT NOT NULL,    -- one of them: for who has no other
  urns          TEXT NOT NULL,    -- JSON lists: as addressed
  contacts      TEXT NOT NULL,    -- contact.row
  groups        TEXT NOT NULL,    -- contact_group.id
  channel       INTEGER,          -- null: the best for each recipient
  status        TEXT NOT NULL,    -- queued, sent or failed
  total         INTEGER,          -- recipients; null: nobody has counted yet
  started       INTEGER NOT NULL, -- messages it has made
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE flow (
  id              INTEGER PRIMARY KEY,
  uuid            TEXT NOT NULL UNIQUE,
  name            TEXT NOT NULL,
  type            TEXT NOT NULL,    -- message, voice, survey or background
  is_archived     INTEGER NOT NULL,
  expires_minutes INTEGER NOT NULL,
  labels          TEXT NOT NULL,    -- JSON list of {uuid, name}
  results         TEXT NOT NULL,    -- JSON list of {key, name, categories, nodeUuids}, read off the definition
  definition      TEXT NOT NULL,    -- JSON, as it was written
  created_at_ms   INTEGER NOT NULL,
  modified_at_ms  INTEGER NOT NULL
) STRICT;

CREATE TABLE flow_start (
  id                   INTEGER PRIMARY KEY,
  uuid                 TEXT NOT NULL UNIQUE,
  flow                 INTEGER NOT NULL,
  groups               TEXT NOT NULL,    -- JSON list: contact_group.id
  contacts             TEXT NOT NULL,    -- JSON list: contact.row, those of its URNs included
  restart_participants INTEGER NOT NULL,
  exclude_active       INTEGER NOT NULL,
  extra                TEXT,             -- JSON; null: none
  embedded_data        TEXT,             -- the same
  status               TEXT NOT NULL,    -- pending, starting, complete or failed
  total                INTEGER,          -- contacts to be started; null: not yet counted
  created_at_ms        INTEGER NOT NULL,
  modified_at_ms       INTEGER NOT NULL
) STRICT;

CREATE INDEX flow_start_unfinished ON flow_start (id) WHERE status IN ('pending', 'starting');

-- One contact's passage through a flow.
CREATE TABLE flow_run (
  id             INTEGER PRIMARY KEY AUTOINCREMENT, -- never given out twice: its UUID follows from it
  uuid           TEXT NOT NULL,    -- unique
  flow           INTEGER NOT NULL,
  contact        INTEGER NOT NULL, -- contact.row
  start          INTEGER,          -- flow_start.id
  responded      INTEGER NOT NULL,
  path           TEXT NOT NULL,    -- JSON list of {node, atMs}, the oldest first
  results        TEXT NOT NULL,    -- JSON object by key: {name, value, category, node, atMs, input}
  answers        TEXT NOT NULL,    -- JSON list of {label, category, value, text, atMs}: all of them, the oldest first
  embedded_data  TEXT,             -- JSON; null: none
  session        TEXT,             -- JSON: what the engine needs to go on; null: it has ended
  created_at_ms  INTEGER NOT NULL,
  modified_at_ms INTEGER NOT NULL,
  exited_at_ms   INTEGER,
  exit_type      TEXT              -- completed, interrupted or expired; null: active
) STRICT;
CREATE INDEX flow_run_active ON flow_run (contact, id) WHERE exit_type IS NULL;

CREATE TABLE campaign (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  contact_group INTEGER NOT NULL,
  is_archived   INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE campaign_event (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL,    -- unique among those that are active
  campaign      INTEGER NOT NULL,
  relative_to   TEXT NOT NULL,    -- contact_field.key, created_on or last_seen_on
  offset        INTEGER NOT NULL,
  unit          TEXT NOT NULL,    -- minutes, hours, days or weeks
  delivery_hour INTEGER NOT NULL, -- -1, or 0 to 23
  message       TEXT,             -- JSON object: text by language; null: it starts a flow
  flow          INTEGER,          -- flow.id; null: it sends a message
  embedded_data TEXT,             -- JSON; null: none
  created_at_ms INTEGER NOT NULL,
  is_active     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX campaign_event_uuid ON campaign_event (uuid) WHERE is_active = 1;

-- When a campaign's event is due for a contact.
CREATE TABLE campaign_fire (
  event       INTEGER NOT NULL, -- campaign_event.id
  contact     INTEGER NOT NULL, -- contact.row
  due_at_ms   INTEGER NOT NULL,
  fired_at_ms INTEGER,          -- null: it is to come
  PRIMARY KEY (event, contact, due_at_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_fire_due ON campaign_fire (due_at_ms) WHERE fired_at_ms IS NULL;

-- What starts a flow by itself: a keyword, a missed call...
CREATE TABLE trigger_rule (
  id             INTEGER PRIMARY KEY,
  type           TEXT NOT NULL,    -- a letter, as in exports
  keyword        TEXT,             -- lower case
  match_type     TEXT NOT NULL,    -- F first word, O only word
  flow           INTEGER NOT NULL,
  channel        INTEGER,          -- channel.id; null: any
  groups         TEXT NOT NULL,    -- JSON lists: contact_group.id
  exclude_groups TEXT NOT NULL,
  is_archived    INTEGER NOT NULL,
  created_at_ms  INTEGER NOT NULL
) STRICT;

CREATE TABLE resthook (
  id             INTEGER PRIMARY KEY,
  slug           TEXT NOT NULL UNIQUE,
  created_at_ms  INTEGER NOT NULL,
  modified_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE resthook_subscriber (
  id            INTEGER PRIMARY KEY,
  resthook      INTEGER NOT NULL,
  target_url    TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  is_active     INTEGER NOT NULL
) STRICT;

CREATE TABLE resthook_event (
  id            INTEGER PRIMARY KEY,
  resthook      INTEGER NOT NULL,
  data          TEXT NOT NULL,    -- JSON object
  created_at_ms INTEGER NOT NULL
) STRICT;

-- What is still to be brought to a subscriber.
CREATE TABLE resthook_pending (
  event      INTEGER NOT NULL, -- resthook_event.id
  subscriber INTEGER NOT NULL, -- resthook_subscriber.id
  try        INTEGER NOT NULL, -- the next one, or the one under way
  due_at_ms  INTEGER NOT NULL,
  PRIMARY KEY (event, subscriber)
) STRICT, WITHOUT ROWID;

-- One POST of a resthook's event to a subscriber.
CREATE TABLE resthook_attempt (
  row         INTEGER PRIMARY KEY,
  event       INTEGER NOT NULL, -- resthook_event.id
  subscriber  INTEGER NOT NULL, -- resthook_subscriber.id
  try         INTEGER NOT NULL, -- 1 for the first
  at_ms       INTEGER NOT NULL,
  duration_ms REAL NOT NULL,
  status      INTEGER,          -- null: there was no usable answer
  error       TEXT,
  outcome     TEXT NOT NULL,    -- accepted, retried, failed or gone
  body        BLOB
) STRICT;

CREATE TABLE boundary (
  osm_id   TEXT PRIMARY KEY,
  name     TEXT NOT NULL,
  level    INTEGER NOT NULL, -- 0 country, 1 state, 2 district, 3 ward
  parent   TEXT,             -- osm_id
  aliases  TEXT NOT NULL,    -- JSON list
  geometry TEXT              -- JSON: GeoJSON
) STRICT, WITHOUT ROWID;
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
