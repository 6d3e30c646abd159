import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { freePort, startServer, type TestServer } from "../support/server.js";

/** Handles an event: `answered`, or `dies`: the receiver ends like a process that crashes. */
export type Handle = (fields: URLSearchParams, response: ServerResponse, nth: number) => "dies" | "answered";

/** A receiver that can die: it closes its connections, and its port listens no more. */
export class MortalReceiver {
  readonly url: string;
  /** The bodies at which it died. */
  readonly deaths: string[] = [];
  readonly #port: number;
  readonly #handle: Handle;
  readonly #onDeath: () => void;
  #server: TestServer | undefined;
  #count = 0;

  private constructor(port: number, handle: Handle, onDeath: () => void) {
    this.url = `http://127.0.0.1:${port}/`;
    this.#port = port;
    this.#handle = handle;
    this.#onDeath = onDeath;
  }

  static async start(handle: Handle, onDeath: () => void = () => undefined): Promise<MortalReceiver> {
    const receiver = new MortalReceiver(await freePort(), handle, onDeath);
    await receiver.listen();
    onTestFinished(() => receiver.#server?.close());
    return receiver;
  }

  /** Starts it, also again after its death. */
  async listen(): Promise<void> {
    this.#server = await startServer(
      createServer((request, response) => this.#onRequest(request, response)),
      this.#port,
    );
  }

  die(): void {
    void this.#server?.close();
    this.#onDeath();
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      if (this.#handle(new URLSearchParams(body), response, ++this.#count) === "answered") return;
      this.deaths.push(body);
      this.die();
    });
  }
}
