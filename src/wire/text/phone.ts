import { parsePhoneNumberFromString, type CountryCode } from "libphonenumber-js/min";

/** `e164`: a subscriber; `short-code`: a service number such as 3636; `name`: a sender such as `MTN`. */
export type PhoneKind = "e164" | "short-code" | "name";

const e164 = /^\+[1-9]\d{6,14}$/;
const shortCode = /^\d{3,8}$/;
/** Networks carry at most 11 characters as the name of a sender. */
const senderName = /^(?=.*\p{L})[\p{L}\p{N} &'+._-]{1,11}$/u;

/**
 * Whether a text has the form of E.164: `+`, then 7 to 15 digits of which the first is not 0. The number need not be
 * assigned, because a simulation invents its numbers.
 */
export function isE164(text: string): boolean {
  return e164.test(text);
}

/**
 * What the phone field of an event may hold (docs/reference/webhook.md#value-types,
 * docs/reference/handset.md#incoming-texts); undefined: none of these.
 */
export function phoneKind(text: string): PhoneKind | undefined {
  if (isE164(text)) return "e164";
  if (shortCode.test(text)) return "short-code";
  return senderName.test(text) && text.trim() === text ? "name" : undefined;
}

/**
 * Converts a number as people write it, `+1 (206) 555-0142`, to E.164.
 *
 * Without `+` it is read as a number of the country, if one is given; without a country, 11 or more digits that do
 * not begin with 0 are taken as complete with their country code (docs/reference/service-api.md#urns).
 *
 * @param options - `country`: ISO 3166 code of two letters, any letter case
 * @returns E.164; undefined for anything else, such as short codes and names
 */
export function normalisePhone(text: string, options: { readonly country?: string } = {}): string | undefined {
  const trimmed = text.trim();
  if (isE164(trimmed)) return trimmed;
  const isComplete = options.country === undefined && /^[1-9]\d{10}/.test(trimmed.replace(/\D/g, ""));
  const international = isComplete && !trimmed.startsWith("+") ? `+${trimmed}` : trimmed;
  // An unknown country code makes the library read the number as if none were given.
  const country = options.country?.toUpperCase() as CountryCode | undefined;
  const parsed = parsePhoneNumberFromString(international, {
    ...(country && { defaultCountry: country }),
    extract: false,
  });
  if (parsed === undefined || parsed.ext !== undefined || !parsed.isPossible()) return undefined;
  return isE164(parsed.number) ? parsed.number : undefined;
}

/**
 * The country of a number in E.164: ISO 3166, two letters. If several countries share the code and the number does not
 * distinguish them, the main one.
 *
 * @returns undefined for short codes and names, and for codes that belong to no country
 */
export function phoneCountry(phone: string): string | undefined {
  const parsed = isE164(phone) ? parsePhoneNumberFromString(phone, { extract: false }) : undefined;
  return parsed?.country ?? parsed?.getPossibleCountries()[0];
}

/** The calling code of a number in E.164, such as `250`; undefined for short codes and names. */
export function callingCode(phone: string): string | undefined {
  return isE164(phone) ? parsePhoneNumberFromString(phone, { extract: false })?.countryCallingCode : undefined;
}
