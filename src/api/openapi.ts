import { type Fields } from "./fields.js";
import type { Filters } from "./filters.js";
import type { Identifier, Resource } from "./resource.js";
import * as schema from "./schema.js";
import type { JsonSchema } from "./schema.js";

/** One method of a resource, as routes and OpenAPI describe it. */
export interface Operation {
  readonly method: "GET" | "POST" | "DELETE";
  readonly schema: Readonly<Record<string, unknown>>;
}

const detail: JsonSchema = schema.objectOf({ detail: schema.text });
const fieldErrors: JsonSchema = {
  type: "object",
  description: "Messages by field; `non_field_errors` are about the body as a whole",
  additionalProperties: schema.arrayOf(schema.text),
};

const refused: Readonly<Record<number, JsonSchema>> = {
  403: { ...detail, description: "No token, a wrong one, or one whose role does not allow this" },
  405: { ...detail, description: "The resource has no such method" },
  406: { ...detail, description: "The client does not accept JSON" },
  413: { ...detail, description: "The body is too large" },
  429: { ...detail, description: "Too many requests: Retry-After says how many seconds to wait" },
};

/** What a resource's methods take and give. */
export function operationsOf(resource: Resource): Operation[] {
  const operations: Operation[] = [];
  const common = { tags: [resource.name], security: [{ token: [] }] };
  const { list, single, post, remove } = resource;
  const record = list === undefined ? undefined : schema.objectOf(columnsOf(list.record));
  if (list !== undefined && record !== undefined) {
    operations.push({
      method: "GET",
      schema: {
        ...common,
        operationId: `list_${resource.name}`,
        ...summed(list.about),
        querystring: queryOf({ ...parametersOf(list.listing.filters), cursor: cursorParameter }),
        response: {
          200: { description: "One page", ...pageOf(record) },
          400: { ...detail, description: "A filter is not what it must be" },
          404: { ...detail, description: "The cursor is not one of ours" },
          ...refused,
        },
      },
    });
  }
  if (single !== undefined) {
    operations.push({
      method: "GET",
      schema: {
        ...common,
        operationId: `get_${resource.name}`,
        ...summed(single.about),
        querystring: queryOf(
          Object.fromEntries(
            Object.entries(single.parameters).map(([name, one]) => [name, { ...one.schema, description: one.about }]),
          ),
        ),
        response: {
          200: { description: "The object", ...single.schema },
          400: { ...detail, description: "A parameter is not what it must be" },
          ...refused,
        },
      },
    });
  }
  if (post !== undefined) {
    operations.push({
      method: "POST",
      schema: {
        ...common,
        operationId: `post_${resource.name}`,
        ...summed(post.about),
        querystring: queryOf(identifierParameters(post.identifiers, false)),
        body: { description: "The fields", ...bodyOf(post.fields) },
        response: {
          ...Object.fromEntries(post.statuses.map((status) => [status, answered(status, record, post.answer)])),
          400: { description: "Something is wrong with the request", anyOf: [detail, fieldErrors] },
          ...(Object.keys(post.identifiers).length > 0 && {
            404: { ...detail, description: "There is no such thing" },
          }),
          415: { ...detail, description: "The body's type is none of JSON, form and multipart" },
          ...refused,
        },
      },
    });
  }
  if (remove !== undefined) {
    operations.push({
      method: "DELETE",
      schema: {
        ...common,
        operationId: `delete_${resource.name}`,
        ...summed(remove.about),
        querystring: queryOf(identifierParameters(remove.identifiers, Object.keys(remove.identifiers).length === 1)),
        response: {
          204: { description: "Done", type: "null" },
          400: { description: "Something is wrong with the request", anyOf: [detail, fieldErrors] },
          404: { ...detail, description: "There is no such thing" },
          ...refused,
        },
      },
    });
  }
  return operations;
}

/** The first sentence sums up. */
function summed(about: string): { readonly summary: string; readonly description: string } {
  return { summary: about.split(/[.;:]/)[0] ?? about, description: about };
}

function answered(status: 200 | 201 | 204, record: JsonSchema | undefined, other: JsonSchema | undefined): JsonSchema {
  if (status === 204) return { description: "Done", type: "null" };
  return { description: status === 201 ? "Made" : "Changed", ...(other ?? record) };
}

function columnsOf(columns: Readonly<Record<string, { readonly schema: JsonSchema }>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.schema]));
}

/** A page of a list (service-api.md 1.8). */
function pageOf(record: JsonSchema): JsonSchema {
  return schema.objectOf({
    next: schema.nullable({ ...schema.text, description: "Address of the next page" }),
    previous: schema.nullable({ ...schema.text, description: "Address of the page before" }),
    results: schema.arrayOf(record),
  });
}

const cursorParameter: JsonSchema = { type: "string", description: "Where the page begins: as `next` has it" };

function parametersOf(filters: Filters): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [name, { ...filter.schema, description: filter.about }]),
  );
}

function identifierParameters(
  identifiers: Readonly<Record<string, Identifier<unknown>>>,
  isRequired: boolean,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(identifiers).map(([name, { schema: own, about }]) => [
      name,
      { ...own, description: about, ...(isRequired && { "x-required": true }) },
    ]),
  );
}

function queryOf(parameters: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const required = Object.keys(parameters).filter((name) => parameters[name]?.["x-required"] === true);
  return { type: "object", properties: parameters, ...(required.length > 0 && { required }) };
}

function bodyOf(fields: Fields): JsonSchema {
  const properties = Object.entries(fields).map(([name, { kind, about, isNullable }]) => [
    name,
    { ...(isNullable ? schema.nullable(kind.schema) : kind.schema), description: about },
  ]);
  const required = Object.keys(fields).filter((name) => fields[name]?.isRequired === true);
  return {
    type: "object",
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
    ...(required.length > 0 && { required }),
  };
}
