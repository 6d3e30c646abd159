import {
  type ListUrl,
  MOMENT_HEADER,
  type ReadOf,
  type ReadUrl,
  type RecordAt,
  type RecordPage,
  type WriteOf,
  type WriteUrl,
} from "../../protocol/index.js";
import { serverPath } from "./server-address.js";
import { leavingMoment, moment, requestMoment, viewer } from "./moment.js";
import { labToken } from "./token.js";

/** A refused or unanswered request. `message` is for the user. */
export class RequestError extends Error {
  /** 0: there was no answer. */
  readonly status: number;
  /** Messages by field, if the server names fields. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, status: number, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = "RequestError";
    this.status = status;
    this.fields = fields;
  }
}

/** Converts any error of a request. */
export function requestErrorOf(failure: unknown): RequestError {
  return failure instanceof RequestError ? failure : new RequestError(String(failure), 0);
}

/** The page changed its moment before the answer arrived. The component repeats the request. */
export class MomentLeft extends RequestError {
  constructor() {
    super("The page went to another moment before the answer came.", 0);
    this.name = "MomentLeft";
  }
}

/** Sends a GET to the control API: `labGet("/people?search=am")`. @throws RequestError */
export async function labGet<U extends ReadUrl>(
  path: U,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ReadOf<U>> {
  return (await ask("GET", `/lab${path}`, labToken(), undefined, options.signal)) as ReadOf<U>;
}

/** Sends a POST to the control API: `labPost("/do/text", { from, to, body })`. @throws RequestError */
export async function labPost<U extends WriteUrl>(path: U, body: object | string | Blob = {}): Promise<WriteOf<U>> {
  return (await ask("POST", `/lab${path}`, labToken(), body)) as WriteOf<U>;
}

/** Sends a GET to the REST API: `apiGet("contacts.json?limit=20")`. @throws RequestError */
export async function apiGet<U extends ListUrl>(
  path: U,
  options: { readonly signal?: AbortSignal } = {},
): Promise<RecordPage<RecordAt<U>>> {
  const answer = await ask("GET", `/api/v2/${path}`, await apiToken(), undefined, options.signal);
  return answer as RecordPage<RecordAt<U>>;
}

/** Sends a POST to the REST API; a list answers with the record that was added or changed. @throws RequestError */
export async function apiPost<U extends ListUrl | `${string}_actions.json`>(
  path: U,
  body: object,
): Promise<U extends ListUrl ? RecordAt<U> : undefined> {
  const answer = await ask("POST", `/api/v2/${path}`, await apiToken(), body);
  return answer as U extends ListUrl ? RecordAt<U> : undefined;
}

let account: Promise<string> | undefined;

/** A token of the REST API, from the control API. @throws RequestError */
export function apiToken(): Promise<string> {
  const asked = (account ??= labGet("/access").then(({ token }) => token));
  asked.catch(() => (account = undefined));
  return asked;
}

async function ask(
  method: string,
  url: string,
  token: string,
  body?: object | string | Blob,
  signal?: AbortSignal,
): Promise<unknown> {
  const headers: Record<string, string> = { authorization: `Token ${token}` };
  const signals = signal === undefined ? [] : [signal];
  const left = leavingMoment();
  // The notice of a repeating scenario pauses the live clock even while the page shows the past; reading a file of the user changes nothing.
  const isOfNow = /^\/lab\/(past|access|clock|import|bug$|bug\?|bug\/work|bug\/stop)/.test(url);
  if (moment.peek() !== undefined && !isOfNow) {
    if (method !== "GET")
      throw new RequestError("The page shows the past, which cannot be changed. Go back to now first.", 409);
    headers[MOMENT_HEADER] = `${requestMoment.peek() ?? moment.peek()}; viewer=${viewer}`;
    signals.push(left);
  }
  if (body !== undefined) headers["content-type"] = contentTypeOf(body);
  let response: Response;
  try {
    response = await fetch(serverPath(url), {
      method,
      headers,
      body: body === undefined || typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body),
      signal: AbortSignal.any(signals),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw signal?.aborted ? error : new MomentLeft();
    throw new RequestError("The lab does not answer.", 0);
  }
  const text = await response.text();
  const answer = parse(text);
  if (response.ok) return answer;
  throw refusal(response.status, answer);
}

function contentTypeOf(body: object | string): string {
  if (body instanceof Blob) return "application/octet-stream";
  return typeof body === "string" ? "application/yaml" : "application/json";
}

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(status: number, answer: unknown): RequestError {
  if (typeof answer !== "object" || answer === null)
    return new RequestError(`The lab refused the request (${status}).`, status);
  const fields = Object.fromEntries(
    Object.entries(answer).map(([field, value]) => [field, [value].flat(3).map(String).join(" ")]),
  );
  const { detail, ...named } = fields;
  const sentence =
    detail ??
    Object.entries(named)
      .map(([field, words]) => `${field}: ${words}`)
      .join(" ");
  return new RequestError(sentence === "" ? `The lab refused the request (${status}).` : sentence, status, named);
}
