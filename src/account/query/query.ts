import type { FieldType } from "../../wire/index.js";

/** Built-in properties of a contact, in addition to fields. `urn` is an address of any scheme, `group` a membership. */
export const contactAttributes = ["uuid", "name", "language", "group", "urn", "created_on"] as const;
export type ContactAttribute = (typeof contactAttributes)[number];

/** The property that a condition compares. */
export type QueryProperty =
  | { readonly kind: "attribute"; readonly name: ContactAttribute }
  /** The addresses of one scheme. */
  | { readonly kind: "scheme"; readonly name: string }
  /** A contact field, by key. */
  | { readonly kind: "field"; readonly name: string; readonly type: FieldType };

/** `~`: contains. */
export type Comparison = "=" | "!=" | "~" | ">" | ">=" | "<" | "<=";

export interface QueryCondition {
  readonly kind: "condition";
  readonly property: QueryProperty;
  readonly comparison: Comparison;
  /** As written; "" with `=`: not set, "" with `!=`: set. */
  readonly value: string;
  /**
   * The value in the form for comparison: a text in lower case, a plain decimal number, or a day counted from
   * 1970-01-01.
   */
  readonly comparand: string | number;
}

/** At least two parts, none of the combination's own kind. */
export interface QueryCombination {
  readonly kind: "and" | "or";
  readonly parts: readonly ContactQuery[];
}

/** The parsed query of a smart group. Valid for the schema with which it was parsed. */
export type ContactQuery = QueryCondition | QueryCombination;

/** The properties on which the result of a query depends. */
export interface QueryUses {
  readonly attributes: ReadonlySet<ContactAttribute>;
  /** Schemes of addresses. */
  readonly schemes: ReadonlySet<string>;
  /** Keys of contact fields. */
  readonly fields: ReadonlySet<string>;
}

/**
 * Collects the properties of a query, so that a changed contact is matched only against the queries that use the
 * change.
 */
export function contactQueryUses(query: ContactQuery): QueryUses {
  const uses = { attributes: new Set<ContactAttribute>(), schemes: new Set<string>(), fields: new Set<string>() };
  const visit = (part: ContactQuery): void => {
    if (part.kind !== "condition") part.parts.forEach(visit);
    else if (part.property.kind === "attribute") uses.attributes.add(part.property.name);
    else if (part.property.kind === "scheme") uses.schemes.add(part.property.name);
    else uses.fields.add(part.property.name);
  };
  visit(query);
  return uses;
}

/** Whether a condition with `=` or `!=` tests only that the property is set. */
export function asksWhetherSet({ value }: Pick<QueryCondition, "value">): boolean {
  return value === "";
}
