import { DateTime } from "luxon";
import { cutText, isUrnScheme, type OrganisationData, readableUrn } from "../../wire/index.js";
import { type ContactContext, type ContactView, rawFieldOf } from "./contact-view.js";
import { parseDateText } from "./date-text.js";
import { shownFieldValue } from "./field-values.js";

/** Maximum length of an evaluated template in characters (docs/reference/flows.md#scanning). */
const resultMax = 10_000;

/** Replaces an address in an account that hides addresses. */
const mask = "********";

/** `@@`, the start of an expression, or a name with its properties; a dot belongs to it only before a name. */
const reference = /@(?:(@)|(\()|(\w+(?:\.\w+)*))/g;

/**
 * Evaluates the text of a message for one recipient: replaces each known `@name`, in any letter case
 * (docs/reference/flows.md#scanning and docs/reference/flows.md#legacy-expressions). `@contact` is the name, else the
 * best address. Its properties are `.name`, `.first_name`, `.language`, `.uuid`, `.groups`, `.tel` (in the national
 * format), `.tel_e164`, any other scheme of addresses, and any contact field. The others are `@fields.<key>` and
 * `@urns.<scheme>`. Without a name, `.name` and `.first_name` are the address, as in the documented expressions of
 * 2017. `@@` is an `@`. All other text is unchanged, e-mail addresses included.
 *
 * Expressions in brackets, `@(upper(contact.name))`, are copied without evaluation, up to their closing bracket.
 *
 * @returns at most 10,000 characters
 */
export function evaluateTemplate(template: string, contact: ContactView, context: ContactContext): string {
  let text = "";
  let done = 0;
  reference.lastIndex = 0;
  for (let match = reference.exec(template); match !== null; match = reference.exec(template)) {
    const [whole, escaped, bracket, name = ""] = match;
    text += template.slice(done, match.index);
    done = bracket === undefined ? match.index + whole.length : endOfExpression(template, match.index + 2);
    reference.lastIndex = done;
    if (escaped !== undefined) text += "@";
    else if (bracket !== undefined) text += template.slice(match.index, done);
    else text += valueOf(name.toLowerCase(), contact, context) ?? whole;
  }
  return cutText(text + template.slice(done), resultMax);
}

/** The index after the bracket that closes the one before `from`; ignores quoted brackets. Default: the text's end. */
function endOfExpression(template: string, from: number): number {
  let depth = 1;
  let isQuoted = false;
  for (let at = from; at < template.length; at++) {
    const character = template[at];
    if (isQuoted && character === "\\") at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at + 1;
  }
  return template.length;
}

/** The value of a reference; undefined: it is unknown and stays as text. */
function valueOf(name: string, contact: ContactView, context: ContactContext): string | undefined {
  const [root, property, ...more] = name.split(".");
  if (more.length > 0) return undefined;
  if (root === "contact") {
    return property === undefined ? displayName(contact, context) : contactProperty(property, contact, context);
  }
  if (property === undefined) return undefined;
  if (root === "fields") return fieldText(property, contact, context);
  return root === "urns" && isUrnScheme(property) ? urnText(property, contact, context) : undefined;
}

function contactProperty(name: string, contact: ContactView, context: ContactContext): string | undefined {
  switch (name) {
    case "name":
      return displayName(contact, context);
    case "first_name":
      return /\S+/.exec(contact.name ?? "")?.[0] ?? displayName(contact, context);
    case "language":
      return contact.language ?? "";
    case "uuid":
      return contact.uuid;
    case "groups":
      return contact.groups.map((group) => group.name).join(",");
    case "tel":
      return readableAddress(urnOf(contact, "tel"), context);
    case "tel_e164":
      return addressPath("tel", contact, context);
    default:
      return isUrnScheme(name) ? addressPath(name, contact, context) : fieldText(name, contact, context);
  }
}

function displayName(contact: ContactView, context: ContactContext): string {
  return contact.name ?? readableAddress(contact.urns[0], context);
}

function readableAddress(urn: string | undefined, { isAnonymous }: ContactContext): string {
  if (urn === undefined) return "";
  return isAnonymous ? mask : readableUrn(urn);
}

function addressPath(scheme: string, contact: ContactView, context: ContactContext): string {
  return urnText(scheme, contact, context)
    .slice(scheme.length + 1)
    .replace(/#.*$/s, "");
}

function urnText(scheme: string, contact: ContactView, { isAnonymous }: ContactContext): string {
  const urn = urnOf(contact, scheme);
  if (urn === undefined) return "";
  return isAnonymous ? `${scheme}:${mask}` : urn;
}

function urnOf({ urns }: ContactView, scheme: string): string | undefined {
  return urns.find((urn) => urn.startsWith(`${scheme}:`));
}

/** A field as the API shows it, except that times are in the organisation's zone and style. */
function fieldText(key: string, contact: ContactView, context: ContactContext): string | undefined {
  const type = context.fields.get(key);
  if (type === undefined) return undefined;
  const raw = rawFieldOf(contact, key);
  return (type === "datetime" ? readableTime(raw, context) : shownFieldValue(type, raw, context)) ?? "";
}

const timeForms: Readonly<Record<OrganisationData["dateStyle"], string>> = {
  day_first: "dd-MM-yyyy HH:mm",
  month_first: "MM-dd-yyyy HH:mm",
  year_first: "yyyy-MM-dd HH:mm",
};

function readableTime(raw: string | undefined, context: ContactContext): string | undefined {
  const epochMs = raw === undefined ? undefined : parseDateText(raw, context);
  if (epochMs === undefined) return undefined;
  const time = DateTime.fromMillis(Math.floor(epochMs), { zone: context.timezone, locale: "en" });
  return time.toFormat(timeForms[context.dateStyle]);
}
