import type { DerivedUuids } from "../derived-uuids.js";
import { migrateTemplate } from "../expressions/migrate-template.js";
import type { LegacyJson } from "../json.js";
import { textIn, type Texts } from "../texts.js";

/** Collects translations: language, UUID of the object, property, texts. */
export class LocalizationWriter {
  readonly #languages = new Map<string, Map<string, Map<string, readonly string[]>>>();

  add(language: string, uuid: string, property: string, texts: readonly string[]): void {
    const objects = this.#languages.get(language) ?? new Map<string, Map<string, readonly string[]>>();
    const properties = objects.get(uuid) ?? new Map<string, readonly string[]>();
    this.#languages.set(language, objects.set(uuid, properties.set(property, texts)));
  }

  toJson(): LegacyJson {
    const objectsOf = (objects: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>): LegacyJson =>
      Object.fromEntries([...objects].map(([uuid, properties]) => [uuid, Object.fromEntries(properties)]));
    return Object.fromEntries([...this.#languages].map(([language, objects]) => [language, objectsOf(objects)]));
  }
}

/** State that the writers of nodes, actions and cases share. */
export interface NativeWriter {
  readonly language: string;
  readonly localization: LocalizationWriter;
  readonly uuids: DerivedUuids;
  /** URL to which relative paths of media are joined. */
  readonly mediaBase: string;
  /** UUIDs of the flow's sets: valid destinations. */
  readonly sets: ReadonlySet<string>;
}

/**
 * Adds the translations of a text and returns it in the flow's language. The texts of flows without language (`base`)
 * are no translations.
 *
 * @param rewrite - makes the native form of a text; default: {@link migrateTemplate}
 */
export function writeText(
  { language, localization }: NativeWriter,
  texts: Texts,
  uuid: string,
  property: string,
  rewrite: (text: string) => string = (text) => migrateTemplate(text),
): string {
  for (const [one, text] of texts) {
    if (isTranslation(one, language)) localization.add(one, uuid, property, [rewrite(text)]);
  }
  return rewrite(textIn(texts, language));
}

/** {@link writeText} of a list: each language has all texts, with empty ones for those that it lacks. */
export function writeTexts(writer: NativeWriter, list: readonly Texts[], uuid: string, property: string): string[] {
  const languages = new Set(list.flatMap((texts) => [...texts.keys()]));
  for (const language of languages) {
    if (!isTranslation(language, writer.language)) continue;
    const translated = list.map((texts) => migrateTemplate(texts.get(language) ?? ""));
    writer.localization.add(language, uuid, property, translated);
  }
  if (!languages.has(writer.language) && !languages.has("base")) return [];
  return list.map((texts) => migrateTemplate(textIn(texts, writer.language)));
}

function isTranslation(language: string, flowLanguage: string): boolean {
  return language !== flowLanguage && language !== "base" && language !== "";
}

/** The properties that are neither undefined, false, empty text nor empty list. */
export function filled(properties: LegacyJson): LegacyJson {
  return Object.fromEntries(
    Object.entries(properties).filter(
      ([, value]) => !(value === undefined || value === false || value === "" || isEmptyList(value)),
    ),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
