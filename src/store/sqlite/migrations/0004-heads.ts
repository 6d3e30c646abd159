/**
 * Heads of answers that came again: a receiver says the same in most of them, and a load test's recording would be a quarter
 * longer for it. Once released this text is never edited: a change is a new migration.
 */
export const heads = `
CREATE TABLE head (
  row   INTEGER PRIMARY KEY,
  lines TEXT NOT NULL
) STRICT;

ALTER TABLE attempt ADD COLUMN head INTEGER; -- head.row; null: they are in headers, or there were none
`;
