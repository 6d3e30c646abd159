import { ownHeaders } from "./client.js";
import { checkHeaders, requestHeadFor } from "./message/request.js";
import { parseTarget } from "./url-target.js";

const FORM = "application/x-www-form-urlencoded";

/**
 * The headers with which `HttpClient` posts a form, in their order: recordings keep an attempt's URL and body, not its
 * headers. Empty for a URL that it does not accept.
 *
 * @param request - `headers` and `headersFor` as in `HttpClientOptions`; `own`: of this request
 */
export function postedHeaders(request: {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly headersFor: string | null;
  readonly own?: Readonly<Record<string, string>>;
}): [name: string, value: string][] {
  const { url, body, headers, headersFor, own = {} } = request;
  const target = parseTarget(url);
  if (target === null) return [];
  const isForeign = headersFor !== null && parseTarget(headersFor)?.origin !== target.origin;
  const ours = { "content-type": FORM, ...ownHeaders };
  const all = { ...ours, ...(isForeign ? {} : checkHeaders(headers)), ...checkHeaders(own) };
  const lines = requestHeadFor("POST", target, all).keepAlive.trimEnd().split("\r\n").slice(1);
  return [...lines, `content-length: ${Buffer.byteLength(body)}`].map((line) => {
    const colon = line.indexOf(": ");
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
}
