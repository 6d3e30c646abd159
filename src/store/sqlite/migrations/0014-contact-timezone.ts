/**
 * Flows set the time zone of a contact. Once released this text is never edited: a change is a new migration.
 */
export const contactTimezone = `
ALTER TABLE contact ADD COLUMN timezone TEXT; -- IANA name; null: that of the organisation
`;
