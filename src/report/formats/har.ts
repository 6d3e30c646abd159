import type { RecordedAttempt, RecordedFlowCall, RecordingReader } from "../../store/index.js";

/** Default limit of entries in a file: viewers load the whole file. */
export const HAR_LIMIT = 10_000;

interface HarHeader {
  readonly name: string;
  readonly value: string;
}

/**
 * The pieces of a HAR 1.2 with the attempts, then the calls of flows; developer tools of browsers open it. Instants are
 * wall time. The request of an attempt has only the header `content-type`, that of a call has none: recordings store no
 * others. URLs keep their queries, keys included.
 *
 * @param options - `limit`: the first entries up to this number; `cut`: called with the total if that is greater,
 *   and with what it counts
 */
export function* harPieces(
  recording: RecordingReader,
  { limit = HAR_LIMIT, cut }: { readonly limit?: number; readonly cut?: (all: number, what: string) => void } = {},
): Generator<string> {
  const meta = recording.meta();
  const { attempts, flowCalls } = recording.counts();
  const all = attempts + flowCalls;
  const what = flowCalls === 0 ? "attempts" : "attempts and calls of flows";
  const creator = { name: "handset-lab", version: meta.version };
  const comment = all > limit ? `the first ${limit} of ${all} ${what}` : `all ${what}`;
  if (all > limit) cut?.(all, what);
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"comment":${JSON.stringify(comment)},"entries":[`;
  let count = 0;
  const pieceOf = (exchange: HarExchange): string =>
    `${count++ === 0 ? "\n" : ",\n"}${JSON.stringify(entryOf(exchange, meta.startedWallMs))}`;
  const byHand = recording.triesByHand();
  for (const attempt of recording.attempts()) {
    if (count >= limit) break;
    const { channel, number, url } = attempt;
    const request = { url, body: recording.eventOf(channel, number)?.body ?? "" };
    const isByHand = byHand.has(`${channel}/${number} ${attempt.try}`);
    yield pieceOf(exchangeOfAttempt(attempt, { ...request, isByHand }));
  }
  if (count < limit)
    for (const call of recording.flowCalls()) {
      if (count >= limit) break;
      yield pieceOf(exchangeOfCall(call));
    }
  yield "\n]}}\n";
}

/** A recorded request and its answer. */
interface HarExchange extends Pick<
  RecordedAttempt,
  "sentWallMs" | "durationMs" | "status" | "headers" | "body" | "bodyBytes"
> {
  readonly method: string;
  readonly url: string;
  readonly requestBody: string;
  /** Content type of the request; null when it is not recorded. */
  readonly type: string | null;
  readonly comment: string;
  /** Why no answer came. */
  readonly failure: string;
}

const FORM = "application/x-www-form-urlencoded";

function exchangeOfAttempt(
  attempt: RecordedAttempt,
  { url, body, isByHand }: { readonly url: string; readonly body: string; readonly isByHand: boolean },
): HarExchange {
  const { channel, number, try: tryNumber, outcome, error, redirects } = attempt;
  const tried = `event ${channel}/${number}, try ${tryNumber}${isByHand ? ", sent again by hand" : ""}, ${outcome}`;
  const comment = `${tried}${redirectsText(redirects)}`;
  return { ...attempt, method: "POST", url, requestBody: body, type: FORM, comment, failure: error ?? outcome };
}

function exchangeOfCall(call: RecordedFlowCall): HarExchange {
  const { id, run, answerHeaders, answerBody, body, error, redirects } = call;
  return {
    ...call,
    requestBody: body,
    type: null,
    headers: answerHeaders,
    body: answerBody,
    bodyBytes: answerBody?.length ?? 0,
    comment: `flow call ${id} of run ${run}${redirectsText(redirects)}`,
    failure: error ?? "",
  };
}

/** The addresses of the redirects as text. The recorded answer came from the last one. */
function redirectsText(redirects: readonly string[]): string {
  return redirects.length === 0 ? "" : `, redirected to ${redirects.join(", then to ")}`;
}

function entryOf(exchange: HarExchange, startedWallMs: number): object {
  const { method, url, requestBody, type, sentWallMs, durationMs, status, comment, failure } = exchange;
  return {
    startedDateTime: new Date(startedWallMs + (sentWallMs ?? 0)).toISOString(),
    time: durationMs,
    request: {
      method,
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: type === null ? [] : [{ name: "content-type", value: type }],
      queryString: queryOf(url),
      ...((type !== null || requestBody !== "") && { postData: { mimeType: type ?? "", text: requestBody } }),
      headersSize: -1,
      bodySize: Buffer.byteLength(requestBody),
    },
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment,
    ...(status === null && { _error: failure }),
  };
}

/** The HAR response; status 0 means no answer, as browsers write it. */
function responseOf({ status, headers, body, bodyBytes }: HarExchange): object {
  const list = headersOf(headers);
  const mimeType = list.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  return {
    status: status ?? 0,
    statusText: "",
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: list,
    content: { size: bodyBytes, mimeType, ...contentOf(body) },
    redirectURL: list.find(({ name }) => name.toLowerCase() === "location")?.value ?? "",
    headersSize: -1,
    bodySize: bodyBytes,
  };
}

function contentOf(body: Uint8Array | null): { text: string; encoding?: "base64" } {
  if (body === null) return { text: "" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body) };
  } catch {
    return { text: Buffer.from(body).toString("base64"), encoding: "base64" };
  }
}

function headersOf(headers: string | null): HarHeader[] {
  return (headers ?? "")
    .split(/\r?\n/)
    .filter((line) => line.includes(":"))
    .map((line) => {
      const colon = line.indexOf(":");
      return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
    });
}

function queryOf(url: string): HarHeader[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}
