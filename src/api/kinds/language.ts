import { Fault } from "../error.js";
import { type Kind, shown, text } from "../fields.js";

const threeCharacters = text({ min: 3, max: 3 });

/** A contact's language: three letters in any case, as ISO 639-3 has them (service-api.md 1.14). */
export const languageCode: Kind<string> = {
  ...threeCharacters,
  schema: { ...threeCharacters.schema, pattern: "^[A-Za-z]{3}$", examples: ["eng"] },
  read(value, call) {
    const code = threeCharacters.read(value, call);
    if (!/^[A-Za-z]{3}$/.test(code)) {
      throw new Fault(`Not a language code: ${shown(code)}. Give the three letters of ISO 639-3, such as eng.`);
    }
    return code;
  },
};
