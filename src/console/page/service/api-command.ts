/**
 * A shell command that asks for an address with the account's token. Addresses may hold what strangers wrote, and
 * `encodeURIComponent` leaves apostrophes as they are: none may end the quotes.
 */
export function apiCommand(url: string, token: string): string {
  return `curl -H 'Authorization: Token ${token}' '${url.replaceAll("'", "%27")}'`;
}
