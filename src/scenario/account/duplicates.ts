import { memberOf } from "../../world/index.js";
import { checkDuplicates } from "../parts/phones.js";
import type { Sheet } from "../sheet/sheet.js";
import type { Path } from "../sheet/written.js";
import type { ReadContact } from "./parts/contacts.js";
import type { ReadFlow } from "./parts/definitions.js";
import { markOf } from "./merge.js";
import type { ReadPeople } from "./parts/people.js";

/** Something that must be there once: what it is known by, and where that stands. */
interface Mark {
  readonly mark: string;
  readonly path: Path;
}

/**
 * Tells of each mark that was there before.
 *
 * @param noun - what has it: `a group`
 * @returns the paths of those that were
 */
function checkOnce(sheet: Sheet, marks: readonly Mark[], noun: string): ReadonlySet<Path> {
  const seen = new Map<string, Path>();
  const told = new Set<Path>();
  for (const { mark, path } of marks) {
    const earlier = seen.get(markOf(mark));
    if (earlier === undefined) seen.set(markOf(mark), path);
    else {
      told.add(path);
      sheet.tell(path, {
        code: "duplicate-entry",
        message: `'${mark}' is already that of ${noun} on line ${sheet.line(earlier)}`,
        whole: true,
        hint: "keep one of the two",
      });
    }
  }
  return told;
}

/** What the items of a list at the top say under a key; plain items count as their names. */
function marksUnder(sheet: Sheet, part: string, key: string): Mark[] {
  const list = sheet.at([part]);
  if (!Array.isArray(list)) return [];
  return list.flatMap((_, place): Mark[] => {
    const item = sheet.at([part, place]);
    if (typeof item === "string") return key === "name" ? [{ mark: item, path: [part, place] }] : [];
    const mark = sheet.at([part, place, key]);
    return typeof mark === "string" ? [{ mark, path: [part, place, key] }] : [];
  });
}

/** No two parts of one kind may have the same name, UUID or address. */
export function checkUnique(
  sheet: Sheet,
  {
    contacts,
    flows,
    people,
  }: Readonly<{ contacts: readonly ReadContact[]; flows: readonly ReadFlow[]; people: readonly ReadPeople[] }>,
): void {
  for (const [part, noun] of [
    ["groups", "a group"],
    ["labels", "a label"],
    ["campaigns", "a campaign"],
  ] as const) {
    checkOnce(sheet, marksUnder(sheet, part, "name"), noun);
    checkOnce(sheet, marksUnder(sheet, part, "uuid"), noun);
  }
  checkOnce(sheet, marksUnder(sheet, "tokens", "token"), "a token");
  checkOnce(sheet, marksUnder(sheet, "resthooks", "name"), "a resthook");
  const flowUuids = flows.flatMap(({ path, data: { uuid } }) => (uuid === undefined ? [] : [{ mark: uuid, path }]));
  const same = checkOnce(sheet, flowUuids, "a flow");
  const flowNames = flows.map(({ path, data }) => ({ mark: data.name, path }));
  checkOnce(
    sheet,
    flowNames.filter(({ path }) => !same.has(path)),
    "a flow",
  );
  const contactUuids = contacts.flatMap(({ entry, data: { uuid } }) =>
    uuid === undefined ? [] : [{ mark: uuid, path: [...entry.path, "uuid"] }],
  );
  checkOnce(sheet, contactUuids, "a contact");
  checkAddresses(sheet, contacts, people);
}

/** An address belongs to one contact; those of deleted ones are free. */
function checkAddresses(sheet: Sheet, contacts: readonly ReadContact[], people: readonly ReadPeople[]): void {
  const addresses = contacts
    .filter(({ data }) => data.state !== "deleted")
    .flatMap(({ entry, data }) => data.urns.map((urn) => ({ mark: urn, path: addressPath(sheet, entry.path, urn) })));
  checkOnce(sheet, addresses, "a contact");
  const groups = people.map(({ path, data }) => ({ ...data, path, name: `people[${path.at(-1) ?? 0}]` }));
  checkDuplicates(sheet, groups);
  for (const group of groups) {
    const taken = addresses.find(({ mark }) => mark.startsWith("tel:") && memberOf(group, mark.slice(4)) !== undefined);
    if (taken === undefined) continue;
    sheet.tell([...group.path, "phone"], {
      code: "duplicate-phone",
      message: `gives ${taken.mark.slice(4)} to somebody, but it is that of the contact on line ${sheet.line(taken.path)}`,
      hint: "give the people a range of their own",
    });
  }
}

/** Where an address of a contact is written. */
function addressPath(sheet: Sheet, contact: Path, urn: string): Path {
  const urns = sheet.at([...contact, "urns"]);
  const place = Array.isArray(urns) ? urns.findIndex((one) => typeof one === "string" && one.trim() === urn) : -1;
  if (place >= 0) return [...contact, "urns", place];
  return sheet.at([...contact, "phone"]) === undefined ? contact : [...contact, "phone"];
}
