import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { normalisePhone, phoneKind } from "./phone.js";

/** A contact's address, `scheme:path` or `scheme:path#display` (docs/reference/service-api.md#urns). */
export interface Urn {
  /** Lower case: `tel`, `mailto`, `ext`… */
  readonly scheme: string;
  /** Not empty. */
  readonly path: string;
  /** What people read instead of the path, such as the handle `bob` of `twitterid:123#bob`; absent: none. */
  readonly display?: string;
}

/** Schemes of addresses that the service knows (docs/reference/service-api.md#urns); the API takes no other. */
export const urnSchemes = [
  "tel",
  "facebook",
  "twitter",
  "twitterid",
  "viber",
  "line",
  "telegram",
  "mailto",
  "ext",
  "jiochat",
  "fcm",
  "whatsapp",
  "ws",
] as const;
export type UrnScheme = (typeof urnSchemes)[number];

/** Longest URN in characters (docs/reference/service-api.md#urns). */
const urnLengthMax = 255;

const pattern = /^([A-Za-z][A-Za-z0-9+.-]*):([^#]+)(?:#([^#]*))?$/su;

/**
 * Parses `scheme:path` of any scheme, as the service sees addresses: the sender of a text may be a short code or a
 * name. Surrounding space is dropped. A phone number in a `tel` path becomes E.164; short codes and names stay
 * unchanged. Addresses that clients send go through {@link normaliseUrn}.
 *
 * @returns undefined when the text is not a URN, is longer than 255 characters, or its `tel` path cannot be a phone
 */
export function parseUrn(text: string): Urn | undefined {
  const urn = splitUrn(text);
  if (urn?.scheme !== "tel") return urn;
  const phone = normalisePhone(urn.path) ?? (phoneKind(urn.path) === undefined ? undefined : urn.path);
  return phone === undefined ? undefined : { ...urn, path: phone };
}

/** The text of a URN. */
export function formatUrn({ scheme, path, display }: Urn): string {
  return display === undefined ? `${scheme}:${path}` : `${scheme}:${path}#${display}`;
}

/** The URN of a phone: an E.164 number, short code or name of a sender. */
export function telUrn(phone: string): string {
  return `tel:${phone}`;
}

/** The phone of a URN in stored form; undefined: its scheme is not `tel`. */
export function phoneOfUrn(urn: string): string | undefined {
  return urn.startsWith("tel:") ? withoutDisplay(urn).slice(4) : undefined;
}

/** A URN in stored form without its display part: two of the same address are equal then. */
export function withoutDisplay(urn: string): string {
  const mark = urn.indexOf("#");
  return mark === -1 ? urn : urn.slice(0, mark);
}

/** Each address once, as it is first given. URNs in stored form. */
export function distinctUrns(urns: Iterable<string>): string[] {
  const found = new Map<string, string>();
  for (const urn of urns) {
    const identity = withoutDisplay(urn);
    if (!found.has(identity)) found.set(identity, urn);
  }
  return [...found.values()];
}

/**
 * The normal form of an address in a request's body: two that are the same address differ at most in their display
 * parts (docs/reference/service-api.md#urns). Schemes are read in any letter case.
 *
 * A phone number must have its country code. A number that begins with `+` and has 7 to 15 digits is accepted
 * (`isE164`), even if numbers of its country have another length: a simulation invents its numbers.
 *
 * @param options - `strict`: refuse numbers that are not possible in their country, as real systems do
 * @returns undefined when the scheme is unknown, the path is not one of that scheme, or the text is longer than 255
 * characters
 */
export function normaliseUrn(text: string, options: { readonly strict?: boolean } = {}): string | undefined {
  const urn = normalParts(text);
  if (urn === undefined || !rulesOf(urn.scheme).isValid(urn.path)) return undefined;
  if (options.strict === true && isPhoneScheme(urn.scheme) && !isPossible(urn.path)) return undefined;
  return formatUrn(urn);
}

/**
 * The form in which the service stores an address: as {@link normaliseUrn} returns it, but paths are not validated.
 * Short codes and names of senders keep their spelling, as in `tel:MTN`.
 *
 * @returns undefined when the scheme is unknown, there is no path, or the text is longer than 255 characters
 */
export function storedUrn(text: string): string | undefined {
  const urn = normalParts(text);
  if (urn === undefined) return undefined;
  return formatUrn(rulesOf(urn.scheme).isValid(urn.path) ? urn : (parseUrn(text) ?? urn));
}

/**
 * The form of an address by which a contact is looked up (`?urn=`): as {@link storedUrn} returns it, without its
 * display part.
 *
 * @returns undefined when the scheme is unknown, there is no path, or the text is longer than 255 characters
 */
export function urnIdentity(text: string): string | undefined {
  const urn = storedUrn(text);
  return urn === undefined ? undefined : withoutDisplay(urn);
}

/**
 * An address as people read it: its display part where it has one, a phone number as it is written in its country, else
 * the path (docs/reference/flows.md#functions).
 *
 * @param urn - a stored address
 */
export function readableUrn(urn: string): string {
  const { scheme, path, display }: Urn = splitUrn(urn) ?? { scheme: "", path: urn };
  if (display !== undefined) return display;
  return isPhoneScheme(scheme) ? (parsePhoneNumberFromString(path)?.formatNational() ?? path) : path;
}

/**
 * Why {@link normaliseUrn} rejects an address, and how to correct it.
 *
 * @returns one sentence, without the address
 */
export function urnFault(text: string): string {
  const urn = splitUrn(text);
  const phoneAdvice = "Phone numbers need their country code.";
  if (urn === undefined) {
    if (text.length > urnLengthMax) return `A URN has at most ${urnLengthMax} characters.`;
    return /#.*#/s.test(text) ? "Only one # may occur, before the display part." : phoneAdvice;
  }
  if (!isUrnScheme(urn.scheme)) return `The scheme must be one of: ${urnSchemes.join(", ")}.`;
  if (isPhoneScheme(urn.scheme)) return phoneAdvice;
  return rulesOf(urn.scheme).advice ?? `The path is not valid for the scheme ${urn.scheme}.`;
}

/** Whether the service knows a scheme; lower case. */
export function isUrnScheme(word: string): word is UrnScheme {
  return (urnSchemes as readonly string[]).includes(word);
}

function splitUrn(text: string): Urn | undefined {
  if (text.length > urnLengthMax) return undefined;
  const match = pattern.exec(text.trim());
  const scheme = match?.[1]?.toLowerCase();
  const path = match?.[2]?.trim();
  const display = match?.[3]?.trim() ?? "";
  if (scheme === undefined || path === undefined || path === "") return undefined;
  return { scheme, path, ...(display !== "" && { display }) };
}

function normalParts(text: string): (Urn & { readonly scheme: UrnScheme }) | undefined {
  const urn = splitUrn(text);
  if (urn === undefined || !isUrnScheme(urn.scheme)) return undefined;
  const path = rulesOf(urn.scheme).normalise(urn.path);
  return path === "" ? undefined : { ...urn, scheme: urn.scheme, path };
}

/** The normal form of a scheme's paths, and which of them are valid (docs/reference/service-api.md#urns). */
interface Rules {
  readonly normalise: (path: string) => string;
  readonly isValid: (path: string) => boolean;
  /** How an invalid path is corrected, where that can be said. */
  readonly advice?: string;
}

const lower = (path: string): string => path.toLowerCase();
const same = (path: string): string => path;
const isNumeric = (path: string): boolean => /^\d+$/.test(path);

const phoneRules: Rules = { normalise: normalPhonePath, isValid: (path) => phoneKind(path) === "e164" };
const freeRules: Rules = { normalise: same, isValid: () => true };

const rules: Readonly<Partial<Record<UrnScheme, Rules>>> = {
  tel: phoneRules,
  whatsapp: {
    normalise: same,
    isValid: isNumeric,
    advice: "A whatsapp path is a number with its country code, in digits only, without +.",
  },
  twitter: {
    normalise: (path) => lower(path.replace(/^@/, "")),
    isValid: (path) => /^[a-z0-9_]{1,15}$/.test(path),
  },
  mailto: { normalise: lower, isValid: (path) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(path) },
  twitterid: { normalise: same, isValid: isNumeric },
  telegram: { normalise: same, isValid: isNumeric },
  facebook: { normalise: same, isValid: (path) => isNumeric(path) || /^ref:./s.test(path) },
  viber: { normalise: same, isValid: (path) => /^[A-Za-z0-9_=]{1,24}$/.test(path) },
};

function rulesOf(scheme: UrnScheme): Rules {
  return rules[scheme] ?? freeRules;
}

function isPhoneScheme(scheme: string): boolean {
  return rules[scheme as UrnScheme] === phoneRules;
}

/** E.164 if the path is such a number. Restores a `+` that a query string has turned into a space. */
function normalPhonePath(path: string): string {
  const kept = lower(path).replace(/[^a-z0-9+]/g, "");
  const international = kept.length >= 11 && !/^[+0]/.test(kept) ? `+${kept}` : kept;
  return (international.startsWith("+") ? normalisePhone(international) : undefined) ?? international;
}

function isPossible(phone: string): boolean {
  return parsePhoneNumberFromString(phone)?.isPossible() ?? false;
}
