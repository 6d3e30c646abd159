import type { Translations } from "../../wire/index.js";
import { InvalidValue } from "../error.js";
import { ITEMS_MAX, type ValueType, shorten, requireStorable } from "../body-fields.js";
import { schema } from "../../schema/index.js";

/** Maximum characters of one translation (docs/reference/service-api.md#limits). */
const TEXT_MAX = 640;

/**
 * Text in one or more languages (docs/reference/service-api.md#translated-texts). A bare string is in the
 * organisation's primary language, or in `base` when it has none. Forms send several languages as `text[eng]=…`.
 */
export const translations: ValueType<Translations> = {
  schema: { anyOf: [{ type: "string", minLength: 1, maxLength: TEXT_MAX }, schema.translations] },
  shape: "dict",
  parse(value, { context }) {
    const primary = context.organisation.primaryLanguage ?? "base";
    if (typeof value === "string") return { [primary]: translation(value) };
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new InvalidValue("Not a valid string.");
    const entries = Object.entries(value);
    if (entries.length > ITEMS_MAX) throw new InvalidValue(`At most ${ITEMS_MAX} items are allowed here.`);
    if (!Object.hasOwn(value, primary) && !Object.hasOwn(value, "base")) {
      throw new InvalidValue(`There must be a text in the language ${primary}.`);
    }
    const texts = entries.map(([language, text]) => {
      // Two or three letters, so the key `__proto__` is refused.
      if (language !== "base" && !/^\p{L}{2,3}$/u.test(language))
        throw new InvalidValue(`Not a language code: ${shorten(language)}`);
      return [language, translation(text)] as const;
    });
    return Object.fromEntries(texts);
  },
};

function translation(value: unknown): string {
  if (typeof value !== "string") throw new InvalidValue("Not a valid string.");
  if (value.trim() === "") throw new InvalidValue("This field may not be blank.");
  if (Array.from(value).length > TEXT_MAX)
    throw new InvalidValue(`Ensure this field has no more than ${TEXT_MAX} characters.`);
  return requireStorable(value);
}
