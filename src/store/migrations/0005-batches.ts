/**
 * Rows on their way: while a run goes as fast as it can they wait here for their tables (`PackedRows`). Of a run that has ended
 * there are none. Once released this text is never edited: a change is a new migration.
 */
export const batches = `
CREATE TABLE batch (
  row   INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL -- as row-codec.ts describes them
) STRICT;
`;
