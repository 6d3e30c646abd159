import type { Translations } from "../../wire/index.js";
import { Fault } from "../error.js";
import { ITEMS_MAX, type Kind, shown, wellFormed } from "../fields.js";
import * as schema from "../schema.js";

/** Characters of one translation (service-api.md 1.14). */
const TEXT_MAX = 640;

/**
 * A text in one or more languages (service-api.md 1.13): a bare one is in the organisation's primary language, or in
 * `base` when it has none. Forms send several as `text[eng]=…`.
 */
export const translations: Kind<Translations> = {
  schema: { anyOf: [{ type: "string", minLength: 1, maxLength: TEXT_MAX }, schema.translations] },
  shape: "dict",
  read(value, { desk }) {
    const primary = desk.organisation.primaryLanguage ?? "base";
    if (typeof value === "string") return { [primary]: translation(value) };
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Fault("Not a valid string.");
    const entries = Object.entries(value);
    if (entries.length > ITEMS_MAX) throw new Fault(`At most ${ITEMS_MAX} items are allowed here.`);
    if (!Object.hasOwn(value, primary) && !Object.hasOwn(value, "base")) {
      throw new Fault(`There must be a text in the language ${primary}.`);
    }
    const texts = entries.map(([language, text]) => {
      // ISO 639-3; `__proto__` is longer.
      if (language !== "base" && !/^\p{L}{2,3}$/u.test(language))
        throw new Fault(`Not a language code: ${shown(language)}`);
      return [language, translation(text)] as const;
    });
    return Object.fromEntries(texts);
  },
};

function translation(value: unknown): string {
  if (typeof value !== "string") throw new Fault("Not a valid string.");
  if (value.trim() === "") throw new Fault("This field may not be blank.");
  if (Array.from(value).length > TEXT_MAX)
    throw new Fault(`Ensure this field has no more than ${TEXT_MAX} characters.`);
  return wellFormed(value);
}
