import type { RequestListener, ServerResponse } from "node:http";
import { LabError } from "../../base/index.js";
import { allowedHosts } from "../../http/index.js";
import { refuseUrl } from "../../lab/index.js";
import { type Receiver, startReceiver } from "../../receiver/index.js";
import { handlerOf, isUrl } from "./handler.js";
import type { TestReceiver } from "./kinds.js";

/** Header of an answer that has the number of what the handler threw. Only the lab's own client sees it. */
export const THREW_HEADER = "handset-lab-threw";

/** Where the events of a lab go, and how the receiver there answers. */
export interface FrontOptions {
  /** Absent: the bundled receiver, which answers 200. */
  readonly receiver: TestReceiver | undefined;
  /** Path of a receiver in this process. */
  readonly path: string;
  readonly allowHosts: readonly string[];
}

/**
 * A lab's receiver. A handler in this process is behind an HTTP server of its own at a free port, so requests are real
 * ones: with connections, in parallel, slow or cut where the scenario says so. The bundled receiver stands in front of
 * the handler, so that the verb `receiver` switches it, too.
 */
export class ReceiverFront {
  /** Where events are posted. */
  readonly url: string;
  /** Absent for a URL. */
  readonly #server: Receiver | undefined;
  readonly #first: RequestListener | undefined;
  #handler: RequestListener | undefined;
  readonly #thrown: unknown[];

  private constructor(
    url: string,
    parts: { server?: Receiver; first?: RequestListener | undefined; thrown: unknown[] } = { thrown: [] },
  ) {
    this.url = url;
    this.#server = parts.server;
    this.#first = parts.first;
    this.#handler = parts.first;
    this.#thrown = parts.thrown;
  }

  /** @throws LabError `host-not-allowed`, `bad-options` */
  static async open({ receiver, path, allowHosts }: FrontOptions): Promise<ReceiverFront> {
    if (receiver !== undefined && isUrl(receiver)) {
      const url = String(receiver);
      if (!URL.canParse(url)) throw new LabError("bad-options", `'receiver' must be an http URL, got '${url}'`);
      if (!allowedHosts(allowHosts)(url)) refuseUrl(url);
      return new ReceiverFront(url);
    }
    if (!path.startsWith("/")) throw new LabError("bad-options", `'path' must begin with '/', got '${path}'`);
    const thrown: unknown[] = [];
    const first = receiver && (await handlerOf(receiver, (response, error) => note(thrown, response, error)));
    const server = await startReceiver({
      ...(first !== undefined && {
        handler: (request, response) => (front.#handler ?? first)(request, response),
      }),
    });
    const front: ReceiverFront = new ReceiverFront(new URL(path, server.url).href, { server, first, thrown });
    return front;
  }

  /** The switch for the verb `receiver`; undefined for a receiver that is reached by its URL. */
  get answerSwitch(): Receiver | undefined {
    return this.#server;
  }

  /** Replaces the handler, as a new release of the application does. @throws LabError `bad-options` */
  async use(receiver: TestReceiver): Promise<void> {
    if (this.#first === undefined || isUrl(receiver)) {
      const why =
        this.#first === undefined ? "this lab was started without a handler" : "a URL cannot replace a handler";
      throw new LabError("bad-options", why, { hint: "start the lab with startLab({ receiver: handler })" });
    }
    this.#handler = await handlerOf(receiver, (response, error) => note(this.#thrown, response, error));
  }

  /** Everything that handlers threw since the start or the last reset, oldest first. */
  get thrown(): readonly unknown[] {
    return this.#thrown;
  }

  /** What a handler threw, by the number in `THREW_HEADER`. */
  thrownAt(index: number): unknown {
    return this.#thrown[index];
  }

  /** The first handler answers again, and no mode is in force. */
  reset(): void {
    this.#handler = this.#first;
    this.#thrown.length = 0;
    this.#server?.begin({});
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}

function note(thrown: unknown[], response: ServerResponse, error: unknown): void {
  const index = thrown.push(error) - 1;
  if (!response.headersSent) response.setHeader(THREW_HEADER, String(index));
}
