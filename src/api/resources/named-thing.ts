import type { ApiRequest } from "../api-request.js";
import { fieldError, wholeBodyError } from "../error.js";
import { required } from "../body-fields.js";
import { type Filter, textFilter, uuidFilter } from "../filters.js";
import { groupOrLabelName } from "../value-types/group-or-label-name.js";
import { type Identifier, postMethod, deleteMethod, type Resource } from "../resource.js";
import { schema } from "../../schema/index.js";

/** What resources such as groups and labels have in common: a name that is unique in any letter case, and a maximum number of them. */
interface NamedRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
}

/** How a kind of named rows is found, changed and described. */
interface NamedThing<Row extends NamedRow> {
  /** Singular, as in messages and in the documentation. */
  readonly noun: string;
  /** Maximum number of rows in an account. */
  readonly countMax: number;
  readonly table: (request: ApiRequest) => {
    readonly count: number;
    byUuid(uuid: string): Row | undefined;
    byName(name: string): Row | undefined;
  };
  readonly registry: (request: ApiRequest) => {
    add(content: { name: string }): Row;
    change(row: Row, changes: { name: string }): Row;
    remove(row: Row): void;
  };
  readonly aboutPost: string;
  readonly aboutRemove: string;
  readonly exampleName: string;
}

/** The filters and methods that the resources of named rows share. */
export interface NamedResource extends Pick<Resource, "post" | "remove"> {
  readonly filters: Readonly<Record<"uuid" | "name", Filter>>;
  /** @throws ApiError 400 when the account has the maximum number of rows */
  readonly refuseMore: (request: ApiRequest) => void;
}

/** Adds, renames and deletes named rows. */
export function namedThing<Row extends NamedRow>(thing: NamedThing<Row>): NamedResource {
  const { noun, table, registry } = thing;
  const byUuid: Identifier<Row> = {
    about: `UUID of the ${noun}`,
    schema: schema.uuid,
    find: (value, request) => table(request).byUuid(value.toLowerCase()),
  };
  const refuseMore = (request: ApiRequest): void => {
    const { count } = table(request);
    if (count >= thing.countMax) throw wholeBodyError(`There are ${count} ${noun}s, which is the limit`);
  };
  return {
    filters: {
      uuid: uuidFilter("uuid", `The ${noun} with this UUID`),
      name: textFilter("name", `The ${noun} with this name, in any case`),
    },
    refuseMore,
    post: postMethod({
      about: thing.aboutPost,
      identifiers: { uuid: byUuid },
      fields: { name: required(groupOrLabelName, "Unique in any case") },
      example: { name: thing.exampleName },
      check({ name }, request, identified) {
        const row = identified?.target;
        const other = table(request).byName(name);
        if (other !== undefined && other.id !== row?.id) throw fieldError("name", "This field must be unique.");
        if (row !== undefined) return () => ({ status: 200, key: registry(request).change(row, { name }).id });
        refuseMore(request);
        return () => ({ status: 201, key: registry(request).add({ name }).id });
      },
    }),
    remove: deleteMethod({
      about: thing.aboutRemove,
      identifiers: { uuid: byUuid },
      check: (row, request) => () => registry(request).remove(row),
    }),
  };
}
