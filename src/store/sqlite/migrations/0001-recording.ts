/**
 * The tables of a recording. Once released this text is never edited: a change is a new migration.
 *
 * Rows are appended: `row` counts in the order of time, so SQLite fills its pages one after the other, although rows of
 * thousands of channels interleave. Ids for people and clients are separate columns. Virtual times (`…_at_ms`) are
 * milliseconds since the scenario's start; `…_wall_ms` are of the wall clock.
 */
export const recording = `
-- What is known of the run: name, seed, version, scenario, digest, result...
CREATE TABLE run (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A handset as the service knows it.
CREATE TABLE channel (
  id              INTEGER PRIMARY KEY, -- counts from 1 in the scenario's order; the event field relayer
  uuid            TEXT NOT NULL,
  name            TEXT NOT NULL,       -- the handset's selector
  phone           TEXT NOT NULL,
  url             TEXT,                -- null: its events go nowhere
  last_seen_at_ms INTEGER NOT NULL,
  power_source    TEXT NOT NULL,
  power_status    TEXT NOT NULL,
  power_level     INTEGER NOT NULL,
  network_type    TEXT NOT NULL,
  pending         TEXT NOT NULL,       -- JSON list of message ids on the phone
  retry           TEXT NOT NULL        -- the same
) STRICT;

CREATE TABLE contact (
  row           INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL,
  urn           TEXT NOT NULL,
  name          TEXT,
  language      TEXT,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE message (
  row            INTEGER PRIMARY KEY,
  id             INTEGER NOT NULL, -- channel x 2^20 + n
  channel        INTEGER NOT NULL,
  contact        INTEGER NOT NULL, -- contact.row
  phone          TEXT NOT NULL,
  direction      TEXT NOT NULL,    -- I or O
  status         TEXT NOT NULL,    -- Q, S, D, E, F, H: the latest
  text           TEXT NOT NULL,
  created_at_ms  INTEGER NOT NULL,
  modified_at_ms INTEGER NOT NULL,
  sent_at_ms     INTEGER,
  origin         TEXT NOT NULL,    -- phone, reply, story, traffic or hand
  reply_channel  INTEGER,          -- for a reply: the event that it answers
  reply_event    INTEGER
) STRICT;

CREATE TABLE call (
  row           INTEGER PRIMARY KEY,
  id            INTEGER NOT NULL, -- channel x 2^20 + n
  channel       INTEGER NOT NULL,
  contact       INTEGER NOT NULL, -- contact.row
  phone         TEXT NOT NULL,
  type          TEXT NOT NULL,
  time_ms       INTEGER NOT NULL, -- by the phone's clock, since 1970
  duration_s    INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;

-- In the order of at_ms; within one instant in no promised order.
CREATE TABLE event (
  row     INTEGER PRIMARY KEY,
  channel INTEGER NOT NULL,
  number  INTEGER NOT NULL, -- counts from 1 within the channel
  at_ms   INTEGER NOT NULL,
  type    TEXT NOT NULL,
  body    TEXT NOT NULL,    -- as sent
  subject INTEGER           -- id of the message or call that it is about
) STRICT;

-- One POST of an event; in the order in which answers came.
CREATE TABLE attempt (
  row          INTEGER PRIMARY KEY,
  channel      INTEGER NOT NULL,
  number       INTEGER NOT NULL, -- event.number
  try          INTEGER NOT NULL, -- 1 for the first
  due_at_ms    INTEGER NOT NULL,
  effect_at_ms INTEGER NOT NULL,
  sent_wall_ms REAL,             -- null: the request was never written
  duration_ms  REAL NOT NULL,
  latency_ms   REAL NOT NULL,
  status       INTEGER,
  error        TEXT,
  outcome      TEXT NOT NULL,    -- accepted, retried, refused, failed, timeout or connection
  headers      TEXT,
  body         BLOB,
  body_bytes   INTEGER NOT NULL,
  redirects    TEXT              -- JSON list of addresses; null: none
) STRICT;

-- What the answer to an event led to, where it said anything.
CREATE TABLE reply (
  row     INTEGER PRIMARY KEY,
  at_ms   INTEGER NOT NULL,
  channel INTEGER NOT NULL,
  number  INTEGER NOT NULL, -- event.number
  kind    TEXT NOT NULL,    -- valid or ignored
  reason  TEXT,
  detail  TEXT
) STRICT;

-- What came from outside the scenario; recorded before it takes effect.
CREATE TABLE input (
  row   INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  kind  TEXT NOT NULL,
  json  TEXT NOT NULL
) STRICT;

CREATE TABLE note (
  row     INTEGER PRIMARY KEY,
  at_ms   INTEGER NOT NULL,
  channel INTEGER NOT NULL, -- 0: it concerns no channel
  kind    TEXT NOT NULL,
  text    TEXT NOT NULL
) STRICT;
`;
