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
export type QueryOperator = "=" | "!=" | "~" | ">" | ">=" | "<" | "<=";

export interface QueryCondition {
  readonly kind: "condition";
  readonly property: QueryProperty;
  readonly comparison: QueryOperator;
  /** The value as written. The empty text tests whether the property is set: `=` that it is not, `!=` that it is. */
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
  /** Names and UUIDs of groups, in lower case. */
  readonly groups: ReadonlySet<string>;
  /** Whether it compares dates or places, whose meaning depends on the settings and boundaries of the organisation. */
  readonly readsSettings: boolean;
  /** Number of conditions. */
  readonly conditions: number;
}

/**
 * Collects the properties of a query, so that a changed contact is matched only against the queries that use the
 * change.
 */
export function contactQueryUses(query: ContactQuery): QueryUses {
  const uses = {
    attributes: new Set<ContactAttribute>(),
    schemes: new Set<string>(),
    fields: new Set<string>(),
    groups: new Set<string>(),
    readsSettings: false,
    conditions: 0,
  };
  const visit = (part: ContactQuery): void => {
    if (part.kind !== "condition") return part.parts.forEach(visit);
    const { property, comparand } = part;
    uses.conditions++;
    // Only dates have comparands that are numbers.
    if (typeof comparand === "number" || isPlace(property)) uses.readsSettings = true;
    if (property.kind === "scheme") uses.schemes.add(property.name);
    else if (property.kind === "field") uses.fields.add(property.name);
    else {
      uses.attributes.add(property.name);
      if (property.name === "group") uses.groups.add(String(comparand));
    }
  };
  visit(query);
  return uses;
}

function isPlace(property: QueryProperty): boolean {
  return property.kind === "field" && ["state", "district", "ward"].includes(property.type);
}

/** Whether a condition with `=` or `!=` tests only that the property is set. */
export function asksWhetherSet({ value }: Pick<QueryCondition, "value">): boolean {
  return value === "";
}
