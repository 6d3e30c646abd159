/**
 * HTTP calls of flows, and the positions at which answers took effect. Once released this text is never edited: a change
 * is a new migration.
 */
export const flowCalls = `
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
`;
