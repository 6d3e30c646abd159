import * as z from "zod";
import type { Distribution } from "../../../sim/index.js";
import { parseTimestamp } from "../../../wire/index.js";
import { expandCsv, type ReadFile } from "../../sheet/csv.js";
import type { ValueTree } from "../../sheet/document.js";
import { field, keyed, textShape } from "../../sheet/field.js";
import { count, formShape, phone } from "../../fields/fields.js";
import { texts } from "../../fields/varying-fields.js";
import { scenarioLanguage } from "../../language.js";
import { fakesIn, type WrittenFake } from "../../fakes.js";
import { checkCounter, mostMembers } from "../../parts/phones.js";
import { positionOf, type Problems } from "../../sheet/problems.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { fakeLocale, readDistribution } from "../../fields/values/distribution.js";
import { listOf, readText, scalar } from "../../fields/values/scalar.js";
import { isList, isMap, type Path, type Read, describeValue, type RawValue } from "../../sheet/raw-value.js";
import type { FieldValues, PeopleSpec } from "../account-file.js";
import { listEntries } from "../entries.js";
import { languages, textList } from "../account-fields.js";

/** The faker method for people without a given name. */
export const nameMethod = "person.fullName";

const readLocale: Read<string> = scalar("a locale of faker such as fr", (text, report) => {
  if (fakeLocale.test(text)) return text;
  report({
    code: "bad-value",
    message: `must be a locale of faker, got ${describeValue(text)}`,
    hint: "write it as fr, ar or pt_BR",
  });
  return undefined;
});

const oneLocale = formShape(fakeLocale, "fr", "ar", "ja");
const locales = field(
  z.union([oneLocale, z.array(oneLocale).min(1)]),
  listOf(readLocale),
  "Locales of faker; each person is of one of them, each as likely.",
).prefault("en");

const textsOf: Read<Distribution<string>> = readDistribution({ read: readText("a text"), of: "text", noun: "a text" });

/** A text; a range of numbers `18..80` or of dates `2024-01-01..2026-06-30`; a list; or a distribution of texts. */
const readValues: Read<FieldValues> = (value, report) => {
  if (isList(value)) {
    const of = value.map((item, place) =>
      readValues(item, (problem) => report({ ...problem, path: [place, ...(problem.path ?? [])] })),
    );
    if (of.length === 0) report({ code: "bad-value", message: "must offer at least one value, got an empty list" });
    const sound = of.filter((one) => one !== undefined);
    return sound.length === 0 || sound.length < of.length ? undefined : { kind: "pick", of: sound };
  }
  if (isMap(value) && Object.keys(value).length === 1 && isList(value["pick"])) {
    return readValues(value["pick"], (problem) => report({ ...problem, path: ["pick", ...(problem.path ?? [])] }));
  }
  const range = typeof value === "string" ? rangeOf(value) : undefined;
  if (range === "backwards") {
    report({ code: "out-of-range", message: `must run from the smaller to the larger, got ${describeValue(value)}` });
    return undefined;
  }
  if (range !== undefined) return range;
  const of = textsOf(value, report);
  return of === undefined ? undefined : { kind: "texts", of };
};

function rangeOf(text: string): FieldValues | "backwards" | undefined {
  const [low, high, ...rest] = text.split("..").map((end) => end.trim());
  if (low === undefined || high === undefined || rest.length > 0) return undefined;
  if (isNumber(low) && isNumber(high)) {
    const [min, max] = [Number(low), Number(high)];
    const decimals = Math.max(...[low, high].map((end) => (end.split(".")[1] ?? "").length));
    return min <= max ? { kind: "numbers", min, max, decimals } : "backwards";
  }
  const [minMs, maxMs] = [instantOf(low), instantOf(high)];
  if (minMs === undefined || maxMs === undefined) return undefined;
  return minMs <= maxMs ? { kind: "instants", minMs, maxMs } : "backwards";
}

function isNumber(text: string): boolean {
  return /^[+-]?\d{1,12}(\.\d{1,6})?$/.test(text);
}

function instantOf(text: string): number | undefined {
  return parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text);
}

const values = field(
  z
    .union([textShape, z.array(z.unknown()).min(1), z.looseObject({})])
    .meta({ examples: ["18..80", "2024-01-01..2026-06-30"] }),
  readValues,
  "The values of the field.",
);

