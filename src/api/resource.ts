import type { SqlValue } from "../store/index.js";
import type { ApiRequest } from "./api-request.js";
import type { BodyFields, BodyValues } from "./body-fields.js";
import type { Listing } from "./paging.js";
import type { JsonSchema, Schema } from "../schema/index.js";
import type { ThrottleScope } from "./throttle.js";

/** How a resource's records are made of its rows. `More` is the result of the page's `lookUp`. */
export interface RecordMaker<Row, More = undefined> {
  readonly schema: JsonSchema;
  /** The value of each property, in the order of the record. */
  readonly values: readonly (readonly [name: string, value: PropertyValue<Row, More, unknown>])[];
}

type PropertyValue<Row, More, T> = (row: Row, request: ApiRequest, more: More) => T;

/** Defines a resource's record: a value for each property of its schema. */
export function recordOf<R extends object, Row, More = undefined>(
  schema: Schema<R>,
  values: { readonly [K in keyof R]: PropertyValue<Row, More, NoInfer<R>[K]> },
): RecordMaker<Row, More> {
  return { schema, values: Object.entries<PropertyValue<Row, More, unknown>>(values) };
}

/** A query parameter that identifies the target of a POST or DELETE. */
export interface Identifier<Target> {
  readonly about: string;
  readonly schema: JsonSchema;
  /** Returns undefined when no record matches. @throws ApiError 400 for malformed values */
  readonly find: (value: string, request: ApiRequest) => Target | undefined;
  /** Whether a POST for an unknown value adds the record instead of answering 404. */
  readonly mayCreate?: boolean;
}

/** The parameter that a POST or DELETE gave, and the record that it identifies. */
export interface Identified<Target> {
  readonly name: string;
  readonly value: string;
  readonly target: Target | undefined;
}

/** Result of a POST: `key` of the record to answer with, or the body itself. */
export type PostResult =
  | { readonly status: 200 | 201; readonly key: SqlValue }
  | { readonly status: 200; readonly body: unknown }
  | { readonly status: 204 };

/** A POST without the types of its fields, as `answerRequest` handles it. */
export interface PostMethod {
  readonly about: string;
  readonly identifiers: Readonly<Record<string, Identifier<unknown>>>;
  readonly fields: BodyFields;
  /** Statuses of success, for the documentation. */
  readonly statuses: readonly (200 | 201 | 204)[];
  /** Schema of a 200 that is not the record. */
  readonly answer?: JsonSchema;
  /** Example body for the documentation; default: made from the fields' schemas. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** The reference does not have this method: with `--strict` it is a 405. */
  readonly isExtension?: true;
  readonly check: (
    values: Readonly<Record<string, unknown>>,
    request: ApiRequest,
    identified: Identified<unknown> | undefined,
  ) => () => PostResult;
}

/**
 * Defines a POST, typed by its fields. `check` validates the values against each other and against the account. It
 * throws `wholeBodyError` or `fieldError`, or returns a function that makes the change; `check` itself changes nothing.
 */
export function postMethod<Target, F extends BodyFields>(posting: {
  readonly about: string;
  readonly identifiers?: Readonly<Record<string, Identifier<Target>>>;
  readonly fields: F;
  readonly statuses?: readonly (200 | 201 | 204)[];
  readonly answer?: JsonSchema;
  readonly example?: Readonly<Record<string, unknown>>;
  readonly isExtension?: true;
  readonly check: (
    values: BodyValues<F>,
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
    answer: posting.answer,
    example: posting.example,
    ...(posting.isExtension && { isExtension: true }),
    // The casts are safe: `parseFields` read the values by these fields, these identifiers found the target.
    check: (values, request, identified) =>
      check(values as BodyValues<F>, request, identified as Identified<Target> | undefined),
  };
}

/** A DELETE without the type of its target, which one of its identifiers names. */
export interface DeleteMethod {
  readonly about: string;
  readonly identifiers: Readonly<Record<string, Identifier<unknown>>>;
  readonly check: (target: unknown, request: ApiRequest) => () => void;
}

/** Defines a DELETE, typed by its target. `check` throws, or returns a function that makes the change. */
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

/** A GET that answers one object, not a page. */
export interface GetMethod {
  readonly about: string;
  readonly parameters: Readonly<Record<string, { readonly about: string; readonly schema: JsonSchema }>>;
  readonly schema: JsonSchema;
  readonly read: (request: ApiRequest) => unknown;
}

/** A GET that pages through records, without the type of its rows. */
export interface ListMethod {
  readonly about: string;
  readonly listing: Listing<object>;
  /** Schema of a record. */
  readonly record: JsonSchema;
  /** Makes the records of a page from its rows. */
  readonly records: (rows: readonly object[], request: ApiRequest) => Record<string, unknown>[];
}

/** Defines a GET that pages through records; `lookUp` reads values that the rows lack, once for the whole page. */
export function listMethod<Row extends object, More = undefined>(
  options: Listing<Row> & {
    readonly about: string;
    readonly record: RecordMaker<Row, More>;
    readonly lookUp?: (rows: readonly Row[], request: ApiRequest) => More;
  },
): ListMethod {
  const { about, record, lookUp, ...listing } = options;
  // Records are copies of this object, so that all of them have one shape with all properties.
  const blank: Record<string, unknown> = Object.fromEntries(record.values.map(([name]) => [name, null]));
  return {
    about,
    listing: listing as unknown as Listing<object>,
    record: record.schema,
    records(rows, request) {
      // The cast is safe: the rows come from `listing`.
      const typed = rows as readonly Row[];
      const more = lookUp?.(typed, request) as More;
      return typed.map((row) => {
        const shown = { ...blank };
        for (const [name, value] of record.values) shown[name] = value(row, request, more);
        return shown;
      });
    },
  };
}

/** A resource of the API: one path and what its methods do. */
export interface Resource {
  /** Last part of the path: `labels` for `/api/v2/labels.json`. */
  readonly name: string;
  /** Description for the documentation. */
  readonly about: string;
  readonly scope: ThrottleScope;
  /** Whether the role surveyor may use it (docs/reference/service-api.md#authentication). */
  readonly forSurveyors: boolean;
  /** The reference does not have this resource: with `--strict` it is a 404. */
  readonly isExtension?: true;
  readonly list?: ListMethod;
  readonly single?: GetMethod;
  readonly post?: PostMethod;
  readonly remove?: DeleteMethod;
}
