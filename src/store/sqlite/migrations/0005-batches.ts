/**
 * Rows of a run at full speed, packed until its end. Migration 7 drops the table; `openChecked` refuses a recording
 * that still has rows in it. Once released this text is never edited: a change is a new migration.
 */
export const batches = `
CREATE TABLE batch (
  row   INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;
`;
