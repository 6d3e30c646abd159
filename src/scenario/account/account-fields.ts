import * as z from "zod";
import { isE164, isUrnScheme, normaliseUrn, storedUrn, telUrn, urnSchemes } from "../../wire/index.js";
import { type Field, field, oneOrMore, type TextInput } from "../sheet/field.js";
import { formed, numericShape } from "../fields/fields.js";
import { listOf, readFilledText, scalar } from "../fields/values/scalar.js";
import { readPhone } from "../fields/values/phone.js";
import { isMap, type Read, describeValue } from "../sheet/raw-value.js";

/** A UUID. */
export function uuid(about: string): Field<string, TextInput> {
  return formed(uuidForm, "a UUID such as 9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e6f", about);
}

/** How UUIDs are spelled. */
export const uuidForm: RegExp = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** A language (ISO 639-3). */
export function language(about: string): Field<string, TextInput> {
  return formed(languageForm, languageWanted, about);
}

/** A list of languages. */
export function languages(about: string): Field<readonly string[], TextInput | readonly TextInput[]> {
  return field(oneOrMore(z.string().regex(languageForm)), listOf(readFormed(languageForm, languageWanted)), about);
}

const languageForm = /^[a-z]{3}$/;
const languageWanted = "a language code of three letters such as fra";

/**
 * The name of something in an account: at most `max` characters (docs/reference/service-api.md#limits). Names of groups
 * and labels restrict the first one (docs/reference/service-api.md#groups).
 */
export function nameField(
  about: string,
  { max, start = false }: { max: number; start?: boolean },
): Field<string, TextInput> {
  const form = start ? /^[\p{L}\p{N}_]/u : /\S/;
  const shape = z.union([z.string().regex(form).max(max), z.number(), z.boolean()]);
  return field(shape, readName(max, start), about);
}

function readName(max: number, start: boolean): Read<string> {
  return (value, report) => {
    const name = readFilledText("a name")(value, report)?.trim();
    if (name === undefined) return undefined;
    const length = Array.from(name).length;
    if (length > max) {
      report({ code: "out-of-range", message: `must have at most ${max} characters, got ${length}` });
      return undefined;
    }
    if (!start || /^[\p{L}\p{N}_]/u.test(name)) return name;
    report({ code: "bad-name", message: `must begin with a letter, a digit or _, got ${describeValue(name)}` });
    return undefined;
  };
}

/** A list of non-empty texts. */
export function textList(about: string): Field<readonly string[], TextInput | readonly TextInput[]> {
  return field(oneOrMore(z.string().regex(/\S/)), listOf(readFilledText("a text")), about);
}

/** A phone number in E.164, read as an address: `tel:+…`. */
export function phoneUrn(about: string): Field<string, TextInput> {
  const read: Read<string> = (value, report) => {
    const phone = readPhone()(value, report);
    if (phone === undefined) return undefined;
    if (phone.digits === 0) return telUrn(phone.prefix);
    report({
      code: "bad-phone",
      message: "must be one number, without a counter",
      hint: "many people go under 'people'",
    });
    return undefined;
  };
  return field(numericShape(String.raw`^\+[1-9][0-9]{6,14}$`), read, about);
}

/** A list of addresses, `scheme:path`. */
export function urns(about: string): Field<readonly string[], TextInput | readonly TextInput[]> {
  return field(oneOrMore(z.string().regex(/^[A-Za-z][A-Za-z0-9+.-]*:.+$/)), listOf(readUrn), about);
}

const readUrn: Read<string> = scalar("an address such as tel:+250788000001", (text, report) => {
  const urn = storedUrn(text);
  const normal = normaliseUrn(text) ?? (urn?.startsWith("tel:") === true ? urn : undefined); // or a short code
  if (normal !== undefined) return normal;
  report({
    code: "bad-value",
    message: `must be an address such as tel:+250788000001, got ${describeValue(text)}`,
    hint: urnHint(text),
  });
  return undefined;
});

function urnHint(text: string): string {
  if (isE164(text)) return `write tel:${text}, or put it under 'phone'`;
  const [scheme = ""] = text.split(":", 1);
  if (!isUrnScheme(scheme)) return `it begins with one of ${urnSchemes.map((one) => `${one}:`).join(" ")}`;
  if (/#.*#/s.test(text)) return "only one # may occur, before the part that people read";
  return scheme === "whatsapp"
    ? "write whatsapp:250788000001: digits only, with the country code and without +"
    : "write tel:+250788000001, mailto:amina@example.org, twitter:amina";
}

/** A UUID, an address, or a phone number alone. */
export const readContactReference: Read<string> = (value, report) => {
  const text = typeof value === "string" ? value.trim() : "";
  if (uuidForm.test(text)) return text.toLowerCase();
  return isE164(text) ? telUrn(text) : readUrn(value, report);
};

/** A map that is passed through unchanged. */
export function dataMap(about: string): Field<object, object> {
  const read: Read<object> = (value, report) => {
    if (isMap(value)) return value;
    report({ code: "wrong-type", message: `must be a map (key: value), got ${describeValue(value)}` });
    return undefined;
  };
  return field(z.looseObject({}), read, about);
}

/** One contact: by UUID, by address, or by phone number alone. */
export function contactReference(about: string): Field<string, TextInput> {
  const examples = ["+250788000001", "mailto:amina@example.org"];
  return field(z.union([z.string(), z.number()]).meta({ examples }), readContactReference, about);
}

/** A list of contacts: by UUID, by address, or by phone number alone. */
export function someContacts(about: string): Field<readonly string[], string | readonly string[]> {
  return field(oneOrMore(z.string()), listOf(readContactReference), about);
}

/** Reads an item of a list: a text that matches a pattern. */
function readFormed(form: RegExp, wanted: string): Read<string> {
  return scalar(wanted, (text, report) => {
    if (form.test(text)) return text;
    report({ code: "bad-value", message: `must be ${wanted}, got ${describeValue(text)}` });
    return undefined;
  });
}
