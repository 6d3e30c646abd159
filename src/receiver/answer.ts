import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { parseTimestamp } from "../wire/index.js";
import type { ApplicationEvent, ReplyTo } from "./application.js";
import type { EventBody } from "./received-event.js";

/** The answer modes; all but `ok`, `status`, `reply` and `echo` are faults. */
export const answerModes = [
  /** The usual answer: that of the application, else 200, or as configured. */
  "ok",
  /** Another status, without a body. */
  "status",
  /** The usual answer, after `slowMs`. */
  "slow",
  /** The connection is closed without a byte. */
  "close",
  /** No answer; the connection stays open. */
  "hang",
  /** Bytes that are not HTTP. */
  "garbage",
  /** A reply: asks the service to send a text to the phone that the event is about. */
  "reply",
  /** A reply with the text that came in. */
  "echo",
  /** Half of an answer, then the connection is closed. */
  "half",
  /** A body that never ends, written as fast as the client reads it. */
  "endless",
  /** A body that never ends, 5 bytes ten times a second. */
  "drip",
  /** A body of 10 MB. */
  "big",
] as const;
export type AnswerMode = (typeof answerModes)[number];

/** An answer mode. `status` (200..599) applies only to `answers: status`; default 200. */
export interface AnswerSwitch {
  readonly answers: AnswerMode;
  readonly status?: number;
}

/** Parses an answer mode as flags and the control path spell it: `slow`, `503`. Undefined for any other text. */
export function parseAnswers(text: string): AnswerSwitch | undefined {
  if (/^[2-5]\d\d$/.test(text)) return { answers: "status", status: Number(text) };
  const answers = answerModes.find((mode) => mode === text);
  return answers === undefined || answers === "status" ? undefined : { answers };
}

/** Status and content of the answers. */
export interface AnswerSettings {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
  /** The text of a reply; `{name}` is replaced by a field of the event. */
  readonly reply: string;
  /** The event types that get replies. */
  readonly repliesTo: ReadonlySet<string>;
  /** The application, whose replies are the answers of `ok`; undefined: there is none. */
  readonly replyTo: ReplyTo | undefined;
  /** What `slow` answers, late. */
  readonly usual: AnswerSwitch;
}

/** The mode that `slow` keeps, late: that of the start, unless it is a fault. */
export function usualOf(start: AnswerSwitch): AnswerSwitch {
  return ["reply", "echo"].includes(start.answers) ? start : { answers: "ok" };
}

const PLAIN = "text/plain; charset=utf-8";

/** A status with a body. JSON is marked as UTF-8. */
export function send(to: ServerResponse, status: number, type: string, body: string): void {
  const isBareJson = /^[^;]*json/i.test(type) && !/charset=/i.test(type);
  to.statusCode = status;
  if (status !== 204) to.setHeader("content-type", isBareJson ? `${type}; charset=utf-8` : type);
  if (status !== 204) to.setHeader("content-length", Buffer.byteLength(body));
  to.end(body);
}

/** Answers a request. The caller applies delays. */
export function answer(to: ServerResponse, mode: AnswerSwitch, body: EventBody, setting: AnswerSettings): void {
  switch (mode.answers) {
    case "slow":
      return answer(to, setting.usual, body, setting);
    case "ok":
      if (setting.replyTo !== undefined) return answerByApplication(to, body, setting.replyTo);
      return send(to, setting.status, setting.contentType, setting.body);
    case "status":
      return send(to, mode.status ?? 200, PLAIN, "");
    case "reply":
      return reply(to, body, setting, fillTemplate(setting.reply, body));
    case "echo":
      return reply(to, body, setting, firstCharacters(body.field("text") ?? ""));
    case "close":
      hijackSocket(to).destroy();
      return;
    case "hang":
      hijackSocket(to);
      return;
    case "garbage":
      hijackSocket(to).end("\u0001\u0002 this is not HTTP \u0003\r\n\r\n");
      return;
    case "half":
      hijackSocket(to).end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"text":"hal',
      );
      return;
    case "endless":
      writeAsFastAsRead(hijackSocket(to), Infinity);
      return;
    case "drip":
      writeDrop(hijackSocket(to));
      return;
    case "big":
      writeAsFastAsRead(hijackSocket(to), 10_000_000);
      return;
    default:
      mode.answers satisfies never;
  }
}

/** A service takes texts of up to 480 characters (docs/reference/webhook.md#json-replies). */
const MAX_REPLY_CHARACTERS = 480;

function reply(to: ServerResponse, body: EventBody, setting: AnswerSettings, text: string): void {
  // A reply to mt_sent, the event that reports a sent reply, would cause an endless loop.
  sendReply(to, body, setting.repliesTo.has(body.event) ? text : undefined);
}

/** @param text - undefined or empty: the event is accepted without a reply */
function sendReply(to: ServerResponse, body: EventBody, text: string | undefined): void {
  const phone = body.field("phone");
  const isWanted = phone !== undefined && text !== undefined && text !== "";
  const content = isWanted ? JSON.stringify({ urn: [`tel:${phone}`], text }) : "";
  send(to, 200, "application/json", content);
}

/** An application that fails answers 500 with its reason, as a web framework does. */
function answerByApplication(to: ServerResponse, body: EventBody, replyTo: ReplyTo): void {
  let text: unknown;
  try {
    text = replyTo(applicationEventOf(body));
  } catch (error) {
    return send(to, 500, PLAIN, `the application failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (text === undefined || typeof text === "string") return sendReply(to, body, text);
  send(to, 500, PLAIN, `the application must return a text or undefined, it returned ${kindOf(text)}`);
}

/** `a Promise`, `a Number`, `null`. */
function kindOf(value: unknown): string {
  return value === null ? "null" : `a ${Object(value).constructor?.name ?? "object"}`;
}

function applicationEventOf(body: EventBody): ApplicationEvent {
  const time = body.field("time") ?? body.field("occurred_on") ?? "";
  return {
    type: body.event,
    phone: body.field("phone") ?? "",
    text: body.field("text") ?? "",
    atMs: parseTimestamp(time) ?? Date.now(),
    key: body.key,
    field: body.field,
  };
}

function fillTemplate(template: string, body: EventBody): string {
  return template.replace(/\{([a-z_]+)\}/g, (whole, name: string) => body.field(name) ?? whole);
}

function firstCharacters(text: string): string {
  return Array.from(text).slice(0, MAX_REPLY_CHARACTERS).join("");
}

/** The socket, to write on it without HTTP. `close` of the server still closes it. */
function hijackSocket({ socket }: ServerResponse): Socket {
  if (socket === null) throw new Error("the request has lost its connection");
  socket.on("error", () => socket.destroy());
  return socket;
}

const CHUNK = Buffer.alloc(64 * 1024, "x");

/** Writes a body as fast as the client reads it, with back-pressure. */
function writeAsFastAsRead(socket: Socket, bytes: number): void {
  const length = Number.isFinite(bytes) ? `content-length: ${bytes}\r\n` : "connection: close\r\n";
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n${length}\r\n`);
  let left = bytes;
  const writeChunks = (): void => {
    while (left > 0 && !socket.destroyed) {
      const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
      left -= chunk.length;
      if (!socket.write(chunk)) break;
    }
    if (left <= 0) socket.end();
    else if (!socket.destroyed) socket.once("drain", writeChunks);
  };
  writeChunks();
}

function writeDrop(socket: Socket): void {
  socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n");
  const timer = setInterval(() => socket.write("drop "), 100);
  socket.once("close", () => clearInterval(timer));
}
