import { HttpClient } from "../../http/index.js";
import type { ExactRequest } from "../../scenario/index.js";
import { formField } from "../../wire/index.js";
import { type ExactAnswer, exactAnswer } from "./exact-answer.js";

/** How exact requests are sent. */
export interface PlayRequestsOptions {
  /** The receiver's URL; a request with a path replaces its path and query. */
  readonly url: string;
  /** Wall time for each answer. */
  readonly timeoutMs: number;
  readonly isAllowed?: (url: string) => boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called for each answer in the order of the requests; true: nothing more is sent. */
  readonly onAnswer?: (answer: ExactAnswer) => boolean | void;
}

/**
 * Sends exact requests, each when the one before is answered; those `with: previous` at the same moment on connections
 * of their own. Times between them are not waited for. A lost answer is an answer, too: nothing is sent again.
 */
export async function playRequests(
  requests: readonly ExactRequest[],
  options: PlayRequestsOptions,
): Promise<ExactAnswer[]> {
  const groups = groupsOf(requests);
  const connections = Math.max(1, ...groups.map(({ length }) => length));
  const client = new HttpClient({ connections, ...(options.isAllowed && { isAllowed: options.isAllowed }) });
  const answers: ExactAnswer[] = [];
  const stop = (): void => client.close();
  options.signal?.addEventListener("abort", stop, { once: true });
  try {
    for (const group of groups) {
      if (options.signal?.aborted === true) break;
      const first = answers.length + 1;
      const came = await Promise.all(group.map((request, place) => send(client, request, first + place, options)));
      answers.push(...came);
      if (came.map((answer) => options.onAnswer?.(answer) === true).includes(true)) break;
    }
    return answers;
  } finally {
    options.signal?.removeEventListener("abort", stop);
    client.close();
  }
}

function send(
  client: HttpClient,
  { body, path, contentType }: ExactRequest,
  number: number,
  { url, timeoutMs }: PlayRequestsOptions,
): Promise<ExactAnswer> {
  return new Promise((resolve) => {
    const request = {
      url: path === undefined ? url : new URL(path, url).href,
      body,
      timeoutMs,
      ...(contentType !== undefined && { headers: { "content-type": contentType } }),
    };
    client.post(request, (result) => resolve(exactAnswer(number, result, formField(body, "phone"))));
  });
}

/** Requests that are sent at the same moment. */
function groupsOf(requests: readonly ExactRequest[]): ExactRequest[][] {
  const groups: ExactRequest[][] = [];
  for (const request of requests) {
    const last = groups.at(-1);
    if (request.with === "previous" && last !== undefined) last.push(request);
    else groups.push([request]);
  }
  return groups;
}
