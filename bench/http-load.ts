import { connect, type Socket } from "node:net";

/** What a server has answered. */
export interface Answered {
  readonly status: number;
  readonly body: Buffer;
}

const headEnd = Buffer.from("\r\n\r\n");

/**
 * One keep-alive connection that asks one thing at a time. It reads no more of an answer than its status and length, so
 * that it costs less than any server that it measures.
 */
export class Connection {
  readonly #socket: Socket;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Length of the whole answer; undefined: not yet known. */
  #wanted: number | undefined;
  #bodyAt = 0;
  #resolve: (answered: Answered) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk) => this.#take(chunk));
    this.#socket.on("error", (error) => this.#reject(error));
    this.#socket.on("close", () => this.#reject(new Error("the server has closed the connection")));
  }

  ask(request: string): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#reject = () => undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#bytes += chunk.length;
    if (this.#wanted === undefined) {
      const head = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
      const end = head.indexOf(headEnd);
      if (end === -1) return;
      this.#bodyAt = end + headEnd.length;
      const length = /\r\ncontent-length: (\d+)/i.exec(head.toString("latin1", 0, end))?.[1];
      if (length === undefined) return this.#reject(new Error("an answer without content-length"));
      this.#wanted = this.#bodyAt + Number(length);
    }
    if (this.#bytes < this.#wanted) return;
    const whole = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    const answered = { status: Number(whole.toString("latin1", 9, 12)), body: whole.subarray(this.#bodyAt) };
    this.#parts = [];
    this.#bytes = 0;
    this.#wanted = undefined;
    this.#resolve(answered);
  }
}

/** A GET, as it goes over the wire. */
export function getRequest(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Token ${token}\r\naccept: application/json\r\n\r\n`;
}

/** A POST of JSON. */
export function postRequest(path: string, token: string, body: unknown): string {
  const json = JSON.stringify(body);
  return [
    `POST ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    `authorization: Token ${token}`,
    "accept: application/json",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(json)}`,
    "",
    json,
  ].join("\r\n");
}

/**
 * Asks everything in a closed loop: each connection asks the next thing when it has its answer.
 *
 * @throws Error when something is answered with another status
 */
export async function askAll(
  connections: readonly Connection[],
  requests: readonly string[],
  status: number,
): Promise<void> {
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
        const answered = await connection.ask(request);
        if (answered.status !== status) throw new Error(`${answered.status}: ${answered.body.toString()}`);
      }
    }),
  );
}
