import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { normalisePhone, normaliseUrn } from "../../wire/index.js";

/** The parts of a contact's address: `tel:+250788123123?channel=UUID#display`. */
export interface AddressParts {
  readonly scheme: string;
  readonly path: string;
  /** Without "?"; empty when there is none. */
  readonly query: string;
  /** Without "#"; empty when there is none. */
  readonly display: string;
}

/** Most addresses of a contact: each change of the contact reads and writes all of them. */
export const contactUrnsMax = 100;

/** Schemes of addresses, as `@urns` lists them. */
export const contactSchemes = [
  "discord",
  "ext",
  "facebook",
  "fcm",
  "freshchat",
  "instagram",
  "jiochat",
  "line",
  "mailto",
  "rocketchat",
  "slack",
  "tel",
  "telegram",
  "twitter",
  "twitterid",
  "viber",
  "vk",
  "webchat",
  "wechat",
  "whatsapp",
] as const;

const schemes: ReadonlySet<string> = new Set(contactSchemes);
const pattern = /^([^:]+):([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

export function splitUrn(urn: string): AddressParts {
  const match = pattern.exec(urn);
  return {
    scheme: (match?.[1] ?? "").toLowerCase(),
    path: match?.[2] ?? urn,
    query: match?.[3] ?? "",
    display: match?.[4] ?? "",
  };
}

function joinUrn({ scheme, path, query, display }: AddressParts): string {
  return `${scheme}:${path}${query === "" ? "" : `?${query}`}${display === "" ? "" : `#${display}`}`;
}

/** The address that identifies a contact: without channel and display. */
export function identityOf(urn: string): string {
  if (!urn.includes("?") && !urn.includes("#")) return urn;
  const { scheme, path } = splitUrn(urn);
  return `${scheme}:${path}`;
}

/** The address as templates show it: with its display, without its channel. */
export function withoutQuery(urn: string): string {
  return urn.includes("?") ? joinUrn({ ...splitUrn(urn), query: "" }) : urn;
}

/** Uuid of the channel that an address prefers. */
export function channelOf(urn: string): string | undefined {
  return urn.includes("?") ? (new URLSearchParams(splitUrn(urn).query).get("channel") ?? undefined) : undefined;
}

/**
 * The address with another preferred channel.
 * @param channel - uuid; undefined removes the preference
 */
export function withChannel(urn: string, channel: string | undefined): string {
  const parts = splitUrn(urn);
  const others = parts.query.split("&").filter((pair) => pair !== "" && !pair.startsWith("channel="));
  if (channel !== undefined) others.unshift(`channel=${channel}`);
  return joinUrn({ ...parts, query: others.join("&") });
}

/**
 * The normal form of an address that a flow adds. Phone numbers are parsed with `country`; short codes and sender
 * names are kept.
 *
 * @returns undefined when the scheme is unknown or the path is not valid for the scheme
 */
export function normaliseContactUrn(urn: string, country?: string): string | undefined {
  const parts = splitUrn(urn);
  if (!schemes.has(parts.scheme)) return undefined;
  const path = parts.path.trim();
  if (parts.scheme === "tel") {
    const phone = normalPhone(path, country);
    return /^\+?[a-z0-9]{1,64}$/i.test(phone) ? joinUrn({ ...parts, path: phone }) : undefined;
  }
  const known = normaliseUrn(joinUrn({ ...parts, path, query: "" }));
  if (known !== undefined) return joinUrn({ ...splitUrn(known), query: parts.query });
  const isFree = ["discord", "freshchat", "instagram", "rocketchat", "slack", "vk", "webchat", "wechat"];
  return isFree.includes(parts.scheme) && path !== "" ? joinUrn({ ...parts, path }) : undefined;
}

function normalPhone(path: string, country?: string): string {
  const found = normalisePhone(path, country === undefined ? {} : { country });
  if (found !== undefined) return found;
  const kept = path.toLowerCase().replace(/[^a-z0-9+]/g, "");
  return kept === "" || /[^\d\s()+.-]/.test(path) ? path.trim() : kept;
}

const countries = new Map<string, string>();
const countriesMax = 10_000;

/** Country of a phone number with country code, two letters; empty when unknown. */
export function countryOfPhone(path: string): string {
  // Cached: libphonenumber takes 20 us a number, and a contact's number is asked for in each message.
  let country = countries.get(path);
  if (country === undefined) {
    country = parsePhoneNumberFromString(path)?.country ?? "";
    if (countries.size >= countriesMax) countries.clear();
    countries.set(path, country);
  }
  return country;
}
