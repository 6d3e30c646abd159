import { durationLiteral, type RawValue, type WrittenTree } from "../../scenario/index.js";
import type { CarrierFacts } from "./causes.js";
import { handsetsOf, type Involved, type InvolvedHandset, noScenario, peopleOf } from "./involved.js";

/**
 * The parts of the scenario that the chain needs: its groups, each cut after the last member in the chain.
 * Carriers lose and duplicate nothing by chance, because each recorded loss and copy becomes a step.
 */
export function castOf(written: WrittenTree, involved: Involved, { carrier, notes }: CastOptions): WrittenTree {
  const phones = handsetsOf(involved);
  const groups = new Set(phones.map(({ group }) => group));
  const handsets = groupsOf(written["handsets"], groups);
  if (handsets.length < groups.size) throw noScenario("its handsets are not written as a map");
  const people = peopleOf(involved);
  const peopleGroups = new Set(people.flatMap(({ group }) => group ?? []));
  const home = phones[0]?.name ?? "";
  noteBystanders(phones, notes);
  if (written["data"] !== undefined)
    notes.push("It reads the account files under `data`: put it where the recorded scenario was.");
  return {
    ...kept(written, ["data", "service", "mocks"]),
    ...receiverOf(written["receiver"] ?? null),
    carriers: carriersOf(
      written,
      handsets.map(([, group]) => group),
      carrier,
    ),
    handsets: Object.fromEntries(
      handsets.map(([name, group]) => [name, cutBehind(handsetGroupOf(group), lastOf(phones, name))]),
    ),
    ...(peopleGroups.size > 0 && {
      people: Object.fromEntries(
        groupsOf(written["people"], peopleGroups).map(([name, group]) => [
          name,
          { ...cutBehind(silent(group), lastOf(people, name)), of: home },
        ]),
      ),
    }),
  };
}

interface CastOptions {
  readonly carrier: CarrierFacts;
  readonly notes: string[];
}

function noteBystanders(phones: readonly InvolvedHandset[], notes: string[]): void {
  for (const group of new Set(phones.map((one) => one.group))) {
    const ours = phones.filter((one) => one.group === group);
    const last = lastOf(ours, group);
    if (last + 1 === ours.length) continue;
    const names = ours.map(({ name }) => name).join(", ");
    notes.push(
      `The other handsets up to ${group}/${last} are placeholders, so that ${names} ${ours.length === 1 ? "keeps its" : "keep their"} name, number and chance.`,
    );
  }
}

function groupsOf(value: RawValue | undefined, wanted: ReadonlySet<string>): [string, WrittenTree][] {
  return Object.entries(mapOf(value ?? null) ?? {}).flatMap(([name, group]) => {
    const map = mapOf(group);
    return map !== undefined && wanted.has(name) ? [[name, map]] : [];
  });
}

/** A group of people without its own traffic: the steps contain the recorded texts. */
function silent(group: WrittenTree): WrittenTree {
  const { replies: _r, answers: _a, of: _o, ...rest } = group;
  return rest;
}

/** A group without a delivery URL of its own: the bundled receiver answers. */
function handsetGroupOf(group: WrittenTree): WrittenTree {
  const { receiver, ...rest } = group;
  return receiver === "none" ? group : rest;
}

function lastOf(
  members: readonly { readonly group: string | undefined; readonly member: number | undefined }[],
  group: string,
): number {
  return Math.max(0, ...members.map((one) => (one.group === group ? (one.member ?? 0) : 0)));
}

function cutBehind(group: WrittenTree, member: number): WrittenTree {
  if (group["count"] === undefined) return group;
  const { count: _, ...rest } = group;
  return member === 0 ? rest : { count: String(member + 1), ...rest };
}

function carriersOf(written: WrittenTree, groups: readonly WrittenTree[], facts: CarrierFacts): WrittenTree {
  const all = mapOf(written["carriers"] ?? null) ?? { carrier: {} };
  const named = new Set(groups.flatMap(({ carrier }) => (typeof carrier === "string" ? [carrier] : [])));
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, carrier]) => {
      if (named.size > 0 && !named.has(name)) return [];
      const { loses: _l, duplicates: _d, ...rest } = mapOf(carrier) ?? {};
      return [[name, { ...rest, ...carrierFacts(facts) }]];
    }),
  );
}

function carrierFacts({ delayMs, reportsDelivery }: CarrierFacts): WrittenTree {
  return {
    ...(delayMs !== undefined && { delay: durationLiteral(delayMs) }),
    ...(reportsDelivery !== undefined && { "reports-delivery": reportsDelivery ? "100%" : "0%" }),
  };
}

/** The scenario's receiver, bundled or none. Its recorded answers are steps. */
function receiverOf(receiver: RawValue): WrittenTree {
  const map = mapOf(receiver);
  if (receiver === "none" || map?.["url"] === "none") return { receiver: "none" };
  const rest = map === undefined ? {} : kept(map, ["timeout", "marks", "connections"]);
  return Object.keys(rest).length === 0 ? {} : { receiver: { url: "bundled", ...rest } };
}

function kept(written: WrittenTree, keys: readonly string[]): WrittenTree {
  return Object.fromEntries(keys.flatMap((key) => (written[key] === undefined ? [] : [[key, written[key]]])));
}

function mapOf(value: RawValue): WrittenTree | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as WrittenTree) : undefined;
}
