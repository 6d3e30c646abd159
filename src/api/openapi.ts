import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import { exampleOf } from "./example.js";
import type { BodyFields } from "./body-fields.js";
import type { Identifier, ListMethod, PostMethod, DeleteMethod, Resource, GetMethod } from "./resource.js";
import { type JsonSchema, pageOf, schema } from "../schema/index.js";

/** One method of a resource, as routes and OpenAPI describe it. */
export interface Operation {
  readonly method: "GET" | "POST" | "DELETE";
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Options of the document generator: general information, tags, post-processing. */
export function documentOptions(options: {
  version: string;
  resources: readonly Resource[];
}): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Messaging service, emulated by Handset Lab",
        version: options.version,
        description: [
          "The REST API v2 of the service: contacts, groups, messages, broadcasts, flows, campaigns, channels.",
          "Every request carries the header `Authorization: Token` and the token. Lists come in pages of 250;",
          "`next` is the address of the page that follows. Requests from this page change the live data of this lab.",
        ].join(" "),
      },
      servers: [{ url: "/", description: "This lab" }],
      components: {
        securitySchemes: {
          token: tokenScheme("`Token`, a space, and the account's token"),
          labToken: tokenScheme("`Token`, a space, and the lab's own token"),
        },
      },
      tags: [
        ...options.resources.map(({ name, about }) => ({ name, description: about })),
        { name: "lab", description: "The lab behind the service: clock, hands, snapshots, log." },
      ],
    },
    transformObject: (document) => ("openapiObject" in document ? postProcessDocument(document.openapiObject) : {}),
  };
}

function tokenScheme(description: string): { type: "apiKey"; in: "header"; name: string; description: string } {
  return { type: "apiKey", in: "header", name: "Authorization", description };
}

const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data";

/** Media types of a POST's body (docs/reference/service-api.md#content-types). */
const bodyMediaTypes = ["application/json", form, multipart];

const detail: JsonSchema = { ...schema.objectOf({ detail: schema.text }), examples: [{ detail: "Not found." }] };
const fieldErrors: JsonSchema = {
  type: "object",
  description: "Messages by field; `non_field_errors` are about the body as a whole",
  additionalProperties: {
    anyOf: [
      schema.arrayOf(schema.text),
      {
        type: "object",
        description: "Messages by the place of the value in its list (`urn-errors: indexed`)",
        additionalProperties: schema.arrayOf(schema.text),
      },
    ],
  },
  examples: [{ name: ["This field is required."] }],
};

function errorSchema(description: string, example: string): JsonSchema {
  return { ...detail, description, examples: [{ detail: example }] };
}

/** Errors that every operation can have (docs/reference/service-api.md#status-codes). */
const commonErrors: Readonly<Record<string, JsonSchema>> = {
  403: errorSchema(
    "No token, a wrong one, or one whose role does not allow this",
    "Authentication credentials were not provided.",
  ),
  406: errorSchema("The client does not accept JSON", "Could not satisfy the request Accept header."),
  429: {
    ...errorSchema("Too many requests", "Request was throttled. Expected available in 37 seconds."),
    headers: { "Retry-After": { type: "integer", description: "Seconds after which to try again" } },
  },
  431: errorSchema("The address or the headers are too long", "Request Header Fields Too Large."),
};

const tooLarge = errorSchema("The body is too large", "The body is too large.");
const notFound = errorSchema("There is no such thing", "Not found.");
const invalid: JsonSchema = {
  description: "Something is wrong with the request",
  anyOf: [fieldErrors, detail],
  examples: fieldErrors["examples"],
};

/** The operations of a resource: parameters, body and responses. */
export function operationsOf(resource: Resource): Operation[] {
  const { name, list, single, post, remove } = resource;
  const record = list?.record;
  const operations: Operation[] = [];
  const add = (method: Operation["method"], verb: string, about: string, rest: OperationDetails): void => {
    const common = { operationId: `${verb}_${name}`, tags: [name], security: [{ token: [] }], ...summaryOf(about) };
    operations.push({ method, schema: { ...common, ...rest, response: { ...rest.response, ...commonErrors } } });
  };
  if (list !== undefined && record !== undefined) add("GET", "list", list.about, listOperation(list, record));
  if (single !== undefined) add("GET", "get", single.about, getOperation(single, resource.isExtension === true));
  if (post !== undefined) add("POST", "post", post.about, postOperation(post, record));
  if (remove !== undefined) add("DELETE", "delete", remove.about, deleteOperation(remove));
  return operations;
}

/** Parameters, body and responses of one operation. */
interface OperationDetails {
  readonly querystring: JsonSchema;
  readonly consumes?: readonly string[];
  readonly body?: JsonSchema;
  /** By status, without the errors of every operation. */
  readonly response: Readonly<Record<string, JsonSchema>>;
}

function listOperation({ listing: { filters, canReverse } }: ListMethod, record: JsonSchema): OperationDetails {
  return {
    querystring: querySchema({ ...filters, ...(canReverse === true && { reverse }), cursor }),
    response: {
      200: withExample("One page", pageOf(record)),
      400: errorSchema("A filter is not what it must be", "Value for id must be an integer"),
      404: errorSchema("The cursor is not one of ours", "Invalid cursor"),
    },
  };
}

