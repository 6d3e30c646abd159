import type { IncomingMessage, ServerResponse } from "node:http";
import { headersOf } from "../headers.js";
import { type LogbookEffects, LogbookRecords } from "./records.js";
import { rightSteps } from "./right-steps.js";
import type { ChangeSteps, LogbookAnswer, LogbookRequest, LogbookSteps } from "./steps.js";

/**
 * The bundled receiver's own application: it keeps texts, calls, alarms, flow steps and contacts, acts once for each
 * event, and answers each text of a person. It is right, and each built-in bug (`src/receiver/bugs/`) replaces one of
 * its steps.
 */
export class Logbook {
  readonly #records = new LogbookRecords();
  readonly #steps: LogbookSteps;

  /** @param changes - each gets the steps that the ones before it have made */
  constructor(changes: readonly ChangeSteps[] = []) {
    this.#steps = changes.reduce<LogbookSteps>(
      (steps, change) => ({ ...steps, ...change(steps, this.#records) }),
      rightSteps(this.#records),
    );
  }

  effects(): LogbookEffects {
    return this.#records.effects();
  }

  /** Takes one request. Never throws: a step that does ends it with status 500. */
  async take(request: LogbookRequest): Promise<LogbookAnswer> {
    try {
      return (await this.#steps.admit(request)) ?? (await this.#takeAdmitted(request));
    } catch (error) {
      return { status: 500, body: `the application failed: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  async #takeAdmitted(request: LogbookRequest): Promise<LogbookAnswer> {
    const steps = this.#steps;
    const event = steps.read(steps.decode(request));
    const key = steps.identify(event);
    if (!(await steps.claim(key))) return steps.answer({ event, isKnown: true, reply: undefined });
    try {
      await steps.apply(event);
    } catch (error) {
      // The service sends it again.
      if (key !== null) this.#records.known.delete(key);
      throw error;
    }
    return steps.answer({ event, isKnown: false, reply: steps.reply(event) });
  }
}

/** The request as the logbook sees it. */
export function logbookRequest(
  request: IncomingMessage,
  { bytes, firstBytes }: { readonly bytes: Buffer; readonly firstBytes: number },
): LogbookRequest {
  const { method = "", url = "" } = request;
  return { method, path: url, headers: headersOf(request), body: bytes, firstBytes };
}

/** Writes an answer. */
export function writeAnswer(response: ServerResponse, answer: LogbookAnswer): void {
  const { status, body = "", headers = {}, connection } = answer;
  const { socket } = response;
  if (connection === "hang") return;
  if (connection === "cut") return void socket?.destroy();
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status !== 204) {
    if (!response.hasHeader("content-type")) {
      const type = body.startsWith("{") ? "application/json" : "text/plain";
      response.setHeader("content-type", `${type}; charset=utf-8`);
    }
    response.setHeader("content-length", Buffer.byteLength(body));
  }
  response.end(status === 204 ? "" : body, () => {
    if (connection === "close") socket?.end();
  });
}
