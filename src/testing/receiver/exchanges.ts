import type { HttpRequest, HttpResult, HttpSender } from "../../http/index.js";
import type { SimTime } from "../../sim/index.js";

/** One request to the receiver, and what came back as soon as it has come. */
export interface Exchange {
  /** Virtual time at which it was sent. */
  readonly atMs: SimTime;
  readonly url: string;
  readonly body: string;
  result: HttpResult | undefined;
}

/** An HTTP client that remembers its exchanges in the order in which they were sent. */
export class WatchedSender implements HttpSender {
  readonly #sender: HttpSender;
  readonly #nowMs: () => SimTime;
  readonly exchanges: Exchange[] = [];

  constructor(sender: HttpSender, nowMs: () => SimTime) {
    this.#sender = sender;
    this.#nowMs = nowMs;
  }

  get connections(): number {
    return this.#sender.connections;
  }

  get originMs(): number {
    return this.#sender.originMs;
  }

  get waitingForConnection(): number {
    return this.#sender.waitingForConnection;
  }

  get notDue(): number {
    return this.#sender.notDue;
  }

  post(request: HttpRequest, done: (result: HttpResult) => void): void {
    const { url, body } = request;
    const exchange: Exchange = { atMs: this.#nowMs(), url, body, result: undefined };
    this.exchanges.push(exchange);
    this.#sender.post(request, (result) => {
      exchange.result = result;
      done(result);
    });
  }

  withdrawUnsent(): void {
    this.#sender.withdrawUnsent();
  }

  close(): void {
    this.#sender.close();
  }
}
