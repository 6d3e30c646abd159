import { HttpClient, type HttpResult } from "../http/index.js";
import type { ExactRequest } from "../scenario/index.js";

/** The answer to one request. */
export interface PlayedAnswer {
  readonly status: number | null;
  readonly error: string | null;
  readonly body: string;
  /** Wall milliseconds from the written request to the answer or the failure. */
  readonly tookMs: number;
}

/** How to play requests. */
export interface PlayOptions {
  readonly url: string;
  /** Wall time that the receiver has for each answer. */
  readonly timeoutMs: number;
  readonly isAllowed: (url: string) => boolean;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called for each answer in the order of the requests. False: what is asked is decided, so nothing more is sent. It may
   * ask the receiver something before the next request is sent.
   */
  readonly onAnswer: (index: number, answer: PlayedAnswer) => boolean | Promise<boolean>;
}

/** Connections for requests that are sent at the same moment. */
const CONNECTIONS = 32;

/**
 * Sends exact requests in their order over one connection, each when the one before is answered. Requests that go `with` the
 * previous one are sent at the same moment on other connections. Gaps are not waited for.
 *
 * It uses the HTTP client alone, without recording or service: a request takes some 0.1 ms.
 */
export async function playRequests(requests: readonly ExactRequest[], options: PlayOptions): Promise<void> {
  const { url, timeoutMs, isAllowed, signal, onAnswer } = options;
  const client = new HttpClient({ connections: 1, isAllowed, headersFor: url });
  // Requests of one moment go over connections of their own, so that none is ahead of the others because it is connected.
  const together = new HttpClient({ connections: CONNECTIONS, isAllowed, headersFor: url });
  const close = (): void => {
    client.close();
    together.close();
  };
  signal?.addEventListener("abort", close, { once: true });
  const isStopped = (): boolean => signal?.aborted === true;
  const urls = new Map<string, string>();
  const send = (request: ExactRequest, by: HttpClient): Promise<HttpResult> => {
    const { body, path = "", contentType } = request;
    let target = urls.get(path);
    if (target === undefined) urls.set(path, (target = urlWith(url, path)));
    const headers = contentType === undefined ? {} : { headers: { "content-type": contentType } };
    return new Promise((resolve) => by.post({ url: target, body, timeoutMs, ...headers }, resolve));
  };
  try {
    for (let from = 0; from < requests.length;) {
      if (isStopped()) return;
      let to = from + 1;
      while (requests[to]?.with === "previous") to++;
      const by = to - from === 1 ? client : together;
      const results = await Promise.all(requests.slice(from, to).map((request) => send(request, by)));
      for (const [offset, result] of results.entries()) {
        if (isStopped()) return;
        const goesOn = onAnswer(from + offset, answerOf(result));
        if (!(typeof goesOn === "boolean" ? goesOn : await goesOn)) return;
      }
      from = to;
    }
  } finally {
    signal?.removeEventListener("abort", close);
    close();
  }
}

/**
 * The URL of a request: the receiver's, with the recorded query string if it has none of its own; a URL without a path gets
 * the recorded path, too.
 */
export function urlWith(receiver: string, path: string): string {
  if (path === "") return receiver;
  const url = new URL(receiver);
  const at = path.indexOf("?");
  const [recorded, query] = at === -1 ? [path, ""] : [path.slice(0, at), path.slice(at)];
  if (url.pathname === "/" && url.search === "" && recorded.startsWith("/")) return `${url.origin}${recorded}${query}`;
  if (url.search === "" && query.length > 1) return `${url.origin}${url.pathname}${query}`;
  return receiver;
}

const decoder = new TextDecoder();

function answerOf({ status, error, body, durationMs }: HttpResult): PlayedAnswer {
  return { status, error, body: body === null || body.length === 0 ? "" : decoder.decode(body), tookMs: durationMs };
}
