/**
 * Links from copies of events to their originals. Once released this text is never edited: a change is a new migration.
 */
export const copies = `
ALTER TABLE event ADD COLUMN copy_of INTEGER; -- event.number, within the channel, of the first event about the same; null: this is it
ALTER TABLE event ADD COLUMN copy_cause TEXT; -- why there is a second one, see wire/telling.ts
`;
