import { parseFilterTime } from "../wire/index.js";
import type { IdUuids } from "../account/index.js";
import type { SqlValue } from "../store/index.js";
import type { ApiRequest } from "./api-request.js";
import { detailError } from "./error.js";
import { type JsonSchema, schema } from "../schema/index.js";

/** A filter of the store's list, by name, with its values. */
export type ListFilter = readonly [name: string, ...values: SqlValue[]];

/** Records that a query parameter selects: those of one list filter, none, or all. */
export type FilterMatch = ListFilter | "none" | "all";

/** A query parameter that restricts a list. */
export interface Filter {
  readonly about: string;
  readonly schema: JsonSchema;
  /** @throws ApiError 400 for invalid values */
  parse(value: string, request: ApiRequest): FilterMatch;
}

/** Filters by the name of their parameter. */
export type Filters = Readonly<Record<string, Filter>>;

/** A filter that compares text. */
export function textFilter(name: string, about: string): Filter {
  return { about, schema: schema.text, parse: (value) => [name, value] };
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * A filter by UUID. A malformed one matches no record; with `--strict` it is a 400
 * (docs/reference/service-api.md#query-parameters).
 */
export function uuidFilter(name: string, about: string): Filter {
  return {
    about,
    schema: schema.uuid,
    parse(value, { isStrict }) {
      const uuid = value.toLowerCase();
      if (uuidPattern.test(uuid)) return [name, uuid];
      if (isStrict) throw detailError(400, `Value for ${name} must be a valid UUID`);
      return "none";
    },
  };
}

/** A filter by UUID for records whose UUID is derived from their id; the list's filter is `id`. */
export function idUuidFilter(about: string, uuids: (request: ApiRequest) => IdUuids): Filter {
  const filter = uuidFilter("uuid", about);
  return {
    ...filter,
    parse(value, request) {
      const id = filter.parse(value, request) === "none" ? undefined : uuids(request).idOf(value);
      return id === undefined ? "none" : ["id", id];
    },
  };
}

/** A filter by the UUID of a contact that is not deleted; the list's filter `contact` takes its row. */
export function contactFilter(about: string): Filter {
  return lookupFilter("contact", about, (value, { context }) => {
    const contact = context.tables.contacts.byUuid(value.toLowerCase());
    return contact?.state === "deleted" ? undefined : contact?.row;
  });
}

/** A filter by a whole number; 0 counts as absent (docs/reference/service-api.md#query-parameters). */
export function integerFilter(name: string, about: string): Filter {
  return {
    about,
    schema: schema.integer,
    parse(value) {
      if (!/^\s*[-+]?\d+\s*$/.test(value)) throw detailError(400, `Value for ${name} must be an integer`);
      const number = Number(value);
      if (number === 0) return "all";
      return Number.isSafeInteger(number) ? [name, number] : "none";
    },
  };
}

/**
 * Parses a boolean in a query: `true`, `yes`, `y` and `1` are true, everything else is false
 * (docs/reference/service-api.md#query-parameters).
 */
export function isTrue(value: string): boolean {
  return ["true", "yes", "y", "1"].includes(value.toLowerCase());
}

/**
 * `before` and `after`, both inclusive; an invalid time matches no record (docs/reference/service-api.md#timestamps).
 */
export function timeFilters(column: string): { readonly before: Filter; readonly after: Filter } {
  return {
    before: timeFilter("before", `${column} at or before`),
    after: timeFilter("after", `${column} at or after`),
  };
}

function timeFilter(name: "before" | "after", about: string): Filter {
  return {
    about,
    schema: { type: "string", examples: ["2026-03-05T07:41:09.120"] },
    parse(value, { context }) {
      const epochMs = parseFilterTime(value);
      if (epochMs === undefined) return "none";
      const atMs = epochMs - context.startsAtMs;
      return [name, name === "before" ? Math.floor(atMs) : Math.ceil(atMs)];
    },
  };
}

/** A table whose rows have a UUID and a name. */
interface NamedTable {
  byUuid(uuid: string): { readonly id: number } | undefined;
  /** Ignores case. */
  byName(name: string): { readonly id: number; readonly name: string } | undefined;
}

/**
 * Restricts a list to one group, label or campaign, by its UUID or its name in any letter case. Real systems compare
 * names exactly here (docs/reference/service-api.md#contacts), though not in `groups?name=`; with `--strict`, this
 * filter does too.
 */
export function namedFilter(name: string, about: string, table: (request: ApiRequest) => NamedTable): Filter {
  return lookupFilter(name, about, (value, request) => {
    const rows = table(request);
    const byUuid = rows.byUuid(value.toLowerCase());
    if (byUuid !== undefined) return byUuid.id;
    const byName = rows.byName(value);
    return request.isStrict && byName?.name !== value ? undefined : byName?.id;
  });
}

/**
 * A filter whose value is looked up first; an unknown value matches no record
 * (docs/reference/service-api.md#query-parameters).
 */
export function lookupFilter(
  name: string,
  about: string,
  find: (value: string, request: ApiRequest) => SqlValue | undefined,
): Filter {
  return {
    about,
    schema: schema.text,
    parse(value, request) {
      const found = find(value, request);
      return found === undefined ? "none" : [name, found];
    },
  };
}
