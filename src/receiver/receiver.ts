import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answerUpgrades } from "../servers/index.js";
import { answer, send, type AnswerSettings, type AnswerSwitch, parseAnswers, usualOf } from "./answer.js";
import type { Application } from "./application.js";
import { readBody, type ReceivedEvent } from "./received-event.js";
import { headersOf } from "./headers.js";
import { type FailureScript, shareOf } from "./failure-script.js";
import { listen } from "./listen.js";
import { changesOf } from "./bugs/index.js";
import { Logbook, logbookRequest, writeAnswer } from "./logbook/logbook.js";
import type { LogbookEffects } from "./logbook/records.js";
import { bodyTooLarge, hasBody, type Refusal, routeOf } from "./refusal.js";

/** Maximum number of remembered events; the least recently received one is evicted and then counts as new. */
const MAX_REMEMBERED = 200_000;

/** Counts the deliveries of each event. */
class DeliveryCounter {
  readonly #times = new Map<string, number>();

  /** Counts one delivery. Returns the count so far. */
  count(identity: string): number {
    const times = (this.#times.get(identity) ?? 0) + 1;
    this.#times.delete(identity);
    this.#times.set(identity, times);
    if (this.#times.size > MAX_REMEMBERED) {
      for (const oldest of this.#times.keys()) {
        this.#times.delete(oldest);
        break;
      }
    }
    return times;
  }
}

/** Options of the receiver; each has a default. Durations are wall milliseconds. */
export interface ReceiverOptions {
  /** Default 127.0.0.1: only this machine can reach it. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** The initial answer mode; default `ok`. */
  readonly answers?: AnswerSwitch;
  /** Its replies are the usual answers, in place of `status` and `body`. */
  readonly application?: Application;
  /**
   * Answers by the logbook, the receiver's own application, in the mode `ok`: right, or with built-in bugs
   * (`receiverBugs`). What it has kept is at `GET /_handset-lab/effects`.
   */
  readonly logbook?: { readonly bugs?: readonly string[] };
  /** Gets the requests unread while the mode is `ok` or `slow`, and answers them: the usual answers are its own. */
  readonly handler?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Status and body of the usual answer; default 200 without a body. */
  readonly status?: number;
  readonly body?: string;
  /** Content type of `body`; default application/json. */
  readonly contentType?: string;
  /** Delay before every answer: fixed, or in a range, determined by seed, event and its delivery count. Default 0. */
  readonly delayMs?: number | { readonly min: number; readonly max: number };
  /** Further delay in the mode `slow`; default 2000. */
  readonly slowMs?: number;
  /** The text for `reply`; `{text}`, `{phone}` and other fields of the event are filled in. */
  readonly reply?: string;
  /** Event types that `reply` and `echo` answer with a text; default mo_sms only. */
  readonly repliesTo?: readonly string[];
  /** Statuses to answer with first, before the usual answers. */
  readonly script?: FailureScript;
  /** A share 0..1 of requests that get this status (default 500) instead of the usual answer. */
  readonly fails?: { readonly share: number; readonly status?: number };
  /** Determines `fails` and random delays; default 1. */
  readonly seed?: number;
  /** A larger body is answered with 413; default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Called for every request, except to the control path, before it is answered. */
  readonly onEvent?: (event: ReceivedEvent) => void;
}

/** A listening receiver. */
export interface Receiver {
  /** URL for events; any other well-formed path works as well. */
  readonly url: string;
  readonly port: number;
  /** Number of requests, except those to the control path. */
  readonly received: number;
  /** What the logbook has kept; undefined: there is none. */
  readonly effects: LogbookEffects | undefined;
  /** The current answer mode. */
  readonly answers: AnswerSwitch;
  /** Switches the answer mode from the next request on. */
  answer(to: AnswerSwitch): Promise<void>;
  /** Begins again, for another scenario: an application and the logbook forget everything. */
  begin(start: Pick<ReceiverOptions, "answers" | "application" | "logbook">): void;
  /** Stops listening and ends all connections, including hanging ones. Idempotent. */
  close(): Promise<void>;
}

/** Default of `slowMs`. */
const SLOW_MS = 2000;

const DEFAULT_REPLY = "Thank you, we have got your message.";

/**
 * Starts the bundled receiver. It accepts every event and every body, and answers in the current mode.
 *
 * It also serves a control path, through which a lab in another process can switch it: `GET /_handset-lab` identifies
 * it, `POST /_handset-lab/answers` takes `{"answers": "slow"}` or `{"answers": 503}` as application/json (which a
 * foreign web page cannot send without a CORS preflight).
 *
 * @throws the operating system's error (`EADDRINUSE`, `EACCES`…) when it cannot listen
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const host = options.host ?? "127.0.0.1";
  const handler = new RequestHandler(options);
  // Node's own server: loading a framework would take a tenth of a short run.
  const open = (): Server => {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 }, (request, response) => {
      response.on("error", () => response.destroy());
      void handler.handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    answerUpgrades(server);
    return server;
  };
  const { port, servers } = await listen(open, { host, port: options.port ?? 0 });
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/`,
    port,
    get received() {
      return handler.received;
    },
    get effects() {
      return handler.logbook?.effects();
    },
    get answers() {
      return handler.mode;
    },
    answer(to) {
      handler.mode = to;
      return Promise.resolve();
    },
    begin: (start) => handler.begin(start),
    async close() {
      await Promise.all(servers.map(closeAtOnce));
    },
  };
}

/** Idle connections and hanging requests do not delay it. */
function closeAtOnce(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

/** Longer than any client of the lab keeps an idle connection. */
const KEEP_ALIVE_MS = 72_000;

const CONTROL = "/_handset-lab";

const USUAL: AnswerSwitch = { answers: "ok" };

/** Turns requests into events, counts them and answers them. */
class RequestHandler {
  mode: AnswerSwitch;
  received = 0;
  logbook: Logbook | undefined;
  readonly #options: ReceiverOptions;
  #setting: AnswerSettings;
  /** Undefined if neither the answers nor the caller use the counts, so that a served lab keeps no memory per event. */
  readonly #seen: DeliveryCounter | undefined;
  #scripted = 0;

  constructor(options: ReceiverOptions) {
    this.mode = options.answers ?? USUAL;
    this.#options = options;
    this.logbook = logbookOf(options);
    this.#seen = needsCounts(options) ? new DeliveryCounter() : undefined;
    this.#setting = {
      status: options.status ?? 200,
      body: options.body ?? "",
      contentType: options.contentType ?? "application/json",
      reply: options.reply ?? DEFAULT_REPLY,
      repliesTo: new Set(options.repliesTo ?? ["mo_sms"]),
      replyTo: options.application?.(),
      usual: usualOf(this.mode),
    };
  }

  /** Begins again, with another application or the same one. */
  begin(start: Pick<ReceiverOptions, "answers" | "application" | "logbook">): void {
    const { answers = USUAL, application } = start;
    this.mode = answers;
    this.logbook = logbookOf(start);
    this.#setting = { ...this.#setting, replyTo: application?.(), usual: usualOf(answers) };
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (await this.#isHandedOver(request, response)) return;
    const route = routeOf(request);
    if ("statusCode" in route) return refuse(response, route);
    const raw = await readBytes(request, this.#options.maxBodyBytes ?? 1024 * 1024);
    if (raw === undefined) {
      // The rest of the body may still arrive.
      response.setHeader("connection", "close");
      return refuse(response, bodyTooLarge);
    }
    const { path } = route;
    if (path === CONTROL && request.method === "GET") {
      const { received } = this;
      return sendJson(response, 200, { receiver: "handset-lab", answers: nameOf(this.mode), received });
    }
    if (path === `${CONTROL}/effects` && request.method === "GET") return this.#showEffects(response);
    if (path === `${CONTROL}/answers` && request.method === "POST")
      return this.#switchAnswers(request, raw.bytes, response);
    await this.#serve(request, raw, response);
  }

  #showEffects(response: ServerResponse): void {
    if (this.logbook !== undefined) return sendJson(response, 200, this.logbook.effects());
    sendJson(response, 404, { error: "no logbook: start the receiver with --logbook or --bug" });
  }

  /** Passes the request to the caller's handler, if there is one and the mode leaves the answer to it. */
  async #isHandedOver(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { handler, slowMs = SLOW_MS } = this.#options;
    if (handler === undefined || !["ok", "slow"].includes(this.mode.answers)) return false;
    this.received++;
    if (this.mode.answers === "slow") await sleep(slowMs, undefined, { ref: false });
    handler(request, response);
    return true;
  }

  #switchAnswers(request: IncomingMessage, raw: Buffer, response: ServerResponse): void {
    if (!/^application\/json\b/i.test(request.headers["content-type"] ?? ""))
      return sendJson(response, 415, { error: "send application/json" });
    const to = parseSwitch(raw.toString("utf8"));
    if (to === undefined) return sendJson(response, 400, { error: 'send {"answers": "slow"} or {"answers": 503}' });
    this.mode = to;
    sendJson(response, 200, { answers: nameOf(to) });
  }

