import { type ContactContext, type ContactQuery, matchesQuery, parseContactQuery } from "../../../account/index.js";
import type { SessionContact, Membership, OrgEnvironment } from "../../../flow/index.js";

const dateStyles = {
  "DD-MM-YYYY": "day_first",
  "MM-DD-YYYY": "month_first",
  "YYYY-MM-DD": "year_first",
} as const;

/**
 * Membership in smart groups by their queries, each parsed once.
 *
 * @param assets - plain JSON, of which `fields` is used
 * @param nowMs - decides the century of years with two digits
 */
export function queryMembership(environment: OrgEnvironment, assets: unknown, nowMs: number): Membership {
  const context: ContactContext = {
    timezone: environment.timezone,
    dateStyle: dateStyles[environment.dateFormat],
    currentYear: new Date(nowMs).getUTCFullYear(),
    boundaryName: (_type, text) => text,
    fields: new Map(fieldsIn(assets)),
    isAnonymous: false,
  };
  const queries = new Map<string, ContactQuery | undefined>();
  return ({ query = "" }, contact) => {
    if (!queries.has(query)) {
      const reading = parseContactQuery(query, context);
      queries.set(query, reading.ok ? reading.query : undefined);
    }
    const parsed = queries.get(query);
    return parsed === undefined ? undefined : matchesQuery(parsed, viewOf(contact, context), context);
  };
}

type QueryFieldType = ContactContext["fields"] extends ReadonlyMap<string, infer Type> ? Type : never;

function fieldsIn(assets: unknown): [string, QueryFieldType][] {
  const fields: unknown = typeof assets === "object" && assets !== null && "fields" in assets ? assets.fields : [];
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((field: unknown): [string, QueryFieldType][] => {
    if (typeof field !== "object" || field === null || !("key" in field) || typeof field.key !== "string") return [];
    return [[field.key, queryType("type" in field ? field.type : "text")]];
  });
}

function queryType(type: unknown): QueryFieldType {
  if (type === "number") return "numeric";
  return type === "datetime" || type === "state" || type === "district" || type === "ward" ? type : "text";
}

function viewOf(contact: SessionContact, { fields }: ContactContext): Parameters<typeof matchesQuery>[1] {
  return {
    uuid: contact.uuid,
    name: contact.name === "" ? null : contact.name,
    language: contact.language === "" ? null : contact.language,
    urns: contact.urns.map((urn) => urn.replace(/[?#].*$/s, "")),
    groups: contact.groups,
    createdEpochMs: contact.createdAtMs,
    fields: Object.fromEntries(
      Object.entries(contact.fields).map(([key, value]) => [key, typedText(value, fields.get(key) ?? "text")]),
    ),
  };
}

/** The value that a query compares: the number of "50 years", the name of a place without its parents. */
function typedText(value: SessionContact["fields"][string], type: QueryFieldType): string {
  switch (type) {
    case "text":
      return value.text;
    case "numeric":
      return value.number ?? "";
    case "datetime":
      return value.datetime ?? "";
    case "state":
    case "district":
    case "ward":
      return (value[type] ?? "").split(" > ").at(-1) ?? "";
  }
}
