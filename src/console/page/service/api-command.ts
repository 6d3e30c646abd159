/**
 * A shell command that requests an address with the account's token. Apostrophes are encoded, because an address may
 * contain untrusted text, and `encodeURIComponent` leaves apostrophes unchanged.
 */
export function apiCommand(url: string, token: string): string {
  return `curl -H 'Authorization: Token ${token}' '${url.replaceAll("'", "%27")}'`;
}
