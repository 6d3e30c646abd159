import type { ContactView } from "../contact-view.js";
import type { ContactRow } from "../contacts.js";

/**
 * What queries and templates see of a contact.
 *
 * @param account - `groups`: where the groups of a contact are found; `startsAtMs`: the instant 0 of virtual time, in milliseconds since 1970
 */
export function contactView(
  { row, uuid, name, language, urns, fields, createdAtMs }: ContactRow,
  account: {
    readonly groups: { groupsOf(contact: number): ContactView["groups"] };
    readonly startsAtMs: number;
  },
): ContactView {
  return {
    uuid,
    name,
    language,
    urns,
    fields,
    createdEpochMs: account.startsAtMs + createdAtMs,
    // Few queries and templates ask for groups.
    get groups() {
      return account.groups.groupsOf(row);
    },
  };
}
