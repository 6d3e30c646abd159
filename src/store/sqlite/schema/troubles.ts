/** The migration to version 17: trouble between the service and the receiver. */
export const troubles = `
-- What an attempt met on its way, drawn when it was due: see wire/delivery-trouble.ts.
CREATE TABLE trouble (
  row     INTEGER PRIMARY KEY,
  at_ms   INTEGER NOT NULL,
  channel INTEGER NOT NULL,
  number  INTEGER NOT NULL, -- event.number
  try     INTEGER NOT NULL,
  kind    TEXT NOT NULL,
  value   TEXT NOT NULL     -- its size: 40000 ms, body; empty: it has none
) STRICT;
CREATE INDEX trouble_event ON trouble (channel, number);
`;
