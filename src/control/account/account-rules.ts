import { accountOfDefinitions, type ContactQuerySchema, parseContactQuery } from "../../account/index.js";
import {
  type AccountFileOptions,
  type AccountRules,
  checkAccountFakes,
  parseAccount,
  type ParsedAccount,
} from "../../scenario/index.js";

/** Rules by which account files read definitions of flows and check contact queries. */
export const accountRules: AccountRules = {
  readDefinitions: accountOfDefinitions,
  queryChecker({ organisation, fields, groups }) {
    const names = new Set(groups.map(({ name }) => name.toLowerCase()));
    const uuids = new Set(groups.flatMap(({ uuid }) => uuid ?? []));
    const schema: ContactQuerySchema = {
      fields: new Map(fields.map(({ key, label, type }) => [key ?? label, type])),
      isAnonymous: organisation?.isAnonymous ?? false,
      timezone: organisation?.timezone ?? "UTC",
      dateStyle: organisation?.dateStyle ?? "day_first",
      currentYear: 2026, // completes two-digit years; the check only needs a valid date
      boundaryName: () => undefined,
      hasGroup: (name) => names.has(name.toLowerCase()) || uuids.has(name),
    };
    return (query) => {
      const reading = parseContactQuery(query, schema);
      return reading.ok ? undefined : reading.error;
    };
  },
};

/**
 * Reads an account file (YAML) or an export of an account (JSON), and checks its fakes. Never throws: problems are
 * returned as diagnostics, for `formatDiagnostics`.
 *
 * @param options - `file`: for messages; `readFile`: reads a file that the account names, by its path from the account's
 *   folder, and throws when it cannot
 */
export function readAccount(text: string, options: Omit<AccountFileOptions, "rules">): Promise<ParsedAccount> {
  return checkAccountFakes(parseAccount(text, { ...options, rules: accountRules }));
}
