import { type ContactQuery, type ContactQuerySchema, formatContactQuery, parseContactQuery } from "../account/index.js";
import type { Pseudonyms } from "../field/index.js";
import type { AccountData } from "../wire/index.js";

/** How queries of an account are read. */
export function querySchemaOf({
  organisation,
  fields,
  groups,
}: Pick<AccountData, "organisation" | "fields" | "groups">): ContactQuerySchema {
  const known = new Set(
    groups.flatMap(({ uuid, name }) => [name.toLowerCase(), ...(uuid === undefined ? [] : [uuid])]),
  );
  return {
    fields: new Map(fields.map(({ key, label, type }) => [key ?? label, type])),
    isAnonymous: organisation?.isAnonymous ?? false,
    timezone: organisation?.timezone ?? "UTC",
    dateStyle: organisation?.dateStyle ?? "day_first",
    currentYear: 2026, // completes two-digit years; only whether a date can be read matters here
    boundaryName: () => undefined,
    hasGroup: (nameOrUuid) => known.has(nameOrUuid.toLowerCase()),
  };
}

/**
 * A query that finds among pseudonyms the contacts that it found among the names: the values that it compares with
 * names, addresses, UUIDs and texts are replaced. A query without such values stays as it is written.
 *
 * @param keep - keys of fields whose values are not replaced
 * @returns undefined if the query cannot be read
 */
export function pseudonymousQuery(
  text: string,
  { schema, pseudonyms, keep }: { schema: ContactQuerySchema; pseudonyms: Pseudonyms; keep: ReadonlySet<string> },
): string | undefined {
  const reading = parseContactQuery(text, schema);
  if (!reading.ok) return undefined;
  let isChanged = false;
  const replaced = (query: ContactQuery): ContactQuery => {
    if (query.kind !== "condition") {
      const [first, second, ...rest] = query.parts.map(replaced);
      return { ...query, parts: [first, second, ...rest] as typeof query.parts };
    }
    const value = valueOf(query);
    isChanged ||= value !== query.value;
    return { ...query, value };
  };
  const valueOf = ({ property, value }: Extract<ContactQuery, { kind: "condition" }>): string => {
    if (value === "") return value;
    if (property.kind === "scheme")
      return pseudonyms.address(`${property.name}:${value}`).slice(property.name.length + 1);
    if (property.kind === "field") {
      const isKept = keep.has(property.name) || (property.type !== "text" && property.type !== "numeric");
      return isKept ? value : pseudonyms.text(value);
    }
    if (property.name === "name") return pseudonyms.words(value);
    if (property.name === "uuid") return pseudonyms.uuid(value);
    return property.name === "urn" ? pseudonyms.address(value) : value;
  };
  const query = replaced(reading.query);
  return isChanged ? formatContactQuery(query) : text;
}
