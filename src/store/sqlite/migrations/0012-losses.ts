/** What was lost on the way. Once released this text is never edited: a change is a new migration. */
export const losses = `
-- A text or call that was lost by a named cause: the lines behind the ledger's counts.
CREATE TABLE loss (
  row     INTEGER PRIMARY KEY,
  at_ms   INTEGER NOT NULL,
  cause   TEXT NOT NULL,    -- see wire/ledger-port.ts
  channel INTEGER NOT NULL,
  phone   TEXT NOT NULL,    -- of the other end
  text    TEXT,             -- null: a call
  message INTEGER           -- message.id; null: a person's text, or a call
) STRICT;
`;
