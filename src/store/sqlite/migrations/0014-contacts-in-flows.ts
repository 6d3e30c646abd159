/**
 * Flows set the time zone of a contact. Once released this text is never edited: a change is a new migration.
 */
export const contactsInFlows = `
ALTER TABLE contact ADD COLUMN timezone TEXT; -- IANA name; null: that of the organisation
-- A flow start without restarts asks for each contact whether it was ever in the flow.
CREATE INDEX flow_run_of_contact ON flow_run (contact, flow);
`;
