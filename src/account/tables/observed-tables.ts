import type { AccountTables } from "./account-tables.js";
import { withMethods } from "./with-methods.js";

/** Observer of every change of contacts and memberships on which campaigns can depend. */
export interface ContactObserver {
  /** Called when a contact was added or changed, or joined or left a group. */
  contactChanged(contact: number): void;
  /** Called when a contact wrote or called. */
  contactSeen(contact: number): void;
  /** Called before a group loses all its members. */
  groupEnds(group: number): void;
}

/** The same tables, which also report changes of contacts and memberships to an observer. */
export function observedTables(tables: AccountTables, observer: ContactObserver): AccountTables {
  const { contacts, groups } = tables;
  return {
    ...tables,
    contacts: withMethods(contacts, {
      add(row) {
        contacts.add(row);
        observer.contactChanged(row.row);
      },
      put(row) {
        contacts.put(row);
        observer.contactChanged(row.row);
      },
      seen(contact, urn, channel, atMs) {
        contacts.seen(contact, urn, channel, atMs);
        observer.contactSeen(contact);
      },
    }),
    groups: withMethods(groups, {
      remove(id) {
        observer.groupEnds(id);
        groups.remove(id);
      },
      join(id, contact) {
        groups.join(id, contact);
        observer.contactChanged(contact);
      },
      leave(id, contact) {
        groups.leave(id, contact);
        observer.contactChanged(contact);
      },
      leaveAll(contact) {
        groups.leaveAll(contact);
        observer.contactChanged(contact);
      },
    }),
  };
}
