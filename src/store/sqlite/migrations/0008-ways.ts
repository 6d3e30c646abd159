/**
 * The history of an event's text, call or outcome before it reached the service, and when phones showed messages. Once
 * released this text is never edited: a change is a new migration.
 */
export const ways = `
ALTER TABLE event ADD COLUMN began_at_ms INTEGER; -- the person sent the text, the call began, the phone took the message; null: not known
ALTER TABLE event ADD COLUMN phone_at_ms INTEGER; -- the phone had it to report; null: no phone reported it

-- What delayed a report, or the message that it is about, before its event; since the event before, for a copy.
CREATE TABLE delay (
  row         INTEGER PRIMARY KEY,
  channel     INTEGER NOT NULL,
  number      INTEGER NOT NULL, -- event.number
  kind        TEXT NOT NULL,    -- see wire/telling.ts
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
`;
