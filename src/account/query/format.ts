import { quoteValue } from "./lexer.js";
import { propertyName } from "./property.js";
import type { ContactQuery, QueryCondition } from "./query.js";

/** The canonical text of a query: parsing it gives the same query. Brackets only where needed. */
export function formatContactQuery(query: ContactQuery): string {
  switch (query.kind) {
    case "condition":
      return formatCondition(query);
    case "or":
      return query.parts.map(formatContactQuery).join(" OR ");
    case "and":
      return query.parts
        .map((part) => (part.kind === "or" ? `(${formatContactQuery(part)})` : formatContactQuery(part)))
        .join(" AND ");
  }
}

function formatCondition({ property, comparison, value }: QueryCondition): string {
  return `${propertyName(property)} ${comparison} ${/^\d+(?:\.\d+)?$/.test(value) ? value : quoteValue(value)}`;
}
