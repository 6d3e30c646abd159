/** Where calls of flows were redirected to. Once released this text is never edited: a change is a new migration. */
export const callRedirects = `
ALTER TABLE flow_call ADD COLUMN redirects TEXT; -- JSON list of addresses; null: none
`;
