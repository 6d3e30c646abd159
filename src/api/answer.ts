import { readBody } from "./body.js";
import type { Call } from "./call.js";
import { ApiError, refusal } from "./error.js";
import { readFields } from "./fields.js";
import { readPage } from "./paging.js";
import type { Identified, Identifier, Outcome, Resource } from "./resource.js";

/** What a request is answered with; without a body it is empty. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** A request's body, not yet read. */
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
 * Answers a request that was let in. What is wrong is told in the order of service-api.md 1.5: method, identifying
 * parameters, existence, body, fields, the body as a whole. It does not wait for anything: nothing happens between
 * looking at what is there and changing it.
 *
 * @throws ApiError
 */
export function answer(resource: Resource, call: Call, body: RawBody): Answer {
  switch (call.method) {
    case "GET":
    case "HEAD":
      return answerGet(resource, call);
    case "POST":
      return answerPost(resource, call, body);
    case "DELETE":
      return answerDelete(resource, call);
    default:
      throw notAllowed(call.method);
  }
}

/** A method that a resource does not have. */
export function notAllowed(method: string, headers: Readonly<Record<string, string>> = {}): ApiError {
  return refusal(405, `Method "${method}" not allowed.`, headers);
}

function answerGet({ list, single }: Resource, call: Call): Answer {
  if (single !== undefined) return { status: 200, body: single.read(call) };
  if (list === undefined) throw notAllowed(call.method);
  const { next, previous, rows } = readPage(list.listing, call);
  return { status: 200, body: { next, previous, results: list.records(rows, call) } };
}

function answerPost(resource: Resource, call: Call, { bytes, contentType }: RawBody): Answer {
  const { post } = resource;
  if (post === undefined) throw notAllowed(call.method);
  if (post.isExtension && call.isStrict) {
    const allow = methodsOf(resource).filter((method) => method !== "POST");
    throw notAllowed(call.method, { allow: [...allow, "OPTIONS"].join(", ") });
  }
  const identified = identify(post.identifiers, call);
  if (identified !== undefined && identified.target === undefined) {
    const mayCreate = post.identifiers[identified.name]?.mayCreate === true && isName(identified.value);
    if (!mayCreate) throw refusal(404, "Not found.");
  }
  const body = readBody(bytes, contentType, post.fields);
  if (call.desk.organisation.isSuspended && bytes.length > 0) {
    throw new ApiError(400, { non_field_errors: ["This account is suspended and cannot do this."] });
  }
  const fields = readFields(post.fields, body, call);
  if ("errors" in fields) throw new ApiError(400, fields.errors);
  const act = post.check(fields.values, call, identified);
  return shown(resource, call.desk.write({ method: call.method, path: call.path, body }, act), call);
}

/** The record that a POST made or changed. */
function shown({ list }: Resource, outcome: Outcome, call: Call): Answer {
  if (outcome.status === 204) return { status: 204 };
  if ("body" in outcome) return { status: outcome.status, body: outcome.body };
  const row = list?.listing.list(call).get(outcome.key);
  if (list === undefined || row === undefined) throw new Error("what was written is not listed");
  return { status: outcome.status, body: list.records([row], call)[0] };
}

function answerDelete({ remove }: Resource, call: Call): Answer {
  if (remove === undefined) throw notAllowed(call.method);
  const identified = identify(remove.identifiers, call);
  if (identified === undefined) {
    throw refusal(400, `One of these is needed in the URL: ${Object.keys(remove.identifiers).join(", ")}`);
  }
  if (identified.target === undefined) throw refusal(404, "Not found.");
  const act = remove.check(identified.target, call);
  call.desk.write({ method: call.method, path: call.path, body: null }, act);
  return { status: 204 };
}

/** What the query names; an empty value counts as given and names nothing (service-api.md 1.10). */
function identify(
  identifiers: Readonly<Record<string, Identifier<unknown>>>,
  call: Call,
): Identified<unknown> | undefined {
  const given = Object.keys(identifiers).filter((name) => call.query.has(name));
  const [name] = given;
  if (name === undefined) return undefined;
  if (given.length > 1) throw refusal(400, `Use only one of these in the URL: ${given.toSorted().join(", ")}`);
  const value = call.query.getAll(name).at(-1) ?? "";
  return { name, value, target: isName(value) ? identifiers[name]?.find(value, call) : undefined };
}

/** Whether anything can be called so. */
function isName(value: string): boolean {
  return value !== "" && !value.includes("\0") && value.isWellFormed();
}
