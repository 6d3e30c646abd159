/**
 * Dictionary of answer heads: most answers of a receiver have the same head. Without it a recording of a load test is a
 * quarter larger. Once released this text is never edited: a change is a new migration.
 */
export const heads = `
CREATE TABLE head (
  row   INTEGER PRIMARY KEY,
  lines TEXT NOT NULL
) STRICT;

ALTER TABLE attempt ADD COLUMN head INTEGER; -- head.row; null: they are in headers, or there were none
`;
