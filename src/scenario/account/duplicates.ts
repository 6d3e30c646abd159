import { memberOf } from "../../world/index.js";
import { checkDuplicates } from "../parts/phones.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { isList, type Path, type RawValue } from "../sheet/raw-value.js";
import { phoneOfUrn, storedUrn, withoutDisplay } from "../../wire/index.js";
import type { ReadContact } from "./parts/contacts.js";
import type { WrittenFlow } from "./parts/definitions.js";
import { comparableName } from "./merge.js";
import type { ReadPeople } from "./parts/people.js";

/** A name, UUID or address that must be unique, and its path. */
interface DuplicateMark {
  readonly mark: string;
  readonly path: Path;
}

/**
 * Reports each name, UUID or address that an earlier entry already has.
 *
 * @param noun - the kind of entry, for messages: `a group`
 * @returns the paths of the duplicates
 */
function checkDistinct(reader: DocumentReader, marks: readonly DuplicateMark[], noun: string): ReadonlySet<Path> {
  const seen = new Map<string, Path>();
  const told = new Set<Path>();
  for (const { mark, path } of marks) {
    const earlier = seen.get(comparableName(mark));
    if (earlier === undefined) seen.set(comparableName(mark), path);
    else {
      told.add(path);
      reader.reportProblem(path, {
        code: "duplicate-entry",
        message: `'${mark}' is already that of ${noun} on line ${reader.line(earlier)}`,
        whole: true,
        hint: "keep one of the two",
      });
    }
  }
  return told;
}

/** The values of a key in the items of a top-level list; a plain item counts as its name. */
function marksUnder(reader: DocumentReader, part: string, key: string): DuplicateMark[] {
  const list = reader.at([part]);
  if (!Array.isArray(list)) return [];
  return list.flatMap((_, place): DuplicateMark[] => {
    const item = reader.at([part, place]);
    if (typeof item === "string") return key === "name" ? [{ mark: item, path: [part, place] }] : [];
    const mark = reader.at([part, place, key]);
    return typeof mark === "string" ? [{ mark, path: [part, place, key] }] : [];
  });
}

/** Reports parts of one kind with the same name, UUID or address. */
export function checkUnique(
  reader: DocumentReader,
  {
    contacts,
    flows,
    people,
  }: Readonly<{ contacts: readonly ReadContact[]; flows: readonly WrittenFlow[]; people: readonly ReadPeople[] }>,
): void {
  for (const [part, noun] of [
    ["groups", "a group"],
    ["labels", "a label"],
    ["campaigns", "a campaign"],
  ] as const) {
    checkDistinct(reader, marksUnder(reader, part, "name"), noun);
    checkDistinct(reader, marksUnder(reader, part, "uuid"), noun);
  }
  checkDistinct(reader, marksUnder(reader, "tokens", "token"), "a token");
  checkDistinct(reader, marksUnder(reader, "resthooks", "name"), "a resthook");
  const flowUuids = flows.flatMap(({ path, data: { uuid } }) => (uuid === undefined ? [] : [{ mark: uuid, path }]));
  const same = checkDistinct(reader, flowUuids, "a flow");
  const flowNames = flows.map(({ path, data }) => ({ mark: data.name, path }));
  checkDistinct(
    reader,
    flowNames.filter(({ path }) => !same.has(path)),
    "a flow",
  );
  const contactUuids = contacts.flatMap(({ entry, data: { uuid } }) =>
    uuid === undefined ? [] : [{ mark: uuid, path: [...entry.path, "uuid"] }],
  );
  checkDistinct(reader, contactUuids, "a contact");
  checkAddresses(reader, contacts, people);
}

/** Reports each address that two contacts share. Addresses of deleted contacts do not count. */
function checkAddresses(reader: DocumentReader, contacts: readonly ReadContact[], people: readonly ReadPeople[]): void {
  const addresses = contacts
    .filter(({ data }) => data.state !== "deleted")
    .flatMap(({ entry, data }) =>
      data.urns.map((urn) => ({ mark: withoutDisplay(urn), path: addressPath(reader, entry.path, urn) })),
    );
  checkDistinct(reader, addresses, "a contact");
  const groups = people.map(({ path, data }) => ({ ...data, path, name: `people[${path.at(-1) ?? 0}]` }));
  checkDuplicates(reader, groups);
  for (const group of groups) {
    const taken = addresses.find(({ mark }) => {
      const phone = phoneOfUrn(mark);
      return phone !== undefined && memberOf(group, phone) !== undefined;
    });
    if (taken === undefined) continue;
    reader.reportProblem([...group.path, "phone"], {
      code: "duplicate-phone",
      message: `gives ${taken.mark.slice(4)} to somebody, but it is that of the contact on line ${reader.line(taken.path)}`,
      hint: "give the people a range of their own",
    });
  }
}

/** The path of an address of a contact. */
function addressPath(reader: DocumentReader, contact: Path, urn: string): Path {
  const urns = reader.at([...contact, "urns"]);
  const isIt = (one: RawValue): boolean => typeof one === "string" && storedUrn(one) === urn;
  const place = isList(urns) ? urns.findIndex(isIt) : -1;
  if (place >= 0) return [...contact, "urns", place];
  return reader.at([...contact, "phone"]) === undefined ? contact : [...contact, "phone"];
}
