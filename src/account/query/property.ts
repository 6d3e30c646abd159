import { isUrnScheme, urnIdentity, urnSchemes } from "../../wire/index.js";
import type { ContactContext } from "../text/contact-view.js";
import { localDay, parseDateText } from "../text/date-text.js";
import { normaliseDecimal } from "../text/decimal.js";
import { QueryFault, quoted, type QuerySpan } from "./query-fault.js";
import { isQueryWord } from "./lexer.js";
import {
  asksWhetherSet,
  type QueryOperator,
  type ContactAttribute,
  contactAttributes,
  type QueryCondition,
  type QueryProperty,
} from "./query.js";

/** The fields, groups and settings against which a query is checked. */
export interface ContactQuerySchema extends ContactContext {
  /** Whether a group with this name (any letter case) or UUID exists; absent when this is not checked. */
  readonly hasGroup?: (nameOrUuid: string) => boolean;
}

/** How the values of a property compare. */
export type Sort = "text" | "word" | "number" | "day";

/** The sort of a property. `text` compares by equality or containment, `word` by equality; both ignore letter case. */
export function sortOf(property: QueryProperty): Sort {
  switch (property.kind) {
    case "scheme":
      return "text";
    case "attribute":
      if (property.name === "created_on") return "day";
      return property.name === "name" || property.name === "urn" ? "text" : "word";
    case "field":
      if (property.type === "numeric") return "number";
      return property.type === "datetime" ? "day" : "text";
  }
}

const comparisonsOf: Readonly<Record<Sort, readonly QueryOperator[]>> = {
  text: ["=", "!=", "~"],
  word: ["=", "!="],
  number: ["=", "!=", ">", ">=", "<", "<="],
  day: ["=", "!=", ">", ">=", "<", "<="],
};

/** Attributes that refuse `= ""` and `!= ""`: a contact has a UUID, a creation time and any number of groups. */
const alwaysSet: ReadonlySet<string> = new Set<ContactAttribute>(["uuid", "group", "created_on"]);

/**
 * The name that {@link resolveProperty} resolves to this property. A field's key gets the prefix `fields.` where the
 * key alone has another meaning.
 */
export function propertyName({ kind, name }: QueryProperty): string {
  return kind === "field" && (isAttribute(name) || isUrnScheme(name) || isQueryWord(name)) ? `fields.${name}` : name;
}

/**
 * The property that a word names, in any letter case: an attribute, else a scheme of addresses, else the key of a
 * field. The prefixes in `fields.age` and `urns.tel` select a field or a scheme.
 *
 * @throws QueryFault when the property is unknown
 */
export function resolveProperty(word: string, span: QuerySpan, schema: ContactQuerySchema): QueryProperty {
  const name = word.toLowerCase();
  const [, prefix, rest = ""] = /^(fields|urns)\.(.+)$/s.exec(name) ?? [];
  const found =
    prefix === undefined
      ? (attributeOf(name) ?? schemeOf(name) ?? fieldOf(name, schema))
      : prefix === "fields"
        ? fieldOf(rest, schema)
        : schemeOf(rest);
  if (found !== undefined) return found;
  const keys = [...schema.fields.keys()];
  const listed = keys.length === 0 ? "none" : keys.slice(0, 20).join(", ") + (keys.length > 20 ? ", …" : "");
  throw new QueryFault(
    span,
    `${quoted(word)} is no field of contacts. Fields: ${listed}. ` +
      `Also: ${contactAttributes.join(", ")}, and addresses by scheme, such as ${urnSchemes.slice(0, 3).join(", ")}`,
    prefix === undefined ? name : rest,
  );
}

function attributeOf(name: string): QueryProperty | undefined {
  return isAttribute(name) ? { kind: "attribute", name } : undefined;
}

function isAttribute(name: string): name is ContactAttribute {
  return (contactAttributes as readonly string[]).includes(name);
}

function schemeOf(name: string): QueryProperty | undefined {
  return isUrnScheme(name) ? { kind: "scheme", name } : undefined;
}

function fieldOf(name: string, schema: ContactQuerySchema): QueryProperty | undefined {
  const type = schema.fields.get(name);
  return type && { kind: "field", name, type };
}

/** The key of the field whose type decides which conditions are allowed; undefined when the property is not a field. */
function fieldOfProperty({ kind, name }: QueryProperty): string | undefined {
  return kind === "field" ? name : undefined;
}

/** A condition as written, with the places of its parts. */
export interface WrittenCondition {
  readonly property: QueryProperty;
  readonly comparison: QueryOperator;
  readonly value: string;
  readonly comparisonSpan: QuerySpan;
  readonly valueSpan: QuerySpan;
}

