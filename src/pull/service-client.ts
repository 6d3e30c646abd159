import { LabError } from "../base/index.js";
import { onOneLine } from "../wire/index.js";
import { isMap } from "./json.js";

/** How a service is asked. */
export interface ServiceClientOptions {
  /** Address of the service, without `/api/v2`. */
  readonly service: string;
  readonly token: string;
  /** Requests per second at most; Infinity: no bound. */
  readonly rate: number;
  /** Milliseconds after which an answer counts as missing. */
  readonly timeoutMs: number;
  /** Milliseconds that one request may wait for the service's throttle in all. */
  readonly maxWaitMs: number;
  /** Ends the requests and waits. */
  readonly signal?: AbortSignal | undefined;
  /** Waits; tests have another one. Default: by the wall clock. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined;
  /** Receives why a request waits, such as `the service throttles: waiting 37 s`. */
  readonly onWait?: ((why: string) => void) | undefined;
}

/** An answer: a JSON value; or a refusal, of status 400 or higher, that another request may not get. */
export type ServiceAnswer =
  { readonly value: unknown } | { readonly status: number; readonly detail: string; readonly isJson: boolean };

/** Waits before the tries after a failed one, in seconds. */
const retryWaits = [1, 2, 4, 8] as const;

/** Seconds to wait when a 429 does not say how long. */
const DEFAULT_RETRY_S = 30;

/** Characters of an answer's text that messages show. */
const SHOWN_MAX = 120;

/** What an attempt at a request met. */
type Attempt =
  | { readonly kind: "answer"; readonly answer: ServiceAnswer }
  | { readonly kind: "throttled"; readonly seconds: number; readonly status: number }
  | { readonly kind: "failed"; readonly why: string; readonly hint?: string; readonly isFinal?: boolean };

/**
 * Asks a service's REST API, one request after the other, at most `rate` a second. A 429 is waited for as the service
 * asks, up to a bound; failures of the server and of the connection are tried again, four times. The token is sent to
 * the service only: redirects are not followed.
 */
export class ServiceClient {
  readonly #options: ServiceClientOptions;
  readonly #wait: (ms: number) => Promise<void>;
  #hasAnswered = false;
  #requests = 0;
  #waitedMs = 0;
  #lastAtMs = -Infinity;

  constructor(options: ServiceClientOptions) {
    this.#options = options;
    this.#wait = options.wait ?? ((ms) => waitFor(ms, options.signal));
  }

  /** Number of requests so far, each try counted. */
  get requests(): number {
    return this.#requests;
  }

  /** Milliseconds that the service's throttle has cost. */
  get throttledMs(): number {
    return this.#waitedMs;
  }

