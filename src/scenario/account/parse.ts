import type { AccountData } from "../../wire/index.js";
import type { ReadFile } from "../sheet/csv.js";
import { type Diagnostic, withoutMark } from "../sheet/diagnostic.js";
import { readYaml, sourceOf, type ValueTree } from "../sheet/document.js";
import { fakeDiagnostics } from "../check-fakes.js";
import type { WrittenFake } from "../fakes.js";
import { inFileOrder, Problems } from "../sheet/problems.js";
import { scenarioLanguage } from "../language.js";
import { kindOfFile } from "../kind.js";
import { DocumentReader } from "../sheet/document-reader.js";
import { checkEntries, checkMembers, checkTextSize } from "../size-bounds.js";
import { isList, isMap, describeValue, type RawValue } from "../sheet/raw-value.js";
import type { AccountFile } from "./account-file.js";
import { readBoundaries } from "./parts/boundaries.js";
import { readCampaigns } from "./parts/campaigns.js";
import { readContactFields } from "./parts/contact-fields.js";
import { readContacts } from "./parts/contacts.js";
import { readExports, readFlows } from "./parts/definitions.js";
import { checkUnique } from "./duplicates.js";
import { parseExport } from "./export.js";
import { readGlobals } from "./parts/globals.js";
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
export interface AccountFileOptions {
  /** For messages. */
  readonly file: string;
  readonly rules: AccountRules;
  /** Reads a file that the account names, by its path from the account's folder; throws when it cannot. */
  readonly readFile?: ReadFile;
}

/** The account if it is sound, and the diagnostics in the order of the file. */
export interface ParsedAccount {
  readonly account?: AccountFile;
  readonly diagnostics: Diagnostic[];
  /** The fakes for `checkAccountFakes`. */
  readonly fakes: readonly WrittenFake[];
}

/**
 * Reads an account file, or an export of an account. Never throws: it returns problems as diagnostics, as many as
 * it can find. An account with warnings only is sound. `checkAccountFakes` checks what needs faker.
 */
export function parseAccount(written: string, options: AccountFileOptions): ParsedAccount {
  const text = withoutMark(written);
  if (kindOfFile(text) === "export") return { ...parseExport(text, options), fakes: [] };
  const problems = new Problems();
  const tree = readTree(text, options, problems);
  if (tree === undefined) return { diagnostics: problems.inFileOrder(), fakes: [] };
  const reader = new DocumentReader(tree, problems, { ...scenarioLanguage, noun: "account" });
  const account = readAccount(reader, { readFile: options.readFile, rules: options.rules });
  const diagnostics = problems.inFileOrder();
  const fakes = fakesInPeople(reader);
  return { account: problems.hasErrors ? undefined : account, diagnostics, fakes };
}

/** Loads faker and checks the fakes of an account. Reports unknown methods and locales. */
export async function checkAccountFakes({ account, diagnostics, fakes }: ParsedAccount): Promise<ParsedAccount> {
  const told = await fakeDiagnostics(fakes);
  if (told.length > 0) return { diagnostics: inFileOrder([...diagnostics, ...told]), fakes };
  return { account, diagnostics, fakes };
}

interface Sources {
  readonly readFile: ReadFile | undefined;
  readonly rules: AccountRules;
}

function readTree(text: string, { file, readFile }: AccountFileOptions, problems: Problems): ValueTree | undefined {
  const source = sourceOf(file, text);
  const tree = checkTextSize(source, "YAML", problems) ? readYaml(source, problems) : undefined;
  if (tree === undefined) return undefined;
  if (isMap(tree.value)) return withCsv(tree, readFile, problems);
  const span = { ...tree.location.span, end: tree.location.span.start + 1 };
  problems.add(span, {
    code: "wrong-type",
    message:
      tree.value === null
        ? "the file is empty"
        : `an account must be a map (key: value), got ${describeValue(tree.value)}`,
    hint: "begin it with account: { name: … }",
  });
  return undefined;
}

function readAccount(reader: DocumentReader, sources: Sources): AccountFile | undefined {
  if (!checkEntries(reader)) return undefined;
  for (const key of reader.keys([])) if (!accountKeys.includes(key)) reader.reportUnknownKey([key], accountKeys);
  const head = readHead(reader);
  const flows = readFlows(reader, sources);
  const contacts = readContacts(reader);
  const people = readPeople(reader);
  checkMembers(
    reader,
    "people",
    people.map(({ data }) => data),
  );
  const own: AccountData = {
    organisation: head?.organisation,
    globals: readGlobals(reader),
    tokens: readTokens(reader),
    fields: readContactFields(reader),
    groups: readGroups(reader),
    labels: readLabels(reader),
    contacts: contacts.map(({ data }) => data),
    flows: flows.map(({ data }) => data),
    campaigns: readCampaigns(reader, head?.organisation?.primaryLanguage ?? null),
    triggers: readTriggers(reader),
    resthooks: readResthooks(reader),
    boundaries: readBoundaries(reader, sources.readFile),
    runs: readRuns(reader),
    orders: readOrders(reader, head?.organisation?.primaryLanguage ?? null),
  };
  const mentioned = flows.map((flow) => ({ ...flow.mentioned, flows: [], campaigns: [], triggers: [] }));
  const exports = readExports(reader, sources);
  const account = merged(own, [...exports, ...mentioned]);
  const isAddition = head?.isAddition === true;
  checkUnique(reader, { flows, contacts, people });
  const isPart = (part: string, read: number): boolean => itemsOf(reader.at([part])) > read;
  const isFlowUnread = isPart("flows", flows.length) || isPart("definitions", exports.length);
  const unread = new Set<"flow" | "contact">(isFlowUnread ? ["flow"] : []);
  if (isPart("contacts", contacts.length)) unread.add("contact");
  checkReferences(reader, account, { isAddition, unread });
  // In an addition, the fields that a query names may exist only in the account.
  if (!isAddition) checkQueries(reader, account, sources.rules);
  if (head === undefined) return undefined;
  return {
    ...account,
    isAddition,
    people: people.map(({ data }) => data),
  };
}

function itemsOf(written: RawValue | undefined): number {
  if (isList(written)) return written.length;
  return isMap(written) ? Object.keys(written).length : typeof written === "string" ? 1 : 0;
}
