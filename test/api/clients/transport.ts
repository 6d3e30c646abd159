import {
  BadRequestError,
  ConnectionError,
  HttpError,
  NoSuchObjectError,
  RateExceededError,
  TokenError,
} from "./errors.js";
import { Instant } from "./instant.js";
import { parseAsPython } from "./python-json.js";
import { isRecord } from "./records.js";

/** A value of a parameter or payload. A record is sent as its identifier; undefined and null are left out. */
export type Value = string | number | boolean | Instant | object | readonly Value[] | null | undefined;
export type Parameters = Readonly<Record<string, Value>>;

export interface Call {
  readonly query?: Parameters;
  readonly payload?: Parameters;
  readonly isRetriedWhenThrottled?: boolean;
}

export interface TransportOptions {
  /** Waits before a throttled request is sent again. */
  readonly sleep?: (seconds: number) => Promise<void>;
}

/** Most times that a throttled request is sent (docs/reference/service-api.md#rate-limits). */
const TRIES_MAX = 5;

/**
 * Requests as the official Python client makes them (docs/reference/service-api.md#python-client-requests and
 * docs/reference/service-api.md#python-client-errors).
 */
export class Transport {
  readonly #root: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #sleep: (seconds: number) => Promise<void>;

  constructor(host: string, token: string, agent: string, options: TransportOptions = {}) {
    const withScheme = /^https?:\/\//.test(host) ? host : `https://${host}`;
    this.#root = `${withScheme.replace(/\/$/, "")}/api/v2`;
    this.#headers = {
      "content-type": "application/json",
      accept: "application/json",
      authorization: `Token ${token}`,
      "user-agent": agent,
    };
    this.#sleep = options.sleep ?? ((seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)));
  }

  /** Calls a resource by name. @returns the parsed body; undefined when it was empty */
  call(method: "GET" | "POST" | "DELETE", resource: string, call: Call = {}): Promise<unknown> {
    const query = queryText(call.query ?? {});
    const url = `${this.#root}/${resource}.json${query === "" ? "" : `?${query}`}`;
    const payload = Object.entries(call.payload ?? {}).filter(([, value]) => value !== undefined && value !== null);
    // An empty payload has no body, not even an empty object.
    const body =
      payload.length === 0 ? undefined : JSON.stringify(Object.fromEntries(payload.map(([k, v]) => [k, plain(v)])));
    return this.#patiently(method, url, body, call.isRetriedWhenThrottled ?? false);
  }

  /** Gets the URL of a link unchanged. */
  follow(url: string, isRetriedWhenThrottled: boolean): Promise<unknown> {
    return this.#patiently("GET", url, undefined, isRetriedWhenThrottled);
  }

  async #patiently(method: string, url: string, body: string | undefined, isRetried: boolean): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#send(method, url, body);
      } catch (error) {
        const isWorthIt = error instanceof RateExceededError && isRetried && error.retryAfter > 0 && tries < TRIES_MAX;
        if (!isWorthIt) throw error;
        await this.#sleep(error.retryAfter);
      }
    }
  }

  async #send(method: string, url: string, body: string | undefined): Promise<unknown> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, { method, headers: this.#headers, ...(body === undefined ? {} : { body }) });
      text = await response.text();
    } catch (error) {
      throw new ConnectionError(error);
    }
    if (response.status === 400) throw new BadRequestError(text);
    if (response.status === 403) throw new TokenError();
    if (response.status === 404) throw new NoSuchObjectError();
    if (response.status === 429) throw new RateExceededError(Number(response.headers.get("retry-after") ?? 0));
    if (response.status >= 400) throw new HttpError(response.status, text);
    return text === "" ? undefined : parseAsPython(text);
  }
}

function queryText(query: Parameters): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const encoded = value === undefined || value === null ? [] : plain(value);
    return (Array.isArray(encoded) ? encoded : [encoded]).map((item): [string, string] => [name, String(item)]);
  });
  return new URLSearchParams(pairs).toString();
}

/** Encodes a value: booleans as 1 and 0, instants as text, records as their uuid, else id, else key. */
function plain(value: Value): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Instant) return value.toString();
  if (Array.isArray(value)) return (value as readonly Value[]).map(plain);
  if (typeof value !== "object" || value === null) return value;
  if (isRecord(value)) {
    const { uuid, id, key } = value as { uuid?: unknown; id?: unknown; key?: unknown };
    return uuid ?? id ?? key;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item as Value)]));
}
