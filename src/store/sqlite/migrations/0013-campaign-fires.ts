/**
 * Campaigns and schedules fire. Once released this text is never edited: a change is a new migration.
 */
export const campaignFires = `
CREATE INDEX campaign_fire_contact ON campaign_fire (contact) WHERE fired_at_ms IS NULL;

-- Contacts that have changed since their fires were computed.
CREATE TABLE campaign_stale (
  contact INTEGER PRIMARY KEY -- contact.row
) STRICT;

-- I interrupts the contact's session, S skips contacts in a flow, P leaves the session alone
ALTER TABLE campaign_event ADD COLUMN start_mode TEXT NOT NULL DEFAULT 'I';
ALTER TABLE campaign_event ADD COLUMN base_language TEXT;                    -- of message; null: the primary language, or its first one

ALTER TABLE trigger_rule ADD COLUMN contacts TEXT NOT NULL DEFAULT '[]';     -- JSON list: contact.row
ALTER TABLE trigger_rule ADD COLUMN schedule TEXT;                           -- JSON; null: it is no schedule
ALTER TABLE trigger_rule ADD COLUMN next_fire_at_ms INTEGER;                 -- null: never
ALTER TABLE flow_start ADD COLUMN exclude_groups TEXT NOT NULL DEFAULT '[]'; -- JSON list: contact_group.id
ALTER TABLE flow_start ADD COLUMN origin TEXT DEFAULT 'api';                 -- null: a schedule
`;
