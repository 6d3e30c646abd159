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
  #mode = "ok";
  #status = 200;

  /** @param isMoody - some answers are a 503, some hold a reply; else each is an empty 200 */
  constructor({ isMoody }: { readonly isMoody: boolean }) {
    this.#isMoody = isMoody;
  }

  post({ body }: HttpRequest, done: (exchange: HttpResult) => void): void {
    const draw = this.#isMoody ? (createHash("sha256").update(body).digest()[0] ?? 0) : 255;
    queueMicrotask(() => done(this.#exchange(draw)));
  }

  answer({ answers, status = 200 }: Parameters<ReceiverSwitch["answer"]>[0]): Promise<void> {
    this.#mode = answers;
    this.#status = status;
    return Promise.resolve();
  }

  withdrawUnsent(): void {}

  close(): void {}

  #exchange(draw: number): HttpResult {
    if (this.#mode === "hang") return answerOf({ error: "ETIMEDOUT" });
    if (this.#mode === "close") return answerOf({ error: "ECONNRESET" });
    if (this.#mode === "status") return answerOf({ status: this.#status });
    if (draw < 10) return answerOf({ status: 503 });
    const asksFor = draw < 30 ? '{"text":"thanks"}' : '{"phone":["+250781100002"],"text":"come"}';
    return answerOf({ status: 200, body: this.#mode === "reply" || draw < 60 ? asksFor : "" });
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
