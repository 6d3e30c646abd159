/**
 * Columns and tables for load runs: lateness of attempts, attempts that may have been sent twice, samples of the fleet,
 * round trips. Once released this text is never edited: a change is a new migration.
 */
export const load = `
ALTER TABLE attempt ADD COLUMN lateness_ms REAL;                     -- due time to the request's way out, by our own doing; null: lockstep
ALTER TABLE attempt ADD COLUMN is_repeat INTEGER NOT NULL DEFAULT 0; -- 1: the run was cut off while this try was out, and it was made again
ALTER TABLE attempt ADD COLUMN step INTEGER;                         -- steps of the kernel before it took effect; null: not known
ALTER TABLE input ADD COLUMN step INTEGER;                           -- the same

-- A try beyond the first is about to be made. The first one's intent is the event itself (event.is_posted).
CREATE TABLE intent (
  row     INTEGER PRIMARY KEY,
  channel INTEGER NOT NULL,
  number  INTEGER NOT NULL, -- event.number
  try     INTEGER NOT NULL
) STRICT;

-- How a group of handsets stood, looked at from time to time.
CREATE TABLE sample (
  row          INTEGER PRIMARY KEY,
  at_ms        INTEGER NOT NULL,
  wall_ms      REAL NOT NULL,    -- since the sender was made
  name         TEXT NOT NULL,    -- the group, as the scenario names it
  handsets     INTEGER NOT NULL,
  waiting      INTEGER NOT NULL, -- messages to be sent and reports to be told, on phones
  offline      INTEGER NOT NULL, -- phones without a data link
  down         INTEGER NOT NULL, -- phones that are off
  charging     INTEGER NOT NULL, -- phones on mains
  battery_mean REAL NOT NULL,    -- percent
  battery_min  REAL NOT NULL
) STRICT;

-- From an incoming text to what the receiver did about it.
CREATE TABLE round_trip (
  row     INTEGER PRIMARY KEY,
  channel INTEGER NOT NULL,
  number  INTEGER NOT NULL, -- event.number of the text
  via     TEXT NOT NULL,    -- reply, or api
  at_ms   INTEGER NOT NULL, -- when it took effect
  wall_ms REAL              -- from the text's due time; null: lockstep
) STRICT;
`;