/**
 * Checks that a property supports this comparison with this value, and computes the comparand.
 *
 * @throws QueryFault when it does not
 */
export function checkCondition(written: WrittenCondition, schema: ContactQuerySchema): QueryCondition {
  const { comparison, comparisonSpan, value, valueSpan } = written;
  const whole = wholeUrn(written);
  if (whole !== undefined) return checkCondition(whole, schema);
  const property = written.property;
  const name = propertyName(property);
  const allowed = comparisonsOf[sortOf(property)];
  if (!allowed.includes(comparison)) {
    const described = property.kind === "field" ? `${quoted(name)}, a ${property.type} field,` : quoted(name);
    throw new QueryFault(
      comparisonSpan,
      `${described} cannot be compared with ${comparison}, only with ${allowed.join(" ")}`,
      fieldOfProperty(property),
    );
  }
  const condition = { kind: "condition", property, comparison, value } as const;
  if (asksWhetherSet({ value })) {
    if (comparison !== "=" && comparison !== "!=") {
      throw new QueryFault(
        valueSpan,
        `${comparison} needs a value; only = "" (not set) and != "" (set) work without one`,
        fieldOfProperty(property),
      );
    }
    if (property.kind === "attribute" && alwaysSet.has(property.name)) {
      throw new QueryFault(valueSpan, `${quoted(name)} needs a value: a query cannot test whether it is set`);
    }
    return { ...condition, comparand: "" };
  }
  return { ...condition, comparand: comparandOf(written, schema) };
}

/** Rewrites `urn = tel:+254…` to a condition on that scheme. */
function wholeUrn(written: WrittenCondition): WrittenCondition | undefined {
  if (written.property.kind !== "attribute" || written.property.name !== "urn") return undefined;
  const urn = splitUrn(written.value);
  return urn && { ...written, property: urn.property, value: urn.path };
}

/** Splits `scheme:path`; undefined when the scheme is unknown. */
export function splitUrn(text: string): { property: QueryProperty; path: string } | undefined {
  const [, scheme = "", path = ""] = /^([a-z]+):(.+)$/is.exec(text) ?? [];
  const property = schemeOf(scheme.toLowerCase());
  return property && { property, path };
}

function comparandOf(written: WrittenCondition, schema: ContactQuerySchema): string | number {
  const { property, comparison, value, valueSpan } = written;
  const lower = value.toLowerCase();
  if (schema.isAnonymous && (property.kind === "scheme" || property.name === "urn")) {
    throw new QueryFault(
      valueSpan,
      'addresses are hidden in this account: compare them only with = "" (not set) or != "" (set)',
    );
  }
  if (property.kind === "scheme") return comparison === "~" ? lower : normalPath(property.name, value).toLowerCase();
  switch (sortOf(property)) {
    case "number":
      return numberOf(value, written);
    case "day":
      return dayOf(value, written, schema);
    case "word":
    case "text":
      break;
  }
  if (property.kind === "field") {
    const { type } = property;
    const isPlace = type === "state" || type === "district" || type === "ward";
    return isPlace && comparison !== "~" ? (schema.boundaryName(type, value) ?? value).toLowerCase() : lower;
  }
  if (property.name === "language" && Array.from(value).length !== 3) {
    throw new QueryFault(valueSpan, `a language must be a code of three letters, such as eng, got ${quoted(value)}`);
  }
  if (property.name === "group" && schema.hasGroup?.(value) === false) {
    throw new QueryFault(valueSpan, `unknown group ${quoted(value)}`);
  }
  return lower;
}

/** The path of an address in its stored form, so that `tel = "+254 711 000222"` finds it. */
function normalPath(scheme: string, value: string): string {
  return urnIdentity(`${scheme}:${value}`)?.slice(scheme.length + 1) ?? value;
}

function numberOf(value: string, { property, valueSpan }: WrittenCondition): string {
  const decimal = normaliseDecimal(value);
  if (decimal !== undefined) return decimal;
  throw new QueryFault(valueSpan, `expected a number, got ${quoted(value)}`, fieldOfProperty(property));
}

const dateExamples = { day_first: "05-03-2018", month_first: "03-05-2018", year_first: "2018/03/05" } as const;

function dayOf(value: string, { property, valueSpan }: WrittenCondition, schema: ContactQuerySchema): number {
  const epochMs = parseDateText(value, schema);
  if (epochMs !== undefined) return localDay(epochMs, schema.timezone);
  throw new QueryFault(
    valueSpan,
    `expected a date such as 2018-03-05 or ${dateExamples[schema.dateStyle]}, got ${quoted(value)}`,
    fieldOfProperty(property),
  );
}