  async #serve(request: IncomingMessage, received: ReceivedBytes, response: ServerResponse): Promise<void> {
    const raw = received.bytes;
    const body = readBody(raw);
    this.received++;
    const identity = body.key ?? raw.toString("latin1");
    const times = this.#seen?.count(identity) ?? 1;
    const draw = `${times} ${identity}`;
    const mode = this.#modeFor(times, draw);
    this.#options.onEvent?.({
      at: Date.now(),
      method: request.method ?? "",
      path: request.url ?? "",
      headers: headersOf(request),
      pairs: body.pairs,
      event: body.event,
      key: body.key,
      duplicate: body.key !== null && times > 1,
      times,
      answers: nameOf(mode),
    });
    const delayMs = this.#delayFor(mode, draw);
    // A pending delay must not keep the process alive.
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    const { logbook } = this;
    if (logbook === undefined || !isUsual(mode)) return answer(response, mode, body, this.#setting);
    writeAnswer(response, await logbook.take(logbookRequest(request, received)));
  }

  /** The next status of the script, else a random failure, else the current mode. */
  #modeFor(times: number, draw: string): AnswerSwitch {
    const { script, fails, seed = 1 } = this.#options;
    const scripted = script?.statuses[script.per === "request" ? this.#scripted++ : times - 1];
    if (scripted !== undefined) return { answers: "status", status: scripted };
    if (fails !== undefined && shareOf(seed, `fails ${draw}`) < fails.share) {
      return { answers: "status", status: fails.status ?? 500 };
    }
    return this.mode;
  }

  #delayFor(mode: AnswerSwitch, draw: string): number {
    const { delayMs = 0, slowMs = SLOW_MS, seed = 1 } = this.#options;
    const usual =
      typeof delayMs === "number"
        ? delayMs
        : delayMs.min + (delayMs.max - delayMs.min) * shareOf(seed, `delay ${draw}`);
    return usual + (mode.answers === "slow" ? slowMs : 0);
  }
}

