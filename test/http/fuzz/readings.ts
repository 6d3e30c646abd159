import { request } from "node:http";
import { Duplex } from "node:stream";
import { AnswerCache, AnswerReader } from "../../../src/http/message/answer.js";
import type { Script } from "./answers.js";

/** An answer as a client reads it. */
export interface Meaning {
  /** Null when the client reports an error instead. */
  readonly status: number | null;
  /** `name: value` lines, and the body as Latin-1; "" after an error. */
  readonly headers: string;
  readonly body: string;
  readonly error: string | null;
}

/** Reads the answer with our reader. All pieces come in one reused buffer, as from a socket. */
export function ours({ pieces }: Script): Meaning {
  const reader = new AnswerReader(new AnswerCache());
  const buffer = Buffer.alloc(64 * 1024);
  reader.startAnswer();
  let reading = "more";
  for (const piece of pieces) {
    if (reading !== "more") break;
    buffer.fill(0xff);
    piece.copy(buffer);
    reading = reader.read(buffer, piece.length);
  }
  if (reading === "more") reading = reader.endStream();
  if (reading === "broken") return failure(reader.error);
  const { head, body } = reader;
  return {
    status: head?.status ?? 0,
    headers: head?.lines ?? "",
    body: Buffer.from(body.decodedStart(undefined) ?? []).toString("latin1"),
    error: null,
  };
}

/** Reads the answer with Node's client, over a stream in memory. */
export function nodes({ pieces }: Script): Promise<Meaning> {
  return new Promise((resolve) => {
    const socket = new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, written) => written(),
    });
    const outgoing = request({ method: "POST", createConnection: () => socket, host: "x" });
    let body = "";
    outgoing.on("response", (answer) => {
      const lines = answer.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 ? `${name}: ${all[index + 1]}` : [],
      );
      answer.on("data", (chunk: Buffer) => (body += chunk.toString("latin1")));
      answer.on("end", () => {
        if (answer.complete) {
          resolve({ status: answer.statusCode ?? 0, headers: lines.join("\n"), body, error: null });
        } else resolve(failure("incomplete"));
      });
      answer.on("error", (error) => resolve(failure(codeOf(error))));
    });
    outgoing.on("upgrade", () => resolve(failure("upgrade")));
    outgoing.on("error", (error) => {
      // An error in surplus bytes after a complete answer does not count: `end` of the answer follows.
      if ((outgoing as { res?: { complete: boolean } }).res?.complete !== true) resolve(failure(codeOf(error)));
    });
    outgoing.on("socket", () => {
      outgoing.end("event=alarm");
      setImmediate(() => {
        for (const piece of pieces) socket.push(piece);
        socket.push(null);
      });
    });
  });
}

function failure(error: string): Meaning {
  return { status: null, headers: "", body: "", error };
}

function codeOf(error: Error & { code?: string }): string {
  return error.code ?? error.name;
}
