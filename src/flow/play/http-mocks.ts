import type { HttpAnswer, HttpCall } from "../host.js";
import { isRecord } from "../read/json-object.js";

/** Mocked HTTP answers by URL. Each is used once, in order; a request without one fails as not connected. */
export class HttpMocks {
  readonly #answers = new Map<string, HttpAnswer[]>();

  constructor(json: unknown) {
    if (!isRecord(json)) return;
    for (const [url, answers] of Object.entries(json)) {
      if (Array.isArray(answers)) this.#answers.set(url, answers.map(answerOf));
    }
  }

  answer(calls: readonly HttpCall[]): readonly HttpAnswer[] {
    return calls.map(({ url }) => this.#answers.get(url)?.shift() ?? { status: 0 });
  }
}

function answerOf(json: unknown): HttpAnswer {
  if (!isRecord(json)) return { status: 0 };
  const { status, body, headers } = json;
  return {
    status: typeof status === "number" ? status : 200,
    body: typeof body === "string" ? body : body === undefined || body === null ? "" : JSON.stringify(body),
    ...(isRecord(headers) && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    }),
  };
}
