import { readBody } from "./body.js";
import type { ApiRequest } from "./api-request.js";
import { ApiError, detailError } from "./error.js";
import { parseFields } from "./body-fields.js";
import { readPage } from "./paging.js";
import type { Identified, Identifier, PostResult, Resource } from "./resource.js";

/** Status and JSON body of a response; without `body` it is empty. */
export interface ApiAnswer {
  readonly status: number;
  readonly body?: unknown;
}

/** A request's body before it is parsed. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
}

/** The methods that a resource has, in the order of the Allow header. */
export function methodsOf(resource: Resource): string[] {
  const reads = resource.list !== undefined || resource.single !== undefined;
  return [
    ...(reads ? ["GET", "HEAD"] : []),
    ...(resource.post === undefined ? [] : ["POST"]),
    ...(resource.remove === undefined ? [] : ["DELETE"]),
  ];
}

/**
 * Answers an authorized request. Errors are reported in the order of docs/reference/service-api.md#status-codes:
 * method, identifying parameters, existence, body, fields, the body as a whole. It is synchronous, so that the account
 * does not change between the check and the write.
 *
 * @throws ApiError
 */
export function answerRequest(resource: Resource, request: ApiRequest, body: RawBody): ApiAnswer {
  switch (request.method) {
    case "GET":
    case "HEAD":
      return answerGet(resource, request);
    case "POST":
      return answerPost(resource, request, body);
    case "DELETE":
      return answerDelete(resource, request);
    default:
      throw methodNotAllowed(request.method);
  }
}

/** The 405 for a method that a resource does not have. */
export function methodNotAllowed(method: string, headers: Readonly<Record<string, string>> = {}): ApiError {
  return detailError(405, `Method "${method}" not allowed.`, headers);
}

function answerGet({ list, single }: Resource, request: ApiRequest): ApiAnswer {
  if (single !== undefined) return { status: 200, body: single.read(request) };
  if (list === undefined) throw methodNotAllowed(request.method);
  const { next, previous, rows } = readPage(list.listing, request);
  return { status: 200, body: { next, previous, results: list.records(rows, request) } };
}

function answerPost(resource: Resource, request: ApiRequest, { bytes, contentType }: RawBody): ApiAnswer {
  const { post } = resource;
  if (post === undefined) throw methodNotAllowed(request.method);
  if (post.isExtension && request.isStrict) {
    const allow = methodsOf(resource).filter((method) => method !== "POST");
    throw methodNotAllowed(request.method, { allow: [...allow, "OPTIONS"].join(", ") });
  }
  const identified = findTarget(post.identifiers, request);
  if (identified !== undefined && identified.target === undefined) {
    const mayCreate = post.identifiers[identified.name]?.mayCreate === true && canBeName(identified.value);
    if (!mayCreate) throw detailError(404, "Not found.");
  }
  const body = readBody(bytes, contentType, post.fields);
  if (request.context.organisation.isSuspended && bytes.length > 0) {
    throw new ApiError(400, { non_field_errors: ["This account is suspended and cannot do this."] });
  }
  const fields = parseFields(post.fields, body, request);
  if ("errors" in fields) throw new ApiError(400, fields.errors);
  const act = post.check(fields.values, request, identified);
  return recordAnswer(
    resource,
    request.context.write({ method: request.method, path: request.path, body }, act),
    request,
  );
}

/** Answers a POST with the record that it added or changed. */
function recordAnswer({ list }: Resource, outcome: PostResult, request: ApiRequest): ApiAnswer {
  if (outcome.status === 204) return { status: 204 };
  if ("body" in outcome) return { status: outcome.status, body: outcome.body };
  const row = list?.listing.list(request).get(outcome.key);
  if (list === undefined || row === undefined) throw new Error("the written record is not in the list");
  return { status: outcome.status, body: list.records([row], request)[0] };
}

function answerDelete({ remove }: Resource, request: ApiRequest): ApiAnswer {
  if (remove === undefined) throw methodNotAllowed(request.method);
  const identified = findTarget(remove.identifiers, request);
  if (identified === undefined) {
    throw detailError(400, `One of these is needed in the URL: ${Object.keys(remove.identifiers).join(", ")}`);
  }
  if (identified.target === undefined) throw detailError(404, "Not found.");
  const act = remove.check(identified.target, request);
  request.context.write({ method: request.method, path: request.path, body: null }, act);
  return { status: 204 };
}

/**
 * Finds the record that the query identifies. An empty value counts as given and matches no record
 * (docs/reference/service-api.md#query-parameters).
 */
function findTarget(
  identifiers: Readonly<Record<string, Identifier<unknown>>>,
  request: ApiRequest,
): Identified<unknown> | undefined {
  const given = Object.keys(identifiers).filter((name) => request.query.has(name));
  const [name] = given;
  if (name === undefined) return undefined;
  if (given.length > 1) throw detailError(400, `Use only one of these in the URL: ${given.toSorted().join(", ")}`);
  const value = request.query.getAll(name).at(-1) ?? "";
  return { name, value, target: canBeName(value) ? identifiers[name]?.find(value, request) : undefined };
}

/** Whether a record can have this name: not empty, no NUL, well-formed. */
function canBeName(value: string): boolean {
  return value !== "" && !value.includes("\0") && value.isWellFormed();
}
