import type { AccountData } from "../../wire/index.js";
import type { ReadFile } from "../sheet/csv.js";
import { type Diagnostic, withoutMark } from "../sheet/diagnostic.js";
import { readYaml, sourceOf, type Tree } from "../sheet/document.js";
import { fakeDiagnostics } from "../check-fakes.js";
import type { WrittenFake } from "../fakes.js";
import { inFileOrder, Problems } from "../sheet/problems.js";
import { scenarioLanguage } from "../language.js";
import { kindOfFile } from "../kind.js";
import { Sheet } from "../sheet/sheet.js";
import { checkEntries, checkMembers, checkTextSize } from "../size-bounds.js";
import { isList, isMap, shown, type Written } from "../sheet/written.js";
import type { AccountFile } from "./account-file.js";
import { readBoundaries } from "./parts/boundaries.js";
import { readCampaigns } from "./parts/campaigns.js";
import { readContactFields } from "./parts/contact-fields.js";
import { readContacts } from "./parts/contacts.js";
import { readExports, readFlows } from "./parts/definitions.js";
import { checkUnique } from "./duplicates.js";
import { parseExport } from "./export.js";
import { checkQueries, readGroups, readLabels } from "./parts/groups.js";
import { merged } from "./merge.js";
import { readHead, readTokens } from "./parts/organisation.js";
import { readOrders } from "./parts/orders.js";
import { fakesInPeople, readPeople, withCsv } from "./parts/people.js";
import { checkReferences } from "./references.js";
import { readResthooks } from "./parts/resthooks.js";
import type { AccountRules } from "./rules.js";
import { readRuns } from "./parts/runs.js";
import { accountKeys } from "./top-level.js";
import { readTriggers } from "./parts/triggers.js";

/** How an account is read. */
export interface AccountOptions {
  /** For messages. */
  readonly file: string;
  readonly rules: AccountRules;
  /** Reads a file that the account names, by its path from the account's folder; throws when it cannot. */
  readonly readFile?: ReadFile;
}

/** An account if it is sound, and what there is to say about the file, in its order. */
export interface ParsedAccount {
  readonly account?: AccountFile;
  readonly diagnostics: Diagnostic[];
  /** What `checkAccountFakes` has to look at. */
  readonly fakes: readonly WrittenFake[];
}

/**
 * Reads an account file, or an export of an account. Never throws: whatever is wrong with the text comes back as diagnostics, as many as can be found
 * at once. Warnings alone do not keep an account from being sound. What needs faker is left to `checkAccountFakes`.
 */
export function parseAccount(written: string, options: AccountOptions): ParsedAccount {
  const text = withoutMark(written);
  if (kindOfFile(text) === "export") return { ...parseExport(text, options), fakes: [] };
  const problems = new Problems();
  const tree = readTree(text, options, problems);
  if (tree === undefined) return { diagnostics: problems.inOrder(), fakes: [] };
  const sheet = new Sheet(tree, problems, { ...scenarioLanguage, noun: "account" });
  const account = readAccount(sheet, { readFile: options.readFile, rules: options.rules });
  const diagnostics = problems.inOrder();
  const fakes = fakesInPeople(sheet);
  return { account: problems.hasErrors ? undefined : account, diagnostics, fakes };
}

/** The second look at an account, for which faker must be loaded: fakes and locales that it does not have. */
export async function checkAccountFakes({ account, diagnostics, fakes }: ParsedAccount): Promise<ParsedAccount> {
  const told = await fakeDiagnostics(fakes);
  if (told.length > 0) return { diagnostics: inFileOrder([...diagnostics, ...told]), fakes };
  return { account, diagnostics, fakes };
}

interface Sources {
  readonly readFile: ReadFile | undefined;
  readonly rules: AccountRules;
}

function readTree(text: string, { file, readFile }: AccountOptions, problems: Problems): Tree | undefined {
  const source = sourceOf(file, text);
  const tree = checkTextSize(source, "YAML", problems) ? readYaml(source, problems) : undefined;
  if (tree === undefined) return undefined;
  if (isMap(tree.value)) return withCsv(tree, readFile, problems);
  const spot = { ...tree.place.spot, end: tree.place.spot.start + 1 };
  problems.add(spot, {
    code: "wrong-type",
    message:
      tree.value === null ? "the file is empty" : `an account must be a map (key: value), got ${shown(tree.value)}`,
    hint: "begin it with account: { name: … }",
  });
  return undefined;
}

function readAccount(sheet: Sheet, sources: Sources): AccountFile | undefined {
  if (!checkEntries(sheet)) return undefined;
  for (const key of sheet.keys([])) if (!accountKeys.includes(key)) sheet.unknownKey([key], accountKeys);
  const head = readHead(sheet);
  const flows = readFlows(sheet, sources);
  const contacts = readContacts(sheet);
  const people = readPeople(sheet);
  checkMembers(
    sheet,
    "people",
    people.map(({ data }) => data),
  );
  const own: AccountData = {
    organisation: head?.organisation,
    tokens: readTokens(sheet),
    fields: readContactFields(sheet),
    groups: readGroups(sheet),
    labels: readLabels(sheet),
    contacts: contacts.map(({ data }) => data),
    flows: flows.map(({ data }) => data),
    campaigns: readCampaigns(sheet, head?.organisation?.primaryLanguage ?? null),
    triggers: readTriggers(sheet),
    resthooks: readResthooks(sheet),
    boundaries: readBoundaries(sheet, sources.readFile),
    runs: readRuns(sheet),
    orders: readOrders(sheet, head?.organisation?.primaryLanguage ?? null),
  };
  const mentioned = flows.map((flow) => ({ ...flow.mentioned, flows: [], campaigns: [], triggers: [] }));
  const exports = readExports(sheet, sources);
  const account = merged(own, [...exports, ...mentioned]);
  const isAddition = head?.isAddition === true;
  checkUnique(sheet, { flows, contacts, people });
  const isPart = (part: string, read: number): boolean => itemsOf(sheet.at([part])) > read;
  const isFlowUnread = isPart("flows", flows.length) || isPart("definitions", exports.length);
  const unread = new Set<"flow" | "contact">(isFlowUnread ? ["flow"] : []);
  if (isPart("contacts", contacts.length)) unread.add("contact");
  checkReferences(sheet, account, { isAddition, unread });
  // The fields that a query names may be in the account that the file adds to.
  if (!isAddition) checkQueries(sheet, account, sources.rules);
  if (head === undefined) return undefined;
  return {
    ...account,
    isAddition,
    people: people.map(({ data }) => data),
  };
}

function itemsOf(written: Written | undefined): number {
  if (isList(written)) return written.length;
  return isMap(written) ? Object.keys(written).length : typeof written === "string" ? 1 : 0;
}
