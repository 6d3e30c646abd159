/**
 * Where each attempt was sent, because a channel's delivery URL may change. Once released this text is never edited: a
 * change is a new migration.
 */
export const targets = `
CREATE TABLE target (
  row INTEGER PRIMARY KEY,
  url TEXT NOT NULL -- without user name and password
) STRICT;

ALTER TABLE attempt ADD COLUMN target INTEGER; -- target.row; null: an older version did not record it
`;
