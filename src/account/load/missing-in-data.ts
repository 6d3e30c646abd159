import { type MissingReference, missingReferences } from "../../flow/index.js";
import type { AccountData, BoundaryData } from "../../wire/index.js";
import { boundaryLevelOf } from "../boundaries.js";
import { keyOfLabel } from "../text/field-values.js";
import { readableFlows } from "./readable-flows.js";

/** An account's data, with the people to generate for it. */
type DataWithPeople = AccountData & {
  readonly people?: readonly {
    readonly groups: readonly string[];
    readonly fields: Readonly<Record<string, unknown>>;
  }[];
};

/**
 * The objects that flows of account files refer to and no file has, such as a flow that they enter. All files are
 * loaded into one account. Channels are not looked up, because handsets are channels.
 *
 * @param all - all files
 */
export function missingInData(
  accounts: readonly Pick<AccountData, "flows">[],
  all: readonly DataWithPeople[],
): readonly MissingReference[] {
  const definitions = accounts
    .flatMap((account) => readableFlows(account.flows))
    .flatMap(({ read }) => ("definition" in read ? [read.definition] : []));
  const flows = new Set(
    all.flatMap((account) => account.flows.flatMap(({ uuid, definition }) => marksOf([uuid, definition["uuid"]]))),
  );
  const named = (kind: "groups" | "labels" | "contacts"): string[] =>
    all.flatMap((account) => account[kind].flatMap(({ uuid, name }) => marksOf([uuid, name])));
  const groups = new Set([...named("groups"), ...all.flatMap(groupsMadeBy)]);
  const [labels, contacts] = [new Set(named("labels")), new Set(named("contacts"))];
  const fields = new Set(all.flatMap(fieldKeysOf));
  const globals = new Set(all.flatMap((account) => Object.keys(account.globals ?? {}).flatMap((key) => mark(key))));
  const depth = Math.max(0, ...all.flatMap(({ boundaries }) => boundaries.map(depthOf)));
  return missingReferences(definitions, ({ kind, uuid = "", name }) => {
    switch (kind) {
      case "flow":
      case "trigger flow":
        return flows.has(mark(uuid));
      case "group":
        return groups.has(mark(uuid)) || groups.has(mark(name));
      case "label":
        return labels.has(mark(uuid)) || labels.has(mark(name));
      case "field":
        return fields.has(name);
      case "global":
        return globals.has(mark(name));
      case "contact":
        return contacts.has(mark(uuid));
      case "boundaries":
        return boundaryLevelOf(name) <= depth;
      case "channel":
        return true;
    }
  });
}

/** The groups that loading creates because contacts, campaigns, triggers and orders name them. */
function groupsMadeBy({ contacts, people = [], campaigns, triggers, orders }: DataWithPeople): string[] {
  return marksOf([
    ...[...contacts, ...people].flatMap((contact) => contact.groups),
    ...campaigns.map((campaign) => campaign.group),
    ...triggers.flatMap((trigger) => [...trigger.groups, ...trigger.excludeGroups]),
    ...orders.flatMap((order) => ("groups" in order ? order.groups : [])),
  ]);
}

/** Keys of the fields that loading creates, including those that contacts and campaigns name. */
function fieldKeysOf({ fields, contacts, people = [], campaigns }: DataWithPeople): string[] {
  return [
    ...fields.map(({ key, label }) => key ?? keyOfLabel(label)),
    ...[...contacts, ...people].flatMap((contact) => Object.keys(contact.fields)),
    ...campaigns.flatMap(({ events }) => events.map(({ relativeTo }) => relativeTo)),
  ];
}

function marksOf(names: readonly unknown[]): string[] {
  return names.flatMap((name) => (typeof name === "string" ? [mark(name)] : []));
}

function mark(name: string): string {
  return name.trim().toLowerCase();
}

/** Levels below the country. */
function depthOf({ parts }: BoundaryData): number {
  return parts.reduce((depth, part) => Math.max(depth, 1 + depthOf(part)), 0);
}
