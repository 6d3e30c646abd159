import { type AccountTables, withMethods } from "../../account/index.js";

/**
 * The tables of an account, which report each change of a contact's runs and memberships.
 *
 * @param onChange - receives the row of the contact, after the change
 */
export function watchedTables(tables: AccountTables, onChange: (contact: number) => void): AccountTables {
  const { runs, groups } = tables;
  return {
    ...tables,
    runs: withMethods(runs, {
      put(row) {
        runs.put(row);
        onChange(row.contact);
      },
      putStep(run, make) {
        runs.putStep(run, make);
        onChange(run.contact);
      },
    }),
    groups: withMethods(groups, {
      join(id, contact) {
        groups.join(id, contact);
        onChange(contact);
      },
      leave(id, contact) {
        groups.leave(id, contact);
        onChange(contact);
      },
      leaveAll(contact) {
        groups.leaveAll(contact);
        onChange(contact);
      },
    }),
  };
}