function getOperation({ parameters, schema: object }: GetMethod, isExtension: boolean): OperationDetails {
  return {
    querystring: querySchema(parameters),
    response: {
      200: withExample("The object", object),
      400: errorSchema("A parameter is not what it must be", "dependencies must be one of none, flows, all"),
      ...(isExtension && { 404: errorSchema("Strictly, there is no such resource", "Not found.") }),
    },
  };
}

function postOperation(post: PostMethod, record: JsonSchema | undefined): OperationDetails {
  const body = bodySchema(post.fields);
  return {
    querystring: querySchema(post.identifiers),
    consumes: bodyMediaTypes,
    body: { description: "The fields", ...body, examples: [post.example ?? exampleOf(body)] },
    response: {
      ...Object.fromEntries(post.statuses.map((status) => [status, postAnswerSchema(status, record, post.answer)])),
      400: invalid,
      ...(Object.keys(post.identifiers).length > 0 && { 404: notFound }),
      ...(post.isExtension && { 405: errorSchema("Strictly, there is no such method", 'Method "POST" not allowed.') }),
      413: tooLarge,
      415: errorSchema(
        "The body's type is none of JSON, form and multipart",
        'Unsupported media type "text/plain" in request.',
      ),
    },
  };
}

function deleteOperation({ identifiers }: DeleteMethod): OperationDetails {
  const names = Object.keys(identifiers);
  return {
    querystring: querySchema(identifiers, names.length === 1 ? names : []),
    response: { 204: { description: "Done", type: "null" }, 400: invalid, 404: notFound, 413: tooLarge },
  };
}

function postAnswerSchema(
  status: 200 | 201 | 204,
  record: JsonSchema | undefined,
  other: JsonSchema | undefined,
): JsonSchema {
  if (status === 204) return { description: "Done", type: "null" };
  return withExample(status === 201 ? "Made" : "Changed", (status === 200 ? other : undefined) ?? record ?? {});
}

function withExample(description: string, body: JsonSchema): JsonSchema {
  return { ...body, description, examples: [exampleOf(body)] };
}

/** The first sentence is the summary. */
function summaryOf(about: string): { readonly summary: string; readonly description: string } {
  return { summary: (about.split(/[.;:]/)[0] ?? about).replaceAll("`", ""), description: about };
}

/** A parameter of the query, for the documentation. */
type Parameter = Pick<Identifier<unknown>, "about" | "schema">;

const cursor: Parameter = { about: "Where the page begins: as `next` has it", schema: schema.text };
const reverse: Parameter = { about: "Whether the oldest come first", schema: schema.boolean };

function querySchema(parameters: Readonly<Record<string, Parameter>>, required: readonly string[] = []): JsonSchema {
  const properties = Object.entries(parameters).map(([name, { about, schema: own }]) => {
    // The explorer fills in examples of parameters and sends them, so the example is part of the description.
    const { examples, ...rest } = own;
    const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
    const such =
      example === undefined ? "" : `, such as \`${typeof example === "string" ? example : JSON.stringify(example)}\``;
    return [name, { ...rest, description: `${about}${such}` }] as const;
  });
  return { type: "object", properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

/** The schema of a request body. */
export function bodySchema(fields: BodyFields): JsonSchema {
  const properties = Object.entries(fields).map(([name, { type: kind, about, isNullable }]) => [
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

type Document = ReturnType<NonNullable<FastifyDynamicSwaggerOptions["transformObject"]>>;

/** Adds what the generator lacks: operation ids, required bodies, encoding of dictionaries. Drops unused tags. */
function postProcessDocument(document: object): Document {
  const { paths, components, tags } = document as {
    paths: Record<string, Record<string, DocumentedOperation>>;
    components: { securitySchemes: Record<string, unknown> };
    tags: { name: string }[];
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      operation.operationId ??= [method, ...path.split(/\W+/)].filter((word) => word !== "").join("_");
      return operation;
    }),
  );
  const used = new Set(operations.flatMap((operation) => operation.tags ?? []));
  for (const { requestBody } of operations) if (requestBody !== undefined) postProcessBody(requestBody);
  const { labToken, ...schemes } = components.securitySchemes;
  return {
    ...document,
    components: { ...components, securitySchemes: used.has("lab") ? { ...schemes, labToken } : schemes },
    tags: tags.filter(({ name }) => used.has(name)),
  } as Document;
}

interface DocumentedOperation {
  operationId?: string;
  readonly tags?: readonly string[];
  readonly requestBody?: DocumentedBody;
}

interface DocumentedBody {
  required: boolean;
  readonly content: Record<string, { readonly schema: JsonSchema; encoding?: object }>;
}

function postProcessBody(body: DocumentedBody): void {
  const fields = Object.values(body.content)[0]?.schema;
  body.required = Array.isArray(fields?.["required"]);
  const properties = Object.entries((fields?.["properties"] ?? {}) as Record<string, JsonSchema>);
  const dictionaries = properties.filter(([, { type }]) => type === "object").map(([name]) => name);
  if (dictionaries.length === 0) return;
  const encoding = Object.fromEntries(dictionaries.map((name) => [name, { style: "deepObject", explode: true }]));
  for (const type of [form, multipart]) {
    const media = body.content[type];
    if (media !== undefined) body.content[type] = { ...media, encoding };
  }
}
