/**
 * The tables of the account: everything that the REST API shows in addition to channels, contacts, messages and calls.
 * See `firstSchema`.
 *
 * Ids count from 1 within their table. `is_active` 0 marks deleted rows that are kept because other rows refer to them.
 * Times (`…_at_ms`) are virtual, milliseconds since the scenario's start; earlier times are negative.
 */
export const accountTables = `
CREATE TABLE token (
  token     TEXT PRIMARY KEY,
  role      TEXT NOT NULL, -- administrator, editor, surveyor or viewer
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
  type            TEXT NOT NULL, -- message, voice, survey or background
  is_archived     INTEGER NOT NULL,
  expires_minutes INTEGER NOT NULL,
  labels          TEXT NOT NULL, -- JSON list of {uuid, name}
  results         TEXT NOT NULL, -- JSON list of {key, name, categories, nodeUuids}, read off the definition
  definition      TEXT NOT NULL, -- JSON, as it was written
  created_at_ms   INTEGER NOT NULL,
  modified_at_ms  INTEGER NOT NULL
) STRICT;

CREATE TABLE flow_start (
  id                   INTEGER PRIMARY KEY,
  uuid                 TEXT NOT NULL UNIQUE,
  flow                 INTEGER NOT NULL,
  groups               TEXT NOT NULL, -- JSON list: contact_group.id
  contacts             TEXT NOT NULL, -- JSON list: contact.row, those of its URNs included
  restart_participants INTEGER NOT NULL,
  exclude_active       INTEGER NOT NULL,
  extra                TEXT,          -- JSON; null: none
  embedded_data        TEXT,          -- the same
  status               TEXT NOT NULL, -- pending, starting, complete or failed
  total                INTEGER,       -- contacts to be started; null: not yet counted
  created_at_ms        INTEGER NOT NULL,
  modified_at_ms       INTEGER NOT NULL,
  parent               TEXT,          -- JSON {runSummary, history} of the run that ordered it; null: none
  exclude_groups       TEXT NOT NULL, -- JSON list: contact_group.id
  origin               TEXT           -- null: a schedule
) STRICT;
CREATE INDEX flow_start_unfinished ON flow_start (id) WHERE status IN ('pending', 'starting');

-- One contact's passage through a flow.
CREATE TABLE flow_run (
  id             INTEGER PRIMARY KEY AUTOINCREMENT, -- never given out twice: its UUID follows from it
  uuid           TEXT NOT NULL,                     -- unique
  flow           INTEGER NOT NULL,
  contact        INTEGER NOT NULL,                  -- contact.row
  start          INTEGER,                           -- flow_start.id
  responded      INTEGER NOT NULL,
  path           TEXT NOT NULL,                     -- JSON list of {node, atMs}, the oldest first
  results        TEXT NOT NULL,                     -- JSON object by key: {name, value, category, node, atMs, input}
  answers        TEXT NOT NULL,                     -- JSON list of {label, category, value, text, atMs}: all of them, the oldest first
  embedded_data  TEXT,                              -- JSON; null: none
  created_at_ms  INTEGER NOT NULL,
  modified_at_ms INTEGER NOT NULL,
  exited_at_ms   INTEGER,
  exit_type      TEXT                               -- completed, interrupted or expired; null: active
) STRICT;
CREATE INDEX flow_run_active ON flow_run (contact, id) WHERE exit_type IS NULL;
-- A flow start without restarts asks for each contact whether it was ever in the flow.
CREATE INDEX flow_run_of_contact ON flow_run (contact, flow);

-- A session spans the runs of several flows.
CREATE TABLE flow_session (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  contact INTEGER NOT NULL, -- contact.row
  state   TEXT NOT NULL     -- JSON: what the runner needs to continue it. A session that has ended has no row
) STRICT;

-- One HTTP call of a flow, in the order of the answers.
CREATE TABLE flow_call (
  row            INTEGER PRIMARY KEY,
  id             INTEGER NOT NULL, -- unique
  contact        INTEGER NOT NULL, -- contact.row
  run            TEXT NOT NULL,    -- flow_run.uuid
  flow           INTEGER NOT NULL, -- flow.id
  node           TEXT NOT NULL,    -- UUID of the node
  at_ms          INTEGER NOT NULL, -- when it was made
  effect_at_ms   INTEGER NOT NULL, -- when its answer took effect
  method         TEXT NOT NULL,
  url            TEXT NOT NULL,    -- without user name and password
  body           TEXT NOT NULL,    -- '' for none
  sent_wall_ms   REAL,             -- as in attempt; null: it was not sent
  duration_ms    REAL NOT NULL,
  status         INTEGER,          -- null: there was no usable answer
  error          TEXT,
  answer_headers TEXT,             -- lines
  answer_body    BLOB,             -- its first 64 KiB
  step           INTEGER,          -- as in attempt
  redirects      TEXT              -- JSON list of addresses; null: none
) STRICT;

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
  is_active     INTEGER NOT NULL,
  start_mode    TEXT NOT NULL,    -- I interrupts the contact's session, S skips contacts in a flow, P leaves the session alone
  base_language TEXT              -- of message; null: the primary language, or its first one
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
CREATE INDEX campaign_fire_contact ON campaign_fire (contact) WHERE fired_at_ms IS NULL;

-- Contacts that have changed since their fires were computed.
CREATE TABLE campaign_stale (
  contact INTEGER PRIMARY KEY -- contact.row
) STRICT;

-- What starts a flow by itself: a keyword, a missed call...
CREATE TABLE trigger_rule (
  id              INTEGER PRIMARY KEY,
  type            TEXT NOT NULL, -- a letter, as in exports
  keyword         TEXT,          -- lower case
  match_type      TEXT NOT NULL, -- F first word, O only word
  flow            INTEGER NOT NULL,
  channel         INTEGER,       -- channel.id; null: any
  groups          TEXT NOT NULL, -- JSON lists: contact_group.id
  exclude_groups  TEXT NOT NULL,
  is_archived     INTEGER NOT NULL,
  created_at_ms   INTEGER NOT NULL,
  contacts        TEXT NOT NULL, -- JSON list: contact.row
  schedule        TEXT,          -- JSON; null: it has none
  next_fire_at_ms INTEGER        -- null: never
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
  data          TEXT NOT NULL, -- JSON object
  created_at_ms INTEGER NOT NULL
) STRICT;

-- An event that a subscriber has not accepted yet.
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
  body        BLOB,
  step        INTEGER           -- as in attempt
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
