/**
 * Which events an account forwards can be chosen by channel. Once released this text is never edited: a change is a new
 * migration.
 */
export const forwards = `
ALTER TABLE channel ADD COLUMN forwards TEXT; -- JSON list of event types; null: all
`;
