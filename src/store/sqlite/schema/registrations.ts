/** The migration to version 16: a handset's registration at the service may change. */
export const registrations = `
-- The event field relayer: of the registration that was claimed last, as uuid and phone.
ALTER TABLE channel ADD COLUMN relayer INTEGER NOT NULL DEFAULT 0;
UPDATE channel SET relayer = id;
-- 0: it is released, or belongs to another organisation.
ALTER TABLE channel ADD COLUMN is_active INTEGER NOT NULL DEFAULT 1;
-- When its phone registered.
ALTER TABLE channel ADD COLUMN created_at_ms INTEGER NOT NULL DEFAULT 0;
-- A person claims the next registration so long after it; null: nobody does.
ALTER TABLE channel ADD COLUMN claim_after_ms INTEGER;

-- All registrations of a handset whose registration changed; others have none. See gateway/registration.ts.
CREATE TABLE registration (
  relayer          INTEGER PRIMARY KEY,
  channel          INTEGER NOT NULL, -- channel.id
  uuid             TEXT NOT NULL,
  phone            TEXT NOT NULL,    -- empty: none
  org              INTEGER NOT NULL, -- 0: not claimed
  install          INTEGER NOT NULL, -- installation of the app, from 0
  registered_at_ms INTEGER NOT NULL,
  claimed_at_ms    INTEGER,
  released_at_ms   INTEGER,
  message_before   INTEGER NOT NULL, -- id of the last message before it was claimed: later ones belong to it
  call_before      INTEGER NOT NULL
) STRICT;
CREATE INDEX registration_channel ON registration (channel);
`;
