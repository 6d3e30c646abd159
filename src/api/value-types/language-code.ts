import { InvalidValue } from "../error.js";
import { type ValueType, shorten, textType } from "../body-fields.js";

const threeCharacters = textType({ min: 3, max: 3 });

/** A contact's language: an ISO 639-3 code in any letter case (docs/reference/service-api.md#limits). */
export const languageCode: ValueType<string> = {
  ...threeCharacters,
  schema: { ...threeCharacters.schema, pattern: "^[A-Za-z]{3}$", examples: ["eng"] },
  parse(value, request) {
    const code = threeCharacters.parse(value, request);
    if (!/^[A-Za-z]{3}$/.test(code)) {
      throw new InvalidValue(
        `Not a language code: ${shorten(code)}. Give the three letters of ISO 639-3, such as eng.`,
      );
    }
    return code;
  },
};
