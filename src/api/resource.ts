import type { Value } from "../store/index.js";
import type { ApiRequest } from "./api-request.js";
import type { Fields, Values } from "./body-fields.js";
import type { Listing } from "./paging.js";
import type { JsonSchema } from "./schema.js";
import type { Scope } from "./throttle.js";

/** One property of a record: its schema and where it comes from. `More` is what was looked up for the whole page. */
export interface Column<Row, More = undefined> {
  readonly schema: JsonSchema;
  readonly value: (row: Row, request: ApiRequest, more: More) => unknown;
}

/** The record of a resource, property by property. */
export type Columns<Row, More = undefined> = Readonly<Record<string, Column<Row, More>>>;

/** A property of a record. */
export function column<Row, More = undefined>(
  schema: JsonSchema,
  value: (row: Row, request: ApiRequest, more: More) => unknown,
): Column<Row, More> {
  return { schema, value };
}

/** A query parameter that names what a POST or DELETE is about. */
export interface Identifier<Target> {
  readonly about: string;
  readonly schema: JsonSchema;
  /** Undefined when there is no such thing. @throws ApiError 400 for values that cannot name anything */
  readonly find: (value: string, request: ApiRequest) => Target | undefined;
  /** A POST for something that does not exist makes it, instead of being answered with 404. */
  readonly mayCreate?: boolean;
}

/** What a POST or DELETE is about. */
export interface Identified<Target> {
  readonly name: string;
  readonly value: string;
  readonly target: Target | undefined;
}

/** What came of a POST: `key` of the record to show with it. */
export type PostResult =
  | { readonly status: 200 | 201; readonly key: Value }
  | { readonly status: 200; readonly body: unknown }
  | { readonly status: 204 };

/** A POST, whatever its fields: what the mechanism sees of it. */
export interface PostMethod {
  readonly about: string;
  readonly identifiers: Readonly<Record<string, Identifier<unknown>>>;
  readonly fields: Fields;
  /** Statuses of success, for the documentation. */
  readonly statuses: readonly (200 | 201 | 204)[];
  /** Schema of a 200 that is not the record. */
  readonly answer?: JsonSchema;
  /** A body, for the documentation; by default it is made from the fields' schemas. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** The reference does not have it: strictly, it is not there (405). */
  readonly isExtension?: true;
  readonly check: (
    values: Readonly<Record<string, unknown>>,
    request: ApiRequest,
    identified: Identified<unknown> | undefined,
  ) => () => PostResult;
}

/**
 * A POST, typed by its fields. `check` holds the values against each other and against what is there; it refuses by
 * throwing (`wholeBodyError`, `fieldError`) and gives back what is then to be done. Only that changes anything.
 */
export function postMethod<Target, F extends Fields>(posting: {
  readonly about: string;
  readonly identifiers?: Readonly<Record<string, Identifier<Target>>>;
  readonly fields: F;
  readonly statuses?: readonly (200 | 201 | 204)[];
  readonly answer?: JsonSchema;
  readonly example?: Readonly<Record<string, unknown>>;
  readonly isExtension?: true;
  readonly check: (
    values: Values<F>,
    request: ApiRequest,
    identified: Identified<Target> | undefined,
  ) => () => PostResult;
}): PostMethod {
  const { identifiers = {}, fields, check } = posting;
  const isUpdating = Object.keys(identifiers).length > 0;
  return {
    about: posting.about,
    identifiers,
    fields,
    statuses: posting.statuses ?? (isUpdating ? [201, 200] : [201]),
    ...(posting.answer !== undefined && { answer: posting.answer }),
    ...(posting.example !== undefined && { example: posting.example }),
    ...(posting.isExtension && { isExtension: true }),
    // What `readFields` read by these very fields, and `find` found by these identifiers.
    check: (values, request, identified) =>
      check(values as Values<F>, request, identified as Identified<Target> | undefined),
  };
}

/** A DELETE: always by one of its identifiers. */
export interface DeleteMethod {
  readonly about: string;
  readonly identifiers: Readonly<Record<string, Identifier<unknown>>>;
  readonly check: (target: unknown, request: ApiRequest) => () => void;
}

/** A DELETE, typed by what it is about. `check` refuses by throwing and gives back what is to be done. */
export function deleteMethod<Target>(removal: {
  readonly about: string;
  readonly identifiers: Readonly<Record<string, Identifier<Target>>>;
  readonly check: (target: Target, request: ApiRequest) => () => void;
}): DeleteMethod {
  return {
    about: removal.about,
    identifiers: removal.identifiers,
    check: (target, request) => removal.check(target as Target, request),
  };
}

/** A GET that answers one object and not a page. */
export interface GetMethod {
  readonly about: string;
  readonly parameters: Readonly<Record<string, { readonly about: string; readonly schema: JsonSchema }>>;
  readonly schema: JsonSchema;
  readonly read: (request: ApiRequest) => unknown;
}

/** What the mechanism sees of a list. */
export interface ListMethod {
  readonly about: string;
  readonly listing: Listing<object>;
  readonly record: Columns<unknown, unknown>;
  /** Gives the records of a page. */
  readonly records: (rows: readonly object[], request: ApiRequest) => Record<string, unknown>[];
}

/** A GET that pages through records; `lookUp` finds for the whole page at once what its rows do not hold. */
export function listMethod<Row extends object, More = undefined>(
  options: Listing<Row> & {
    readonly about: string;
    readonly record: Columns<Row, More>;
    readonly lookUp?: (rows: readonly Row[], request: ApiRequest) => More;
  },
): ListMethod {
  const { about, record, lookUp, ...listing } = options;
  const columns = Object.entries(record);
  // A copy of it has room for all properties from the start.
  const blank: Record<string, unknown> = Object.fromEntries(columns.map(([name]) => [name, null]));
  return {
    about,
    listing: listing as unknown as Listing<object>,
    record: record as Columns<unknown, unknown>,
    records(rows, request) {
      // The rows are those of the very list above.
      const typed = rows as readonly Row[];
      const more = lookUp?.(typed, request) as More;
      return typed.map((row) => {
        const shown = { ...blank };
        for (const [name, { value }] of columns) shown[name] = value(row, request, more);
        return shown;
      });
    },
  };
}

/** A resource of the API: one path and what its methods do. */
export interface Resource {
  /** Last part of the path: `labels` for `/api/v2/labels.json`. */
  readonly name: string;
  /** What it is, for the documentation. */
  readonly about: string;
  readonly scope: Scope;
  /** Whether surveyors may use it (service-api.md 1.2). */
  readonly forSurveyors: boolean;
  /** The reference does not have it: strictly, it is not there (404). */
  readonly isExtension?: true;
  readonly list?: ListMethod;
  readonly single?: GetMethod;
  readonly post?: PostMethod;
  readonly remove?: DeleteMethod;
}
