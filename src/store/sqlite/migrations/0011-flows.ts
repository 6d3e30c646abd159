/**
 * Flows, campaigns and schedules run. A session, which spans the runs of several flows, has a table of its own. Once
 * released this text is never edited: a change is a new migration.
 */
export const flows = `
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
  step           INTEGER           -- as in attempt
) STRICT;

ALTER TABLE resthook_attempt ADD COLUMN step INTEGER; -- as in attempt; null: an older version did not record it

CREATE TABLE flow_session (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  contact INTEGER NOT NULL, -- contact.row
  state   TEXT NOT NULL     -- JSON: what the runner needs to continue it. A session that has ended has no row
) STRICT;
ALTER TABLE flow_start ADD COLUMN parent TEXT; -- JSON {runSummary, history} of the run that ordered it; null: none
ALTER TABLE flow_run DROP COLUMN session;

CREATE INDEX campaign_fire_contact ON campaign_fire (contact) WHERE fired_at_ms IS NULL;

-- Contacts that have changed since their fires were computed.
CREATE TABLE campaign_stale (
  contact INTEGER PRIMARY KEY -- contact.row
) STRICT;

-- I interrupts the contact's session, S skips contacts in a flow, P leaves the session alone
ALTER TABLE campaign_event ADD COLUMN start_mode TEXT NOT NULL DEFAULT 'I';
ALTER TABLE campaign_event ADD COLUMN base_language TEXT;                    -- of message; null: the primary language, or its first one

ALTER TABLE trigger_rule ADD COLUMN contacts TEXT NOT NULL DEFAULT '[]';     -- JSON list: contact.row
ALTER TABLE trigger_rule ADD COLUMN schedule TEXT;                           -- JSON; null: it is no schedule
ALTER TABLE trigger_rule ADD COLUMN next_fire_at_ms INTEGER;                 -- null: never
ALTER TABLE flow_start ADD COLUMN exclude_groups TEXT NOT NULL DEFAULT '[]'; -- JSON list: contact_group.id
ALTER TABLE flow_start ADD COLUMN origin TEXT DEFAULT 'api';                 -- null: a schedule

ALTER TABLE contact ADD COLUMN timezone TEXT; -- IANA name; null: that of the organisation
-- A flow start without restarts asks for each contact whether it was ever in the flow.
CREATE INDEX flow_run_of_contact ON flow_run (contact, flow);
`;
