import { withoutDisplay } from "../../wire/index.js";
import { type ContactContext, type ContactView, rawFieldOf } from "../text/contact-view.js";
import { localDay, parseDateText } from "../text/date-text.js";
import { compareDecimals } from "../text/decimal.js";
import { shownFieldValue } from "../text/field-values.js";
import { sortOf } from "./property.js";
import { asksWhetherSet, type ContactQuery, type QueryCondition, type QueryProperty } from "./query.js";

/**
 * Whether a contact matches a query. Texts compare without regard to letter case, numbers exactly, and times by their
 * day in the organisation's zone. `!=` is the negation of `=`, so it also matches a contact without a value. A field
 * whose text is invalid for its type counts as not set.
 */
export function matchesQuery(query: ContactQuery, contact: ContactView, context: ContactContext): boolean {
  switch (query.kind) {
    case "and":
      return query.parts.every((part) => matchesQuery(part, contact, context));
    case "or":
      return query.parts.some((part) => matchesQuery(part, contact, context));
    case "condition":
      return matchesCondition(query, valuesOf(query.property, contact, context));
  }
}

function matchesCondition(condition: QueryCondition, values: readonly (string | number)[]): boolean {
  const { comparison, comparand, property } = condition;
  if (asksWhetherSet(condition)) return values.length > 0 === (comparison === "!=");
  const isNumber = sortOf(property) === "number";
  const distance = (value: string | number): number => {
    if (typeof value === "number" && typeof comparand === "number") return value - comparand;
    if (isNumber) return compareDecimals(String(value), String(comparand));
    return value === comparand ? 0 : Number.NaN;
  };
  switch (comparison) {
    case "=":
      return values.some((value) => distance(value) === 0);
    case "!=":
      return !values.some((value) => distance(value) === 0);
    case "~":
      return values.some((value) => String(value).includes(String(comparand)));
    case ">":
      return values.some((value) => distance(value) > 0);
    case ">=":
      return values.some((value) => distance(value) >= 0);
    case "<":
      return values.some((value) => distance(value) < 0);
    case "<=":
      return values.some((value) => distance(value) <= 0);
  }
}

/** The values of a contact's property, in the form of a condition's comparand; empty: not set. */
function valuesOf(property: QueryProperty, contact: ContactView, context: ContactContext): (string | number)[] {
  switch (property.kind) {
    case "scheme":
      return pathsOf(contact, property.name);
    case "field":
      return fieldValues(property, contact, context);
    case "attribute":
      break;
  }
  switch (property.name) {
    case "uuid":
      return [contact.uuid.toLowerCase()];
    case "name":
      return textValues(contact.name);
    case "language":
      return textValues(contact.language);
    case "group":
      return contact.groups.flatMap(({ uuid, name }) => [uuid.toLowerCase(), name.toLowerCase()]);
    case "urn":
      return pathsOf(contact);
    case "created_on":
      return [localDay(contact.createdEpochMs, context.timezone)];
  }
}

function fieldValues(
  { name, type }: Extract<QueryProperty, { kind: "field" }>,
  contact: ContactView,
  context: ContactContext,
): (string | number)[] {
  const raw = rawFieldOf(contact, name);
  if (type !== "datetime") return textValues(shownFieldValue(type, raw, context));
  const epochMs = raw === undefined ? undefined : parseDateText(raw, context);
  return epochMs === undefined ? [] : [localDay(epochMs, context.timezone)];
}

function textValues(text: string | null): string[] {
  return text === null || text === "" ? [] : [text.toLowerCase()];
}

/** Paths of the contact's addresses, of one scheme or of all, without their display parts. */
function pathsOf({ urns }: ContactView, scheme?: string): string[] {
  return urns
    .filter((urn) => scheme === undefined || urn.startsWith(`${scheme}:`))
    .map((urn) => withoutDisplay(urn.slice(urn.indexOf(":") + 1)).toLowerCase());
}