  /**
   * @param path - after `/api/v2/`, with its query: `contacts.json?cursor=…`
   * @throws LabError `no-service` when there is no answer; `service-refused` when the token is refused; `bad-options`
   *   when the address is not that of a service
   */
  async get(path: string): Promise<ServiceAnswer> {
    let throttledMs = 0;
    let failures = 0;
    for (;;) {
      const attempt = await this.#attempt(path);
      if (attempt.kind === "answer") return attempt.answer;
      if (attempt.kind === "throttled") {
        const ms = Math.max(1, attempt.seconds) * 1000;
        if (throttledMs + ms > this.#options.maxWaitMs) throw tooLong(attempt, ms);
        throttledMs += ms;
        this.#waitedMs += ms;
        this.#options.onWait?.(`the service throttles: waiting ${Math.ceil(ms / 1000)} s`);
        await this.#wait(ms);
        continue;
      }
      const seconds = retryWaits[failures++];
      // Before any answer, a failure is rather a wrong address than a passing one.
      if (seconds === undefined || attempt.isFinal === true || !this.#hasAnswered) {
        const tries = failures > 1 ? `, ${failures} times` : "";
        throw new LabError("no-service", `${this.#options.service}: ${attempt.why}${tries} (GET ${shownPath(path)})`, {
          hint: attempt.hint,
        });
      }
      this.#options.onWait?.(`${attempt.why}: trying again in ${seconds} s`);
      await this.#wait(seconds * 1000);
    }
  }

  async #attempt(path: string): Promise<Attempt> {
    const { service, token, signal, timeoutMs, rate } = this.#options;
    const restMs = this.#lastAtMs + 1000 / rate - performance.now();
    if (restMs > 0) await this.#wait(restMs);
    this.#lastAtMs = performance.now();
    signal?.throwIfAborted();
    this.#requests++;
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${service}/api/v2/${path}`, {
        headers: { authorization: `Token ${token}`, accept: "application/json" },
        redirect: "manual",
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.aborted) return { kind: "failed", why: `no answer within ${timeoutMs / 1000} s` };
      return connectionFailure(error);
    }
    return this.#attemptOf(response, text);
  }

  #attemptOf({ status, headers }: Response, text: string): Attempt {
    if (status >= 300 && status < 400) throw this.#redirected(status, headers.get("location"));
    const json = parse(text);
    if (status === 429 || (status === 503 && headers.has("retry-after"))) {
      this.#hasAnswered = true;
      return { kind: "throttled", status, seconds: retrySeconds(headers.get("retry-after"), text) };
    }
    if (status >= 500) return { kind: "failed", why: `answered ${status}${this.#quoted(text)}` };
    if (status >= 400) {
      this.#hasAnswered ||= json !== undefined;
      const detail = isMap(json) && typeof json["detail"] === "string" ? json["detail"] : text;
      return { kind: "answer", answer: { status, detail: this.#shown(detail), isJson: json !== undefined } };
    }
    if (json === undefined) {
      const why = `answered ${status} with something that is not JSON${this.#quoted(text)}`;
      const hint = "is it the address of the service's site, where /api/v2/ is?";
      if (!this.#hasAnswered) throw new LabError("bad-options", `${this.#options.service}: ${why}`, { hint });
      return { kind: "failed", why, hint };
    }
    this.#hasAnswered = true;
    return { kind: "answer", answer: { value: json } };
  }

  #redirected(status: number, location: string | null): LabError {
    const { service } = this.#options;
    const to = location !== null && URL.canParse(location, service) ? new URL(location, service) : undefined;
    const site = to === undefined ? "elsewhere" : to.origin;
    return new LabError("bad-options", `${service} redirects to ${site} (${status})`, {
      hint:
        to === undefined ? undefined : `if that is the service, name it: ${to.origin}; the token was not sent there`,
    });
  }

  /** Text of the service for a message, on one line, without the token. */
  #shown(text: string): string {
    const line = onOneLine(text.replaceAll(this.#options.token, "…").replace(/\s+/g, " ").trim());
    return line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line;
  }

  #quoted(text: string): string {
    const shown = this.#shown(text.replace(/<[^>]*>/g, " "));
    return shown === "" ? "" : ` ('${shown}')`;
  }
}

function tooLong({ status }: { readonly status: number }, ms: number): LabError {
  const minutes = Math.ceil(ms / 60_000);
  return new LabError("no-service", `the service throttles (${status}) and asks to wait ${Math.ceil(ms / 1000)} s`, {
    hint: `the same command continues then; or let it wait, with --max-wait ${minutes}m or longer`,
  });
}

/** How long a throttled request has to wait: by `Retry-After` as seconds or as a date, else by the text of the answer. */
function retrySeconds(header: string | null, text: string): number {
  const written = header?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(written)) return Math.ceil(Number(written));
  const atMs = Date.parse(written);
  if (written !== "" && !Number.isNaN(atMs)) return Math.max(0, Math.ceil((atMs - Date.now()) / 1000));
  const [, told] = /(\d+) seconds?/.exec(text) ?? [];
  return told === undefined ? DEFAULT_RETRY_S : Number(told);
}

const tlsCode = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

function connectionFailure(error: unknown): Attempt & { readonly kind: "failed" } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const told = onOneLine(cause instanceof Error ? cause.message : String(cause));
  const message = told === "" ? code : told; // an AggregateError of several addresses has no message
  if (tlsCode.test(code)) {
    return {
      kind: "failed",
      why: `the TLS connection failed: ${message} (${code})`,
      isFinal: true,
      hint: "a certificate of your own authority is trusted with NODE_EXTRA_CA_CERTS=ca.pem in the environment",
    };
  }
  if (code === "ENOTFOUND") return { kind: "failed", why: "there is no host of this name (ENOTFOUND)" };
  return { kind: "failed", why: `the connection failed: ${message}` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A path without its cursor. */
function shownPath(path: string): string {
  return `/api/v2/${path.split("?", 1)[0] ?? ""}`;
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      // `throwIfAborted` throws the same reason.
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted === true) end();
  });
}