const people = keyed({
  count: count("How many there are.", { min: 1, max: mostMembers }).prefault(1),
  phone: phone("Their phone numbers: {000} is a counter with this number of digits that starts at this number."),
  locale: locales,
  name: texts("Their names; default: full names of their locale.").optional(),
  language: languages("Their languages (ISO 639-3), each as likely; default: that of their locale.").optional(),
  groups: textList("Groups that they are in: names or UUIDs of groups without a query.").optional(),
  fields: z
    .record(z.string(), values)
    .describe("Values of contact fields, by key: plain, a range of numbers or dates, a list, or a form.")
    .optional(),
});

/** `people`: a list. */
export const peopleSchema: z.ZodType = z.array(people).nullable();

/** Generated people and their path. */
export interface ReadPeople {
  readonly path: Path;
  readonly data: PeopleSpec;
}

/** Reads `people`. */
export function readPeople(reader: DocumentReader): ReadPeople[] {
  return listEntries(reader, ["people"]).flatMap(({ path }) => {
    const given = reader.read(people, path);
    if (given === undefined) return [];
    checkCounter(reader, path, given.phone, given.count);
    const data: PeopleSpec = {
      count: given.count,
      phone: given.phone,
      locales: given.locale,
      name: given.name,
      languages: given.language ?? [],
      groups: given.groups ?? [],
      fields: { ...given.fields },
    };
    return [{ path, data }];
  });
}

/** The paths of the names and field values in `people`, which may be distributions. */
function varyingPaths(top: RawValue): Path[] {
  const list = isMap(top) ? top["people"] : undefined;
  if (!isList(list)) return [];
  return list.flatMap((one, place): Path[] => {
    const fields = isMap(one) && isMap(one["fields"]) ? Object.keys(one["fields"]) : [];
    return [["people", place, "name"], ...fields.map((key): Path => ["people", place, "fields", key])];
  });
}

/**
 * Replaces `{ csv: … }` in people by the columns of CSV files. Elsewhere in an account `csv` is an ordinary key.
 */
export function withCsv(tree: ValueTree, readFile: ReadFile | undefined, problems: Problems): ValueTree {
  const unfold = (at: ValueTree): RawValue => expandCsv(at, { readFile, language: scenarioLanguage }, problems);
  const unfoldFields = (at: ValueTree): RawValue => changed(at, () => unfold);
  const unfoldPerson = (at: ValueTree): RawValue =>
    changed(at, (key) => (key === "name" ? unfold : key === "fields" ? unfoldFields : undefined));
  const unfoldPeople = (at: ValueTree): RawValue =>
    isList(at.value) ? at.value.map((item, index) => unfoldPerson(inside(at, index, item))) : at.value;
  return { value: changed(tree, (key) => (key === "people" ? unfoldPeople : undefined)), location: tree.location };
}

/** A map with some of its values changed; other values stay as they are. */
function changed(at: ValueTree, changeOf: (key: string) => ((item: ValueTree) => RawValue) | undefined): RawValue {
  if (!isMap(at.value)) return at.value;
  const map = Object.create(null) as Record<string, RawValue>;
  for (const [key, item] of Object.entries(at.value)) map[key] = changeOf(key)?.(inside(at, key, item)) ?? item;
  return map;
}

function inside(at: ValueTree, key: string | number, value: RawValue): ValueTree {
  return { value, location: at.location.inner.get(String(key)) ?? at.location };
}

/** The fakes of people, in their names and fields, without malformed ones. */
export function fakesInPeople(reader: DocumentReader): WrittenFake[] {
  const list = reader.at(["people"]);
  const names = isList(list) ? list.flatMap((_, place) => nameFakes(reader, ["people", place, "locale"])) : [];
  const drawn = varyingPaths(reader.at([]) ?? null).flatMap((path) => {
    const tree = reader.tree(path);
    return tree === undefined ? [] : fakesIn(tree);
  });
  return [...names, ...drawn];
}

/** The full-name fake of each locale in the file; none without a locale: the default, English, needs no check. */
function nameFakes(reader: DocumentReader, at: Path): WrittenFake[] {
  const written = reader.at(at);
  const paths: Path[] = isList(written) ? written.map((_, place) => [...at, place]) : [at];
  return paths.flatMap((path) => {
    const locale = reader.at(path);
    const tree = reader.tree(path);
    if (typeof locale !== "string" || !fakeLocale.test(locale) || tree === undefined) return [];
    const place = positionOf(tree.location.span);
    return [{ path: nameMethod, locale, places: { path: place, locale: place } }];
  });
}
