import { once } from "node:events";
import { onTestFinished } from "vitest";
import { type RawData, WebSocket } from "ws";
import { answers, type DeltaFrame, type SnapshotFrame, type StreamFrame } from "../../src/console/index.js";
import { misfitsOf } from "../support/json-schema.js";

/** A client of the console's stream, until the test ends. */
export class ConsoleClient {
  readonly socket: WebSocket;
  readonly frames: StreamFrame[] = [];
  readonly closed: Promise<number>;
  readonly #waiting = new Set<() => void>();

  private constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.socket = new WebSocket(`${url.replace("http", "ws")}/console/stream`, { headers });
    this.closed = new Promise((resolve) => {
      this.socket.once("close", (code) => resolve(code));
    });
    this.socket.on("error", () => undefined);
    this.socket.on("message", (data: RawData) => {
      this.frames.push(JSON.parse((data as Buffer).toString()) as StreamFrame);
      for (const check of this.#waiting) check();
    });
    onTestFinished(() => this.socket.terminate());
  }

  /** Opens a connection and sends the first message. */
  static async open(
    url: string,
    hello: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ConsoleClient> {
    const client = new ConsoleClient(url, headers);
    await once(client.socket, "open");
    client.socket.send(typeof hello === "string" || Buffer.isBuffer(hello) ? hello : JSON.stringify(hello));
    return client;
  }

  /** The status of a refused upgrade. */
  static async refusedWith(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
    const client = new ConsoleClient(url, headers);
    const [, response] = (await once(client.socket, "unexpected-response")) as [unknown, { statusCode?: number }];
    return response.statusCode;
  }

  /** How the frames so far differ from the declared messages of the stream. */
  get misfits(): readonly string[] {
    return this.frames.flatMap((frame) => misfitsOf(answers.streamFrame, frame));
  }

  /** The first frame, now or later, for which `of` returns something. */
  find<T>(of: (frame: StreamFrame) => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const check = (): void => {
        for (const frame of this.frames) {
          const found = of(frame);
          if (found === undefined) continue;
          this.#waiting.delete(check);
          return resolve(found);
        }
      };
      this.#waiting.add(check);
      check();
    });
  }

  snapshot(): Promise<SnapshotFrame> {
    return this.find((frame) => (frame.kind === "snapshot" ? frame : undefined));
  }

  delta(is: (delta: DeltaFrame) => boolean): Promise<DeltaFrame> {
    return this.find((frame) => (frame.kind === "delta" && is(frame) ? frame : undefined));
  }
}
