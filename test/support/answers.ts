import { createHash } from "node:crypto";
import type { HttpRequest, HttpResult, HttpSender } from "../../src/http/index.js";
import type { ReceiverSwitch } from "../../src/lab/receiver-switch.js";

/**
 * A receiver without sockets. Its answer depends only on the event and on the story's `receiver` steps, so a run can be
 * repeated.
 */
export class Answers implements HttpSender, ReceiverSwitch {
  readonly connections = 50;
  readonly originMs = performance.now();
  readonly waitingForConnection = 0;
  readonly notDue = 0;
  readonly #isMoody: boolean;
  readonly #asksOthers: boolean;
  #mode = "ok";
  #status = 200;

  /**
   * @param options - `isMoody`: some answers are a 503, some hold a reply; else each is as the last `receiver` step says.
   * `asksOthers`: some replies of a moody one are for another person than the event's
   */
  constructor({
    isMoody = false,
    asksOthers = true,
  }: { readonly isMoody?: boolean; readonly asksOthers?: boolean } = {}) {
    this.#isMoody = isMoody;
    this.#asksOthers = asksOthers;
  }

  post({ body }: HttpRequest, done: (exchange: HttpResult) => void): void {
    const draw = this.#isMoody ? (createHash("sha256").update(body).digest()[0] ?? 0) : 255;
    queueMicrotask(() => done(this.#exchange(draw, body)));
  }

  answer({ answers, status = 200 }: Parameters<ReceiverSwitch["answer"]>[0]): Promise<void> {
    this.#mode = answers;
    this.#status = status;
    return Promise.resolve();
  }

  withdrawUnsent(): void {}

  close(): void {}

  #reply(draw: number, body: string): string {
    if (draw < 30 || !this.#isMoody) return JSON.stringify({ text: "thanks" });
    const sender = new URLSearchParams(body).get("phone");
    return JSON.stringify({ phone: [this.#asksOthers ? "+250781100002" : sender], text: "come" });
  }

  #exchange(draw: number, body: string): HttpResult {
    if (this.#mode === "hang") return answerOf({ error: "ETIMEDOUT" });
    if (this.#mode === "close") return answerOf({ error: "ECONNRESET" });
    if (this.#mode === "status") return answerOf({ status: this.#status });
    if (draw < 10) return answerOf({ status: 503 });
    const isAsked = this.#mode === "reply" && (this.#isMoody || body.includes("event=mo_sms"));
    return answerOf({ status: 200, body: draw < 60 || isAsked ? this.#reply(draw, body) : "" });
  }
}

function answerOf(answer: { readonly status?: number; readonly error?: string; readonly body?: string }): HttpResult {
  const { status = null, error = null, body = "" } = answer;
  return {
    sentWallMs: 1,
    postedWallMs: 1,
    durationMs: 1,
    status,
    error,
    headers: null,
    body: new TextEncoder().encode(body),
    bodyBytes: body.length,
    redirects: [],
  };
}
