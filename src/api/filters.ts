import { parseFilterTime } from "../wire/index.js";
import type { IdUuids } from "../account/index.js";
import type { Value } from "../store/index.js";
import type { Call } from "./call.js";
import { refusal } from "./error.js";
import * as schema from "./schema.js";
import type { JsonSchema } from "./schema.js";

/** What a filter asks of the store: one of the list's filters with its values. `nothing`: no record can match. */
export type Match = readonly [name: string, ...values: Value[]] | "nothing" | "anything";

/** A query parameter that restricts a list. */
export interface Filter {
  readonly about: string;
  readonly schema: JsonSchema;
  /** @throws ApiError 400 for values that the service refuses */
  read(value: string, call: Call): Match;
}

/** Filters by the name of their parameter. */
export type Filters = Readonly<Record<string, Filter>>;

/** Compared as text. */
export function textFilter(name: string, about: string): Filter {
  return { about, schema: schema.text, read: (value) => [name, value] };
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A malformed UUID matches nothing; strictly, it is refused (service-api.md 1.10). */
export function uuidFilter(name: string, about: string): Filter {
  return {
    about,
    schema: schema.uuid,
    read(value, { isStrict }) {
      const uuid = value.toLowerCase();
      if (uuidPattern.test(uuid)) return [name, uuid];
      if (isStrict) throw refusal(400, `Value for ${name} must be a valid UUID`);
      return "nothing";
    },
  };
}

/** The UUIDs of things whose UUID is another spelling of their id; the list's filter is `id`. */
export function idUuidFilter(about: string, uuids: (call: Call) => IdUuids): Filter {
  const filter = uuidFilter("uuid", about);
  return {
    ...filter,
    read(value, call) {
      const id = filter.read(value, call) === "nothing" ? undefined : uuids(call).idOf(value);
      return id === undefined ? "nothing" : ["id", id];
    },
  };
}

/** A contact that is not deleted, by its UUID; the list's filter is `contact`, by its row. */
export function contactFilter(about: string): Filter {
  return lookupFilter("contact", about, (value, { desk }) => {
    const contact = desk.tables.contacts.byUuid(value.toLowerCase());
    return contact?.state === "deleted" ? undefined : contact?.row;
  });
}

/** A whole number; 0 counts as absent (service-api.md 1.10). */
export function integerFilter(name: string, about: string): Filter {
  return {
    about,
    schema: schema.integer,
    read(value) {
      if (!/^\s*[-+]?\d+\s*$/.test(value)) throw refusal(400, `Value for ${name} must be an integer`);
      const number = Number(value);
      if (number === 0) return "anything";
      return Number.isSafeInteger(number) ? [name, number] : "nothing";
    },
  };
}

/** Words for true in query strings; everything else is false (service-api.md 1.10). */
export function isTrue(value: string): boolean {
  return ["true", "yes", "y", "1"].includes(value.toLowerCase());
}

/** `before` and `after`: both ends included; what is no time matches nothing (service-api.md 1.7). */
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
    read(value, { desk }) {
      const epochMs = parseFilterTime(value);
      if (epochMs === undefined) return "nothing";
      const atMs = epochMs - desk.startsAtMs;
      return [name, name === "before" ? Math.floor(atMs) : Math.ceil(atMs)];
    },
  };
}

/** A table whose rows have a UUID and a name. */
interface NamedTable {
  byUuid(uuid: string): { readonly id: number } | undefined;
  /** In any case. */
  byName(name: string): { readonly id: number; readonly name: string } | undefined;
}

/**
 * Restricts a list to one group, label or campaign, by its UUID or its name in any case. Real systems compare names
 * exactly here (service-api.md 2.7), though not in `groups?name=`; with `--strict` so does this filter.
 */
export function namedFilter(name: string, about: string, table: (call: Call) => NamedTable): Filter {
  return lookupFilter(name, about, (value, call) => {
    const rows = table(call);
    const byUuid = rows.byUuid(value.toLowerCase());
    if (byUuid !== undefined) return byUuid.id;
    const byName = rows.byName(value);
    return call.isStrict && byName?.name !== value ? undefined : byName?.id;
  });
}

/** Something that is looked up first; unknown ones match nothing (service-api.md 1.10). */
export function lookupFilter(
  name: string,
  about: string,
  find: (value: string, call: Call) => Value | undefined,
): Filter {
  return {
    about,
    schema: schema.text,
    read(value, call) {
      const found = find(value, call);
      return found === undefined ? "nothing" : [name, found];
    },
  };
}
