import type { ContactContext, ContactView } from "../text/contact-view.js";
import { compareDecimals } from "../text/decimal.js";
import { ComparedContact } from "./compared-contact.js";
import { sortOf } from "./property.js";
import { asksWhetherSet, type ContactQuery, type QueryCondition } from "./query.js";

/**
 * Whether a contact matches a query. Texts compare without regard to letter case, numbers exactly, and times by their
 * day in the organisation's zone. `!=` is the negation of `=`, so it also matches a contact without a value. A field
 * whose text is invalid for its type counts as not set.
 */
export function matchesQuery(query: ContactQuery, contact: ContactView, context: ContactContext): boolean {
  return isMatch(query, new ComparedContact(contact, context));
}

/** Like {@link matchesQuery}, for a contact that is matched against several queries. */
export function isMatch(query: ContactQuery, contact: ComparedContact): boolean {
  switch (query.kind) {
    case "and":
      return query.parts.every((part) => isMatch(part, contact));
    case "or":
      return query.parts.some((part) => isMatch(part, contact));
    case "condition":
      return meetsCondition(query, contact);
  }
}

function meetsCondition(condition: QueryCondition, contact: ComparedContact): boolean {
  const { comparison, comparand, property } = condition;
  // A group is compared by equality only.
  if (property.kind === "attribute" && property.name === "group")
    return contact.isInGroup(String(comparand)) === (comparison === "=");
  const values = contact.valuesOf(property);
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
