/**
 * Flows run. A session, which spans the runs of several flows, has a table of its own. Once released this text is never
 * edited: a change is a new migration.
 */
export const flowSessions = `
CREATE TABLE flow_session (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  contact INTEGER NOT NULL, -- contact.row
  state   TEXT NOT NULL     -- JSON: what the runner needs to continue it. A session that has ended has no row
) STRICT;
ALTER TABLE flow_start ADD COLUMN parent TEXT; -- JSON {runSummary, history} of the run that ordered it; null: none
ALTER TABLE flow_run DROP COLUMN session;
`;
