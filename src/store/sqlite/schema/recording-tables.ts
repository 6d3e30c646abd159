/**
 * The tables of a run: channels, contacts, messages, events, attempts and what was measured. See `firstSchema`.
 *
 * Rows are appended: `row` counts in the order of time, so SQLite fills its pages one after the other, although rows of
 * thousands of channels interleave. Ids for people and clients are separate columns. Virtual times (`…_at_ms`) are
 * milliseconds since the scenario's start; `…_wall_ms` are of the wall clock.
 */
export const recordingTables = `
-- What is known of the run: name, seed, version, scenario, digest, result...
CREATE TABLE run (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A handset as the service knows it.
CREATE TABLE channel (
  id               INTEGER PRIMARY KEY, -- counts from 1 in the scenario's order; the event field relayer
  uuid             TEXT NOT NULL,
  name             TEXT NOT NULL,       -- the handset's selector
  phone            TEXT NOT NULL,
  url              TEXT,                -- null: its events go nowhere
  last_seen_at_ms  INTEGER NOT NULL,
  power_source     TEXT NOT NULL,
  power_status     TEXT NOT NULL,
  power_level      INTEGER NOT NULL,
  network_type     TEXT NOT NULL,
  pending          TEXT NOT NULL,       -- JSON list of message ids on the phone
  retry            TEXT NOT NULL,       -- the same
  shown_seen_at_ms INTEGER NOT NULL,    -- no finer than five minutes
  has_synced       INTEGER NOT NULL,
  forwards         TEXT                 -- JSON list of event types; null: all
) STRICT;

-- urns and fields are JSON beside their index tables, so that a contact is one row to read.
CREATE TABLE contact (
  row             INTEGER PRIMARY KEY,
  uuid            TEXT NOT NULL,
  name            TEXT,
  language        TEXT,
  state           TEXT NOT NULL, -- active, blocked, stopped or deleted
  urns            TEXT NOT NULL, -- JSON list, highest priority first
  fields          TEXT NOT NULL, -- JSON object: text by field key
  created_at_ms   INTEGER NOT NULL,
  modified_at_ms  INTEGER NOT NULL,
  last_seen_at_ms INTEGER,       -- when they last wrote or called; null: never
  timezone        TEXT           -- IANA name; null: that of the organisation
) STRICT;
CREATE UNIQUE INDEX contact_uuid ON contact (uuid);

-- Who owns an address, and through which channel they were last in touch.
CREATE TABLE contact_urn (
  urn     TEXT PRIMARY KEY,
  contact INTEGER NOT NULL, -- contact.row
  channel INTEGER           -- channel.id; null: not yet
) STRICT, WITHOUT ROWID;

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
  reply_event    INTEGER,
  broadcast      INTEGER,          -- broadcast.id
  type           TEXT NOT NULL,    -- inbox or flow
  visibility     TEXT NOT NULL,    -- visible, archived or deleted
  flow           INTEGER           -- flow.id
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
  row         INTEGER PRIMARY KEY,
  channel     INTEGER NOT NULL,
  number      INTEGER NOT NULL, -- counts from 1 within the channel
  at_ms       INTEGER NOT NULL,
  type        TEXT NOT NULL,
  body        TEXT NOT NULL,    -- as sent
  subject     INTEGER,          -- id of the message or call that it is about
  is_posted   INTEGER NOT NULL, -- 0: its channel had no delivery URL, so nobody waits for it
  copy_of     INTEGER,          -- event.number, within the channel, of the first event about the same; null: this is it
  copy_cause  TEXT,             -- why there is a second one, see wire/sync/report-origin.ts
  began_at_ms INTEGER,          -- the person sent the text, the call began, the phone took the message; null: not known
  phone_at_ms INTEGER           -- the phone had it to report; null: no phone reported it
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
  redirects    TEXT,             -- JSON list of addresses; null: none
  lateness_ms  REAL,             -- due time to the request's way out, by our own doing; null: lockstep
  is_repeat    INTEGER NOT NULL, -- 1: the run was cut off while this try was out, and it was made again
  step         INTEGER,          -- steps of the kernel before it took effect; null: not known
  head         INTEGER,          -- head.row; null: they are in headers, or there were none
  target       INTEGER           -- target.row
) STRICT;

-- What the answer to an event led to, if the answer has a command.
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
  json  TEXT NOT NULL,
  step  INTEGER -- as in attempt
) STRICT;

CREATE TABLE note (
  row     INTEGER PRIMARY KEY,
  at_ms   INTEGER NOT NULL,
  channel INTEGER NOT NULL, -- 0: it concerns no channel
  kind    TEXT NOT NULL,
  text    TEXT NOT NULL
) STRICT;

-- A try beyond the first is about to be made. The first one's intent is the event itself (event.is_posted).
CREATE TABLE intent (
  row     INTEGER PRIMARY KEY,
  channel INTEGER NOT NULL,
  number  INTEGER NOT NULL, -- event.number
  try     INTEGER NOT NULL
) STRICT;

-- The state of a group of handsets, sampled from time to time.
CREATE TABLE sample (
  row          INTEGER PRIMARY KEY,
  at_ms        INTEGER NOT NULL,
  wall_ms      REAL NOT NULL,    -- since the sender was made
  name         TEXT NOT NULL,    -- the group, as the scenario names it
  handsets     INTEGER NOT NULL,
  waiting      INTEGER NOT NULL, -- on phones: messages to send and reports for the service
  offline      INTEGER NOT NULL, -- phones without a data link
  down         INTEGER NOT NULL, -- phones that are off
  charging     INTEGER NOT NULL, -- phones on mains
  battery_mean REAL NOT NULL,    -- percent
  battery_min  REAL NOT NULL
) STRICT;

-- The time from an incoming text to the receiver's answer.
CREATE TABLE round_trip (
  row     INTEGER PRIMARY KEY,
  channel INTEGER NOT NULL,
  number  INTEGER NOT NULL, -- event.number of the text
  via     TEXT NOT NULL,    -- reply, or api
  at_ms   INTEGER NOT NULL, -- when it took effect
  wall_ms REAL              -- from the text's due time; null: lockstep
) STRICT;

-- Dictionary of answer heads: most answers of a receiver have the same. Without it a recording of a load test is a
-- quarter larger.
CREATE TABLE head (
  row   INTEGER PRIMARY KEY,
  lines TEXT NOT NULL
) STRICT;

-- What delayed a report, or the message that it is about, before its event; since the event before, for a copy.
CREATE TABLE delay (
  row         INTEGER PRIMARY KEY,
  channel     INTEGER NOT NULL,
  number      INTEGER NOT NULL, -- event.number
  kind        TEXT NOT NULL,    -- see wire/sync/report-origin.ts
  why         TEXT,             -- the same; null: not known
  from_at_ms  INTEGER NOT NULL,
  until_at_ms INTEGER NOT NULL,
  times       INTEGER NOT NULL  -- in a row: failed syncs, failed tries
) STRICT;

-- A person's phone has shown a message; twice where the carrier delivered it twice.
CREATE TABLE hearing (
  row     INTEGER PRIMARY KEY,
  message INTEGER NOT NULL, -- message.id
  at_ms   INTEGER NOT NULL
) STRICT;

-- Where attempts were sent: a channel's delivery URL may change.
CREATE TABLE target (
  row INTEGER PRIMARY KEY,
  url TEXT NOT NULL -- without user name and password
) STRICT;

-- A text or call that was lost by a named cause: the lines behind the ledger's counts.
CREATE TABLE loss (
  row     INTEGER PRIMARY KEY,
  at_ms   INTEGER NOT NULL,
  cause   TEXT NOT NULL, -- see wire/ledger-port.ts
  channel INTEGER NOT NULL,
  phone   TEXT NOT NULL, -- of the person
  text    TEXT,          -- null: a call
  message INTEGER        -- message.id; null: a person's text, or a call
) STRICT;

-- A wall second of the run in which other programs competed for this machine's cores.
CREATE TABLE host_second (
  row             INTEGER PRIMARY KEY,
  at_ms           REAL NOT NULL, -- its begin, wall milliseconds as attempt.sent_wall_ms
  share           REAL NOT NULL, -- of the second that was busy, 0 to 1
  others_per_core REAL           -- tasks of other programs that wanted each core, on average; null: not counted
) STRICT;
`;
