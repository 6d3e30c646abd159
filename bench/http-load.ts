import { connect, type Socket } from "node:net";

/** Status and body of a response. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const headEnd = Buffer.from("\r\n\r\n");

/**
 * One keep-alive connection with one request at a time. It parses only status and length of an answer, so the client
 * costs less CPU than the server that it measures.
 */
export class Connection {
  readonly #socket: Socket;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Length of head and body; undefined until the head is complete. */
  #answerBytes: number | undefined;
  #bodyAt = 0;
  #resolve: (answer: Answer) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk) => this.#receive(chunk));
    this.#socket.on("error", (error) => this.#reject(error));
    this.#socket.on("close", () => this.#reject(new Error("the server closed the connection")));
  }

  send(request: string): Promise<Answer> {
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

  #receive(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#bytes += chunk.length;
    if (this.#answerBytes === undefined) {
      const head = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
      const end = head.indexOf(headEnd);
      if (end === -1) return;
      this.#bodyAt = end + headEnd.length;
      const length = /\r\ncontent-length: (\d+)/i.exec(head.toString("latin1", 0, end))?.[1];
      if (length === undefined) return this.#reject(new Error("the answer has no content-length"));
      this.#answerBytes = this.#bodyAt + Number(length);
    }
    if (this.#bytes < this.#answerBytes) return;
    const whole = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    const answer = { status: Number(whole.toString("latin1", 9, 12)), body: whole.subarray(this.#bodyAt) };
    this.#parts = [];
    this.#bytes = 0;
    this.#answerBytes = undefined;
    this.#resolve(answer);
  }
}

/** The bytes of a GET. */
export function getRequest(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Token ${token}\r\naccept: application/json\r\n\r\n`;
}

/** The bytes of a POST of JSON. */
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
 * Sends all requests in a closed loop: each connection sends the next request when it has its answer.
 *
 * @throws Error when an answer has another status
 */
export async function sendAll(
  connections: readonly Connection[],
  requests: readonly string[],
  status: number,
): Promise<void> {
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
        const answer = await connection.send(request);
        if (answer.status !== status) throw new Error(`${answer.status}: ${answer.body.toString()}`);
      }
    }),
  );
}
