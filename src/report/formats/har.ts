import type { RecordedAttempt, RecordingReader } from "../../store/index.js";

/** Default limit of attempts in a file: viewers load the whole file. */
export const HAR_LIMIT = 10_000;

interface Header {
  readonly name: string;
  readonly value: string;
}

/**
 * Attempts as HAR 1.2, which the developer tools of browsers open, in pieces. Instants are wall time. The request has
 * only the header `content-type`: recordings store no others. URLs keep their queries, keys included.
 *
 * @param options - `limit`: the first attempts up to this number; `cut`: called with the total if that is greater
 */
export function* harPieces(
  recording: RecordingReader,
  { limit = HAR_LIMIT, cut }: { readonly limit?: number; readonly cut?: (all: number) => void } = {},
): Generator<string> {
  const meta = recording.meta();
  const all = recording.counts().attempts;
  const creator = { name: "handset-lab", version: meta.version };
  const comment = all > limit ? `the first ${limit} of ${all} attempts` : "all attempts";
  if (all > limit) cut?.(all);
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"comment":${JSON.stringify(comment)},"entries":[`;
  const urls = new Map<number, string>();
  for (const { id, url } of recording.channels()) if (url !== null) urls.set(id, url);
  let count = 0;
  for (const attempt of recording.attempts()) {
    if (count >= limit) break;
    const entry = entryOf(attempt, {
      startedWallMs: meta.startedWallMs,
      url: attempt.url ?? urls.get(attempt.channel) ?? "about:blank",
      body: recording.eventOf(attempt.channel, attempt.number)?.body ?? "",
    });
    yield `${count++ === 0 ? "\n" : ",\n"}${JSON.stringify(entry)}`;
  }
  yield "\n]}}\n";
}

interface EntryContext {
  readonly startedWallMs: number;
  readonly url: string;
  readonly body: string;
}

function entryOf(attempt: RecordedAttempt, { startedWallMs, url, body }: EntryContext): object {
  const { sentWallMs, durationMs, status, error } = attempt;
  return {
    startedDateTime: new Date(startedWallMs + (sentWallMs ?? 0)).toISOString(),
    time: durationMs,
    request: {
      method: "POST",
      url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [{ name: "content-type", value: FORM }],
      queryString: queryOf(url),
      postData: { mimeType: FORM, text: body },
      headersSize: -1,
      bodySize: Buffer.byteLength(body),
    },
    response: responseOf(attempt),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: `event ${attempt.channel}/${attempt.number}, try ${attempt.try}, ${attempt.outcome}`,
    ...(status === null && { _error: error ?? attempt.outcome }),
  };
}

const FORM = "application/x-www-form-urlencoded";

/** The HAR response; status 0 means no answer, as browsers write it. */
function responseOf({ status, headers, body, bodyBytes }: RecordedAttempt): object {
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

function headersOf(headers: string | null): Header[] {
  return (headers ?? "")
    .split(/\r?\n/)
    .filter((line) => line.includes(":"))
    .map((line) => {
      const colon = line.indexOf(":");
      return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
    });
}

function queryOf(url: string): Header[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}
