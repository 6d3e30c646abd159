import type { AccountData } from "../../wire/index.js";

/**
 * Merges the parts of exports and flows into an account. The account's own part wins over one with the same key, slug,
 * UUID or name. A group or label of the account only gets a missing UUID, because flows refer to them by UUID.
 */
export function merged(own: AccountData, others: readonly AccountData[]): AccountData {
  return others.reduce(
    (all, more) => ({
      ...all,
      fields: withNew(all.fields, more.fields, ({ key, label }) => [key ?? label]),
      groups: withNew(withUuids(all.groups, more.groups), more.groups, marksOf),
      labels: withNew(withUuids(all.labels, more.labels), more.labels, marksOf),
      flows: withNew(all.flows, more.flows, marksOf),
      campaigns: withNew(all.campaigns, more.campaigns, marksOf),
      triggers: [...all.triggers, ...more.triggers],
      resthooks: withNew(all.resthooks, more.resthooks, ({ slug }) => [slug]),
    }),
    own,
  );
}

interface Named {
  readonly uuid?: string;
  readonly name: string;
}

/** The form in which names and UUIDs are compared: in lower case, without outer white space. */
export function comparableName(name: string): string {
  return name.trim().toLowerCase();
}

function marksOf({ uuid, name }: Named): string[] {
  return [comparableName(name), ...(uuid === undefined ? [] : [comparableName(uuid)])];
}

function withNew<T>(own: readonly T[], more: readonly T[], marks: (one: T) => readonly string[]): T[] {
  const known = new Set(own.flatMap(marks));
  return [...own, ...more.filter((one) => !marks(one).some((mark) => known.has(mark)))];
}

function withUuids<T extends Named>(own: readonly T[], more: readonly T[]): T[] {
  const uuids = new Map(more.map(({ uuid, name }) => [comparableName(name), uuid]));
  return own.map((one) => {
    const uuid = one.uuid ?? uuids.get(comparableName(one.name));
    return uuid === undefined ? one : { ...one, uuid };
  });
}
