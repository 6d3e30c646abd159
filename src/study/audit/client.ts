import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as TlsAgent, request as httpsRequest } from "node:https";
import { performance } from "node:perf_hooks";
import { parseForm, readReply, type ReplyReading, replyBytesMax } from "../../wire/index.js";
import type { Exchange, GotAnswer, SentRequest } from "./exchange.js";
import { pageAfter } from "./redirects.js";

export type { Exchange } from "./exchange.js";

/** How a request differs from the ordinary one. */
export interface PostChanges {
  readonly contentType?: string;
  /** Replaces the URL's path and query. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly note?: string;
}

/** No further request fits into the budget or the time limit. */
export class OutOfBudget extends Error {
  constructor(why: string) {
    super(why);
    this.name = "OutOfBudget";
  }
}

/** @param untilMs - by `performance.now()` @throws OutOfBudget when it has passed */
export function requireTime(untilMs: number): void {
  if (performance.now() > untilMs) throw new OutOfBudget("the time limit has passed: --time-limit");
}

/** Maximum of an answer's body that is kept. */
const BODY_MAX = replyBytesMax;

/** Posts events, and counts the requests. */
export class AuditClient {
  readonly url: URL;
  readonly timeoutMs: number;
  /** Requests of the trials, without those of bursts. */
  requests = 0;
  burstRequests = 0;
  /** Answers with 429: the receiver limits requests. */
  limited = 0;
  /** Whether the page that follows an event is asked, as the service does, and its answer counts. */
  followsPages = false;
  readonly #budget: number;
  readonly #deadline: number;
  readonly #agent: Agent;

  /** @param limits - `budget`: requests; `untilMs`: by `performance.now()`; `timeoutMs`: of one exchange */
  constructor(url: string, limits: { readonly budget: number; readonly untilMs: number; readonly timeoutMs: number }) {
    this.url = new URL(url);
    this.timeoutMs = limits.timeoutMs;
    this.#budget = limits.budget;
    this.#deadline = limits.untilMs;
    // A connection for each event, as the service has it: a server may close an idle one at any moment.
    this.#agent = this.url.protocol === "https:" ? new TlsAgent() : new Agent();
  }

