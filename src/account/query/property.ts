import { isUrnScheme, urnIdentity, urnSchemes } from "../../wire/index.js";
import type { ContactContext } from "../text/contact-view.js";
import { localDay, parseDateText } from "../text/date-text.js";
import { normaliseDecimal } from "../text/decimal.js";
import { QueryFault, quoted, type Span } from "./query-fault.js";
import { isQueryWord } from "./lexer.js";
import {
  asksWhetherSet,
  type Comparison,
  type ContactAttribute,
  contactAttributes,
  type QueryCondition,
  type QueryProperty,
} from "./query.js";

/** What a query is checked against. */
export interface ContactQuerySchema extends ContactContext {
  /** Whether there is a group with this name (any case) or UUID; absent: not checked. */
  readonly hasGroup?: (nameOrUuid: string) => boolean;
}

/** How the values of a property compare. */
export type Sort = "text" | "word" | "number" | "day";

/** `text`: equal or contained, letter case apart; `word`: equal, letter case apart. */
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

const comparisonsOf: Readonly<Record<Sort, readonly Comparison[]>> = {
  text: ["=", "!=", "~"],
  word: ["=", "!="],
  number: ["=", "!=", ">", ">=", "<", "<="],
  day: ["=", "!=", ">", ">=", "<", "<="],
};

/** Every contact has these, or may have several: "set" asks nothing. */
const alwaysSet: ReadonlySet<string> = new Set<ContactAttribute>(["uuid", "group", "created_on"]);

/**
 * How a property is written so that it is found again: with `fields.` before the key where the key alone means
 * something else.
 */
export function propertyName({ kind, name }: QueryProperty): string {
  return kind === "field" && (isAttribute(name) || isUrnScheme(name) || isQueryWord(name)) ? `fields.${name}` : name;
}

/**
 * The property that a word names, in any case: an attribute, else a scheme of addresses, else the key of a field.
 * `fields.age` and `urns.tel` name a field and a scheme, whatever else has that name.
 *
 * @throws QueryFault when there is no such property
 */
export function resolveProperty(word: string, span: Span, schema: ContactQuerySchema): QueryProperty {
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

/** A condition as it is written, and where its parts are. */
export interface WrittenCondition {
  readonly property: QueryProperty;
  readonly comparison: Comparison;
  readonly value: string;
  readonly comparisonSpan: Span;
  readonly valueSpan: Span;
}

/**
 * Checks that a property can be compared in this way with this value, and makes it ready for that.
 *
 * @throws QueryFault when it cannot
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
    );
  }
  const condition = { kind: "condition", property, comparison, value } as const;
  if (asksWhetherSet({ value })) {
    if (comparison !== "=" && comparison !== "!=") {
      throw new QueryFault(valueSpan, `${comparison} needs a value; only = "" (not set) and != "" (set) go without`);
    }
    if (property.kind === "attribute" && alwaysSet.has(property.name)) {
      throw new QueryFault(valueSpan, `${quoted(name)} needs a value: whether it is set cannot be asked`);
    }
    return { ...condition, comparand: "" };
  }
  return { ...condition, comparand: comparandOf(written, schema) };
}

/** `urn = tel:+254…` asks for an address of that scheme. */
function wholeUrn(written: WrittenCondition): WrittenCondition | undefined {
  if (written.property.kind !== "attribute" || written.property.name !== "urn") return undefined;
  const urn = splitUrn(written.value);
  return urn && { ...written, property: urn.property, value: urn.path };
}

/** The parts of `scheme:path`, where the scheme is a known one. */
export function splitUrn(text: string): { property: QueryProperty; path: string } | undefined {
  const [, scheme = "", path = ""] = /^([a-z]+):(.+)$/is.exec(text) ?? [];
  const property = schemeOf(scheme.toLowerCase());
  return property && { property, path };
}

function comparandOf(written: WrittenCondition, schema: ContactQuerySchema): string | number {
  const { property, comparison, value, valueSpan } = written;
  const lower = value.toLowerCase();
  if (schema.isAnonymous && (property.kind === "scheme" || property.name === "urn")) {
    throw new QueryFault(valueSpan, 'addresses are hidden in this account: only = "" and != "" can be asked of them');
  }
  if (property.kind === "scheme") return comparison === "~" ? lower : normalPath(property.name, value).toLowerCase();
  switch (sortOf(property)) {
    case "number":
      return numberOf(value, valueSpan);
    case "day":
      return dayOf(value, valueSpan, schema);
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
    throw new QueryFault(valueSpan, `${quoted(value)} is no language: it takes a code of three letters, such as eng`);
  }
  if (property.name === "group" && schema.hasGroup?.(value) === false) {
    throw new QueryFault(valueSpan, `there is no group ${quoted(value)}`);
  }
  return lower;
}

/** An address as it would be stored, so that `tel = "+254 711 000222"` finds it. */
function normalPath(scheme: string, value: string): string {
  return urnIdentity(`${scheme}:${value}`)?.slice(scheme.length + 1) ?? value;
}

function numberOf(value: string, span: Span): string {
  const decimal = normaliseDecimal(value);
  if (decimal === undefined) throw new QueryFault(span, `${quoted(value)} is no number`);
  return decimal;
}

const dateExamples = { day_first: "05-03-2018", month_first: "03-05-2018", year_first: "2018/03/05" } as const;

function dayOf(value: string, span: Span, schema: ContactQuerySchema): number {
  const epochMs = parseDateText(value, schema);
  if (epochMs !== undefined) return localDay(epochMs, schema.timezone);
  throw new QueryFault(
    span,
    `${quoted(value)} is no date: write it as 2018-03-05 or ${dateExamples[schema.dateStyle]}`,
  );
}
