import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { isE164 } from "../../wire/index.js";

/** What may be a telephone number: at least five digits, spaces, dots, dashes and brackets. */
const candidate = /\+?[\d .()-]{5,}/g;

/**
 * The first possible telephone number in a text: it has as many digits as numbers of its country have, but need not be
 * assigned (docs/reference/flows.md#tests).
 *
 * @param country - of numbers without `+`: ISO 3166, two letters; undefined or unknown: such numbers are ignored
 * @returns E.164; undefined when the text has none
 */
export function findPhone(text: string, country: string | undefined): string | undefined {
  for (const [written] of text.matchAll(candidate)) {
    const phone = parsePhone(written.trim(), country);
    if (phone !== undefined) return phone;
  }
  return undefined;
}

function parsePhone(written: string, country: string | undefined): string | undefined {
  const parsed = parsePhoneNumberFromString(written, {
    defaultCountry: country === undefined ? undefined : (country.toUpperCase() as CountryCode),
    extract: false,
  });
  return parsed?.isPossible() === true && isE164(parsed.number) ? parsed.number : undefined;
}