/** A logbook that is empty; undefined: none is asked for. */
function logbookOf({ logbook }: Pick<ReceiverOptions, "logbook">): Logbook | undefined {
  return logbook && new Logbook(changesOf(logbook.bugs ?? []));
}

/** Whether the usual answers apply, perhaps late. */
function isUsual({ answers }: AnswerSwitch): boolean {
  return answers === "ok" || answers === "slow";
}

function needsCounts({ onEvent, script, fails, delayMs }: ReceiverOptions): boolean {
  return onEvent !== undefined || script !== undefined || fails !== undefined || typeof delayMs === "object";
}

/** A request's body. */
interface ReceivedBytes {
  readonly bytes: Buffer;
  /** Length of the part that came first. */
  readonly firstBytes: number;
}

/** A request's body, whatever its content type says; undefined: it is larger than the bound. */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<ReceivedBytes | undefined> {
  return new Promise((resolve, reject) => {
    if (!hasBody(request)) return resolve({ bytes: Buffer.alloc(0), firstBytes: 0 });
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on("end", () => resolve({ bytes: Buffer.concat(chunks), firstBytes: chunks[0]?.length ?? 0 }));
    request.on("error", reject);
  });
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  sendJson(response, refusal.statusCode, refusal);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, "application/json", JSON.stringify(body));
}

function parseSwitch(text: string): AnswerSwitch | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("answers" in value)) return undefined;
    const { answers } = value;
    return typeof answers === "string" || typeof answers === "number" ? parseAnswers(String(answers)) : undefined;
  } catch {
    return undefined;
  }
}

function nameOf({ answers, status }: AnswerSwitch): string {
  return answers === "status" ? String(status ?? 200) : answers;
}
