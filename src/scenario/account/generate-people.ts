import { type Fakes, sample, type Stream, type Streams, type WantedFake } from "../../sim/index.js";
import { type ContactData, formatTimestamp, telUrn, ownValue } from "../../wire/index.js";
import { phoneOf } from "../../world/index.js";
import { collectFakes } from "../fakes.js";
import type { FieldValues, PeopleSpec } from "./account-file.js";
import { nameMethod } from "./parts/people.js";

/** ISO 639-3 of the languages that faker has locales for, by the two letters (ISO 639-1) that locales begin with. */
const codes: Readonly<Record<string, string>> = {
  af: "afr", ar: "ara", az: "aze", bn: "ben", cs: "ces", cy: "cym", da: "dan", de: "deu", dv: "div", el: "ell",
  en: "eng", eo: "epo", es: "spa", fa: "fas", fi: "fin", fr: "fra", he: "heb", hr: "hrv", hu: "hun", hy: "hye",
  id: "ind", it: "ita", ja: "jpn", ka: "kat", ko: "kor", ku: "kur", lv: "lav", mk: "mkd", mn: "mon", nb: "nob",
  ne: "nep", nl: "nld", pl: "pol", pt: "por", ro: "ron", ru: "rus", sk: "slk", sl: "slv", sr: "srp", sv: "swe",
  ta: "tam", th: "tha", tr: "tur", uk: "ukr", ur: "urd", uz: "uzb", vi: "vie", yo: "yor", zh: "zho", zu: "zul",
}; // prettier-ignore

/** The language of a locale of faker, ISO 639-3; null if it is unknown. */
function languageOfLocale(locale: string): string | null {
  const [language = ""] = locale.split("_");
  return ownValue(codes, language) ?? null;
}

/** The fakes that `generatePeople` draws. Prepare them first (`prepareFakes`). */
export function fakesOfPeople(specs: readonly PeopleSpec[]): WantedFake[] {
  const found = new Map<string, WantedFake>();
  for (const { name, locales, fields } of specs) {
    if (name !== undefined) collectFakes(name, found);
    else for (const locale of locales) collectFakes({ kind: "fake", path: nameMethod, locale }, found);
    for (const values of Object.values(fields)) for (const texts of textsIn(values)) collectFakes(texts, found);
  }
  return [...found.values()];
}

/** The people of `--people N`, with phone numbers of an unassigned range. */
export function peopleSpec({
  count,
  locales,
}: {
  readonly count: number;
  readonly locales: readonly string[];
}): PeopleSpec {
  return {
    count,
    phone: { prefix: "+25070", first: 0, digits: 7, suffix: "" },
    locales: locales.length === 0 ? ["en"] : locales,
    languages: [],
    groups: [],
    fields: {},
  };
}

type InventedTexts = Extract<FieldValues, { kind: "texts" }>["of"];

function textsIn(values: FieldValues): InventedTexts[] {
  if (values.kind === "texts") return [values.of];
  return values.kind === "pick" ? values.of.flatMap(textsIn) : [];
}

/**
 * Generates people one at a time, so a million of them are not in memory together. Person `i` of entry `n` of the
 * list draws only from the stream `account/people/<n>/<i>`. So the same seed gives the same people, whatever the rest
 * of the file contains.
 *
 * @param index - place of the spec in the file's `people`, from 0
 * @param fakes - the prepared fakes of `fakesOfPeople`
 */
export function* generatePeople(
  spec: PeopleSpec,
  { index, streams, fakes }: { readonly index: number; readonly streams: Streams; readonly fakes: Fakes },
): Generator<ContactData, void, undefined> {
  for (let member = 0; member < spec.count; member++) {
    yield makeUp(spec, member, streams.get(`account/people/${index}/${member}`), fakes);
  }
}

function makeUp(spec: PeopleSpec, member: number, stream: Stream, fakes: Fakes): ContactData {
  const locale = oneOf(spec.locales, stream) ?? "en";
  const name = spec.name === undefined ? fakes.draw(nameMethod, locale, stream) : sample(spec.name, stream, fakes);
  const fields: Record<string, string> = {};
  const language = oneOf(spec.languages, stream) ?? languageOfLocale(locale);
  for (const key of Object.keys(spec.fields)) {
    const values = spec.fields[key];
    if (values !== undefined) fields[key] = valueOf(values, stream, fakes);
  }
  const urns = [telUrn(phoneOf(spec.phone, member))];
  return { name, language, urns, groups: spec.groups, fields, state: "active" };
}

/** Picks an item; draws only if there are at least two. */
function oneOf(list: readonly string[], stream: Stream): string | undefined {
  return list.length > 1 ? stream.pick(list) : list[0];
}

function valueOf(values: FieldValues, stream: Stream, fakes: Fakes): string {
  switch (values.kind) {
    case "texts":
      return sample(values.of, stream, fakes);
    case "numbers": {
      const scale = 10 ** values.decimals;
      const drawn = stream.int(Math.round(values.min * scale), Math.round(values.max * scale));
      return (drawn / scale).toFixed(values.decimals);
    }
    case "instants":
      return `${formatTimestamp(stream.int(values.minMs, values.maxMs))}Z`;
    case "pick":
      return valueOf(stream.pick(values.of), stream, fakes);
  }
}
