import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from "node:net";
import { connect as connectSecure, type ConnectionOptions, type SecureContext, type TLSSocket } from "node:tls";
import type { Link } from "./linked-list.js";
import { type AnswerMemory, AnswerReader } from "./message/answer.js";
import type { Target } from "./url-target.js";

/** A server, and what is known of it. */
export interface Peer {
  readonly target: Target;
  /** Whom the certificate must name. */
  readonly name: string;
  /** Whether it keeps connections open; undefined: not known. */
  keeps: boolean | undefined;
  /** Its idle connections, the one that was used last at the end. */
  readonly idle: Connection[];
  readonly memory: AnswerMemory;
  /** To go on with in a new connection: saves half of a handshake. */
  session: Buffer | undefined;
}

/**
 * Whoever has a connection for one exchange. One of `answered` and `broken` is called, once, unless the connection is
 * destroyed before; both must release or destroy it.
 */
export interface Asker {
  /** The request, now that it can be written. */
  request(connection: Connection): string | Uint8Array;
  answered(connection: Connection): void;
  broken(error: string): void;
}

/** How a connection is used: again and again, for one request, or for one and then watched for whether it is kept. */
export type ConnectionUse = "kept" | "single" | "watched";

/** One connection: writes a request, reads its answer, and so on. At most one exchange at a time. */
export class Connection implements Link<Connection> {
  before: Connection | undefined;
  after: Connection | undefined;
  readonly peer: Peer;
  readonly use: ConnectionUse;
  /** What came of the answer to the last request. */
  readonly answer: AnswerReader;
  /** Since when it is idle; undefined while it is not. */
  idleSinceMs: number | undefined;
  /** Set when the other side has closed it while nobody used it. */
  wasLeft = false;
  isDestroyed = false;
  readonly #socket: Socket;
  readonly #gone: (connection: Connection) => void;
  #asker: Asker | undefined;
  #isConnected = false;
  #useCount = 0;

  /**
   * Begins to connect.
   *
   * @param options - `buffer`: where bytes are read to; all connections may share one, as each reads its own at once.
   *   `gone` is called once, when the connection is destroyed from whichever side
   */
  constructor(
    peer: Peer,
    use: ConnectionUse,
    options: {
      readonly buffer: Buffer;
      readonly secureContext: SecureContext | undefined;
      readonly gone: (connection: Connection) => void;
    },
  ) {
    this.peer = peer;
    this.use = use;
    this.answer = new AnswerReader(peer.memory);
    this.#gone = options.gone;
    const { host, port } = peer.target;
    const { secureContext, buffer } = options;
    const onread: OnReadOpts = { buffer, callback: (length) => this.#onBytes(buffer, length) };
    this.#socket =
      secureContext === undefined
        ? connectPlain({ host, port, noDelay: true, onread })
        : this.#connectSecure(secureContext, onread);
    this.#socket.once(secureContext === undefined ? "connect" : "secureConnect", () => this.#onConnected());
    this.#socket.on("end", () => this.#onEnd());
    this.#socket.on("error", (error) => this.#onError(error));
    // Not reached without one of the others, as far as we know; a surprise must still end in a record.
    this.#socket.on("close", () => this.#broken("no-answer"));
  }

  /** Whether a request can follow: all of the last one is written, and its answer left nothing open. */
  get isReusable(): boolean {
    const { head, hasSurplus } = this.answer;
    if (this.isDestroyed || !this.#isConnected || hasSurplus || head?.keepsConnection !== true) return false;
    return this.#socket.writableLength === 0;
  }

  /** Gives the connection to an asker, whose request is written at once or when it is connected. */
  ask(asker: Asker): void {
    this.#asker = asker;
    this.idleSinceMs = undefined;
    this.answer.begin();
    this.#useCount++;
    if (this.#isConnected) this.#write(asker);
  }

  /** Takes the connection from its asker. */
  release(): void {
    this.#asker = undefined;
  }

  destroy(): void {
    this.#asker = undefined;
    if (this.isDestroyed) return;
    this.isDestroyed = true;
    this.#socket.destroy();
    this.#gone(this);
  }

  #connectSecure(secureContext: SecureContext, onread: OnReadOpts): TLSSocket {
    const { peer } = this;
    const { host, port } = peer.target;
    // `onread` is documented, and missing in the types.
    const options: ConnectionOptions & { readonly onread: OnReadOpts } = {
      host,
      port,
      // An IP address is no name for SNI; the certificate is held to it all the same.
      servername: isIP(peer.name) === 0 ? peer.name : "",
      secureContext,
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
      onread,
      ...(peer.session !== undefined && { session: peer.session }),
    };
    const socket = connectSecure(options);
    socket.setNoDelay(true);
    socket.on("session", (session) => {
      if (socket.authorized) peer.session = session;
    });
    return socket;
  }

  #onConnected(): void {
    this.#isConnected = true;
    if (this.#asker !== undefined) this.#write(this.#asker);
  }

  #write(asker: Asker): void {
    const request = asker.request(this);
    if (typeof request === "string") this.#socket.write(request, "latin1");
    else this.#socket.write(request);
  }

  #onBytes(buffer: Buffer, length: number): boolean {
    const asker = this.#asker;
    if (asker === undefined) {
      // Nobody has asked: it would be taken for the answer to the next request.
      this.destroy();
      return false;
    }
    const reading = this.answer.read(buffer, length);
    if (reading === "whole") asker.answered(this);
    else if (reading === "broken") asker.broken(this.answer.error);
    return true;
  }

  #onEnd(): void {
    if (this.#asker !== undefined && this.answer.end() === "whole") this.#asker.answered(this);
    // The other side closes in good order: not what a reset is.
    else this.#broken(this.answer.hasBegun ? "incomplete-answer" : "no-answer");
  }

  #onError(error: unknown): void {
    if (!this.#isConnected) this.peer.session = undefined;
    const code = codeOf(error);
    // Node says ECONNRESET also where the other side closed in good order during a handshake.
    const isReset = code !== "ECONNRESET" || (typeof error === "object" && error !== null && "syscall" in error);
    this.#broken(isReset ? code : this.answer.hasBegun ? "incomplete-answer" : "no-answer");
  }

  #broken(error: string): void {
    const asker = this.#asker;
    if (asker === undefined) {
      if (!this.isDestroyed) this.wasLeft = true;
      this.destroy();
      return;
    }
    // A kept connection that breaks before anything came: the server keeps them no longer, perhaps.
    if (this.#useCount > 1 && !this.answer.hasBegun) this.peer.keeps = undefined;
    asker.broken(error);
  }
}

/** The stable code of an error, or its name where it has none. */
export function codeOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.name : "unknown";
}
