import { ownValue, type Translations } from "../../wire/index.js";

/** A text in several languages. */
export interface TranslatedText {
  readonly text: Translations;
  /** The language for contacts without a language, or with one that `text` lacks. */
  readonly baseLanguage: string;
}

/** The text in the contact's language, else in the base language (docs/reference/service-api.md#translated-texts). */
export function textFor(language: string | null, { text, baseLanguage }: TranslatedText): string {
  const own = language === null ? undefined : ownValue(text, language);
  return own ?? ownValue(text, baseLanguage) ?? "";
}

/** The base language of texts that name none: the organisation's primary one if they have it, else their first. */
export function baseLanguageOf(text: Translations, primary: string | null): string {
  if (primary !== null && Object.hasOwn(text, primary)) return primary;
  return Object.keys(text)[0] ?? "base";
}
