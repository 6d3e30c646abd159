/** When other programs used this machine. Once released this text is never edited: a change is a new migration. */
export const hostSeconds = `
-- A wall second of the run in which other programs competed for this machine's cores. Recordings of earlier versions
-- have none.
CREATE TABLE host_second (
  row             INTEGER PRIMARY KEY,
  at_ms           REAL NOT NULL, -- its begin, wall milliseconds as attempt.sent_wall_ms
  share           REAL NOT NULL, -- of the second that was busy, 0 to 1
  others_per_core REAL           -- tasks of other programs that wanted each core, on average; null: not counted
) STRICT;
`;
