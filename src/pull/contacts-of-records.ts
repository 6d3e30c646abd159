import { contactUrnsMax } from "../flow/index.js";
import {
  type ContactData,
  type ContactState,
  distinctUrns,
  type GroupData,
  isUrnScheme,
  normaliseUrn,
  storedUrn,
  withoutDisplay,
} from "../wire/index.js";
import { isMap, type JsonMap, mapsIn, textOf, textsIn, uuidOf } from "./json.js";
import type { LeftOuts } from "./left-out.js";

/** Characters of a contact's name in an account file. */
const NAME_MAX = 128;

/** What contacts refer to. */
export interface ContactSurroundings {
  /** Groups by UUID. */
  readonly groups: ReadonlyMap<string, GroupData>;
  /** Keys of the account's fields. */
  readonly fieldKeys: ReadonlySet<string>;
}

/**
 * The contacts in records of `contacts.json`, the last modified first: each once, the oldest first, so that two pulls
 * of equal accounts give the same order.
 */
export function contactsOf(
  records: readonly JsonMap[],
  surroundings: ContactSurroundings,
  left: LeftOuts,
): ContactData[] {
  const owners = new Set<string>();
  // A contact that changed between two pages is on both; the record read last is the newer one.
  const distinct = new Map(records.map((record, place) => [uuidOf(record) ?? `#${place}`, record]));
  const createdAt = (record: JsonMap): string => textOf(record["created_on"]) ?? "";
  return [...distinct.values()]
    .toReversed()
    .map((record) => ({ record, at: createdAt(record) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ record }) => contactOf(record, { ...surroundings, owners }, left));
}

function contactOf(
  record: JsonMap,
  { groups, fieldKeys, owners }: ContactSurroundings & { readonly owners: Set<string> },
  left: LeftOuts,
): ContactData {
  const uuid = uuidOf(record);
  const called = uuid ?? "without a UUID";
  const name = textOf(record["name"]);
  const language = textOf(record["language"])?.toLowerCase();
  if (language !== undefined && !/^[a-z]{3}$/.test(language))
    left.add("languages of contacts", `'${language}' has not three letters`, called);
  const state = stateOf(record, called, left);
  return {
    uuid,
    name: name === undefined ? null : Array.from(name).slice(0, NAME_MAX).join(""),
    language: language !== undefined && /^[a-z]{3}$/.test(language) ? language : null,
    urns: urnsOf(record, { owners, called }, left),
    groups: state === "active" ? groupsOf(record, { groups, called }, left) : [],
    fields: fieldsOf(record, { fieldKeys, called }, left),
    state,
  };
}

function stateOf(record: JsonMap, called: string, left: LeftOuts): ContactState {
  const status = textOf(record["status"])?.toLowerCase();
  if (record["blocked"] === true || status === "blocked") return "blocked";
  if (record["stopped"] === true || status === "stopped") return "stopped";
  if (status === "archived") {
    left.add("archived contacts", "an account file has no such state: they are blocked", called);
    return "blocked";
  }
  return "active";
}

function urnsOf(
  record: JsonMap,
  { owners, called }: { readonly owners: Set<string>; readonly called: string },
  left: LeftOuts,
): string[] {
  const urns = textsIn(record["urns"]).flatMap((written): string[] => {
    const stored = storedUrn(written);
    // A phone's address can also be a short code.
    const urn = normaliseUrn(written) ?? (stored?.startsWith("tel:") === true ? stored : undefined);
    if (urn === undefined) {
      const [scheme = ""] = written.split(":", 1);
      const why = isUrnScheme(scheme) ? "not valid for their scheme" : `scheme ${scheme} is not known here`;
      left.add("addresses", /^\*+$/.test(written.slice(scheme.length + 1)) ? "hidden by the service" : why, called);
      return [];
    }
    if (!owners.has(withoutDisplay(urn))) return [urn];
    left.add("addresses", "an earlier contact has them", called);
    return [];
  });
  const distinct = distinctUrns(urns);
  if (distinct.length > contactUrnsMax) left.add("addresses", `beyond ${contactUrnsMax} of a contact`, called);
  const kept = distinct.slice(0, contactUrnsMax);
  for (const urn of kept) owners.add(withoutDisplay(urn));
  return kept;
}

/** Names of the groups without a query: the others find their members. */
function groupsOf(
  record: JsonMap,
  { groups, called }: { readonly groups: ReadonlyMap<string, GroupData>; readonly called: string },
  left: LeftOuts,
): string[] {
  return mapsIn(record["groups"]).flatMap((reference): string[] => {
    const group = groups.get(uuidOf(reference) ?? "");
    if (group === undefined) left.add("memberships", "groups that groups.json does not list", called);
    return group === undefined || group.query !== null ? [] : [group.name];
  });
}

function fieldsOf(
  record: JsonMap,
  { fieldKeys, called }: { readonly fieldKeys: ReadonlySet<string>; readonly called: string },
  left: LeftOuts,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(isMap(record["fields"]) ? record["fields"] : {})) {
    if (value === null || value === "") continue;
    if (!fieldKeys.has(key)) left.add("values of contacts", `the account has no field '${key}'`, called);
    else if (typeof value === "string") values[key] = value;
    else if (typeof value === "number" || typeof value === "boolean") values[key] = String(value);
    else left.add("values of contacts", `those of field '${key}' are not texts`, called);
  }
  return values;
}