  /** Requests that the budget still allows. */
  get left(): number {
    return Math.max(0, this.#budget - this.requests);
  }

  /** Counts requests that are sent in another way. @throws OutOfBudget */
  spend(count: number): void {
    if (this.left < count) throw new OutOfBudget(`the budget of ${this.#budget} requests does not suffice: --budget`);
    requireTime(this.#deadline);
    this.requests += count;
  }

  /** Posts a body. Never throws for what the receiver does. @throws OutOfBudget */
  async post(body: string, changes: PostChanges = {}): Promise<Exchange> {
    this.spend(1);
    const exchange = await this.#exchange({ method: "POST", body }, changes);
    if (exchange.status === 429) this.limited++;
    return this.followsPages ? this.followed(exchange) : exchange;
  }

  /** The exchange with the answer of the page to which the receiver leads after it; the same when it leads to none. */
  async followed(exchange: Exchange): Promise<Exchange> {
    const page = pageAfter(exchange, this.url);
    if (page === undefined) return exchange;
    const path = `${page.pathname}${page.search}`;
    const answer = await this.#exchange({ method: "GET", body: "" }, { path });
    const via = `${exchange.status} to ${path}`;
    return { ...answer, sent: exchange.sent, headers: exchange.headers, ms: exchange.ms + answer.ms, via };
  }

  /**
   * Posts bodies at the same moment. Such a burst is counted apart: it may have as many requests as the budget.
   *
   * @throws OutOfBudget
   */
  postTogether(bodies: readonly string[], changes: PostChanges = {}): Promise<Exchange[]> {
    const count = bodies.length;
    if (count > this.#budget)
      throw new OutOfBudget(`${count} requests at once are more than the budget of ${this.#budget}: --budget ${count}`);
    requireTime(this.#deadline);
    this.burstRequests += count;
    return Promise.all(bodies.map((body) => this.#exchange({ method: "POST", body }, changes)));
  }

  close(): void {
    this.#agent.destroy();
  }

  async #exchange(
    { method, body }: { readonly method: "GET" | "POST"; readonly body: string },
    changes: PostChanges,
  ): Promise<Exchange> {
    const begin = performance.now();
    const sent: SentRequest = { body, ...(changes.note !== undefined && { note: changes.note }) };
    return new Promise((resolve) => {
      const end = (part: Partial<Exchange>): void => {
        clearTimeout(timer);
        resolve({
          sent,
          status: null,
          body: "",
          headers: {},
          failure: undefined,
          ms: performance.now() - begin,
          ...part,
        });
      };
      const send = this.url.protocol === "https:" ? httpsRequest : httpRequest;
      const { pathname, search } = this.url;
      const request = send(
        {
          method,
          hostname: this.url.hostname.replace(/^\[|\]$/g, ""),
          port: this.url.port,
          path: changes.path ?? `${pathname}${search}`,
          agent: this.#agent,
          auth:
            this.url.username === ""
              ? undefined
              : `${decodeURIComponent(this.url.username)}:${decodeURIComponent(this.url.password)}`,
          headers: {
            host: this.url.host,
            ...(method === "POST" && {
              "content-type": changes.contentType ?? "application/x-www-form-urlencoded",
              "content-length": Buffer.byteLength(body),
            }),
            "user-agent": "RapidPro",
            ...changes.headers,
          },
        },
        (response) => {
          void readBody(response).then(
            (text) => end({ status: response.statusCode ?? null, body: text, headers: response.headers }),
            (error: unknown) => end({ status: null, failure: `the answer broke off: ${messageOf(error)}` }),
          );
        },
      );
      const timer = setTimeout(() => {
        request.destroy();
        end({ failure: `no answer within ${this.timeoutMs / 1000} s` });
      }, this.timeoutMs);
      request.on("error", (error: NodeJS.ErrnoException) => {
        end({ failure: error.code === "ECONNREFUSED" ? "the connection was refused" : closedText(error) });
      });
      request.end(body);
    });
  }
}

function closedText(error: NodeJS.ErrnoException): string {
  const isClosed = error.code === "ECONNRESET" || error.code === "EPIPE";
  return isClosed ? "the connection was closed without an answer" : `no answer: ${error.message}`;
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (bytes < BODY_MAX) chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the service takes an answer for success (docs/reference/webhook.md#accepting-statuses). */
export function isAccepted({ status }: Exchange): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Whether an answer is a failure of the server, not a decision: 5xx but 503, or none at all. */
export function isFailure({ status }: Exchange): boolean {
  return status === null || (status >= 500 && status !== 503);
}

/** `500`, or why no answer came. */
export function answerWords({ status, failure }: Exchange): string {
  return failure ?? `status ${status}`;
}

/** The reply in an accepted answer. */
export function replyOf(exchange: Exchange): ReplyReading {
  return isAccepted(exchange) ? readReply(exchange.body, { replyToSender: true }) : { kind: "none" };
}

/** Reasons for which a body that is meant as a reply is ignored. `OK`, HTML and `{"status": "ok"}` are harmless. */
const broken: ReadonlySet<string> = new Set(["text-too-long", "bad-text", "bad-urn", "bad-contact", "urn-and-phone"]);

/** Whether an answer that the service ignores is meant as a reply, not as an ordinary answer. */
export function meansReply(exchange: Exchange): boolean {
  const reply = replyOf(exchange);
  if (reply.kind !== "ignored" || repeatsEvent(exchange)) return false;
  if (broken.has(reply.reason)) return true;
  return reply.reason === "not-json" && /^\s*\{\s*["'](?:text|urn|contact|phone)/.test(exchange.body);
}

/** Keys of an event that a reply may have as well. */
const replyKeys: ReadonlySet<string> = new Set(["text", "urn", "contact", "phone", "channel"]);

/** Whether an answer is the event itself, as an interface that creates a record answers: two of its other fields are in it. */
export function repeatsEvent({ sent, body }: Exchange): boolean {
  if (!body.trimStart().startsWith("{")) return false;
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return false;
  }
  const members = new Map(Object.entries(answer as object));
  const own = parseForm(sent.body).filter(([key]) => !replyKeys.has(key));
  return own.filter(([key, value]) => members.has(key) && String(members.get(key)) === value).length > 1;
}

/** The text of a reply; undefined: the service takes none. */
export function replyText(exchange: Exchange): string | undefined {
  const reply = replyOf(exchange);
  return reply.kind === "reply" ? reply.reply.text : undefined;
}

/** Answers of findings are shown up to this length. */
const SHOWN = 300;

/** What came, for a finding. */
export function gotOf({ status, body, failure }: Exchange): GotAnswer {
  return { status, answer: failure ?? (body.length > SHOWN ? `${body.slice(0, SHOWN)}…` : body) };
}
