import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from "node:net";
import { connect as connectSecure, type ConnectionOptions, type SecureContext, type TLSSocket } from "node:tls";
import type { ListNode } from "./linked-list.js";
import { type AnswerCache, AnswerReader } from "./message/answer.js";
import type { Target } from "./url-target.js";

/** A server, and what is known of it. */
export interface Peer {
  readonly target: Target;
  /** Whom the certificate must name. */
  readonly name: string;
  /** Whether it keeps connections open; undefined: not known. */
  keepsAlive: boolean | undefined;
  /** Its idle connections, the one that was used last at the end. */
  readonly idle: Connection[];
  readonly answerCache: AnswerCache;
  /** To go on with in a new connection: saves half of a handshake. */
  tlsSession: Buffer | undefined;
}

/**
 * Whoever has a connection for one exchange. One of `answered` and `broken` is called, once, unless the connection is
 * destroyed before; both must release or destroy it.
 */
export interface ConnectionUser {
  /** The request, now that it can be written. */
  requestBytes(connection: Connection): string | Uint8Array;
  onAnswer(connection: Connection): void;
  onFailure(error: string): void;
}

/** How a connection is used: again and again, for one request, or for one and then watched for whether it is kept. */
export type ConnectionUse = "kept" | "single" | "watched";

/** One connection: writes a request, reads its answer, and so on. At most one exchange at a time. */
export class Connection implements ListNode<Connection> {
  previous: Connection | undefined;
  next: Connection | undefined;
  readonly peer: Peer;
  readonly use: ConnectionUse;
  /** What came of the answer to the last request. */
  readonly answer: AnswerReader;
  /** Since when it is idle; undefined while it is not. */
  idleSinceMs: number | undefined;
  /** Set when the other side has closed it while nobody used it. */
  wasClosedByPeer = false;
  isDestroyed = false;
  readonly #socket: Socket;
  readonly #onDestroyed: (connection: Connection) => void;
  #user: ConnectionUser | undefined;
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
    this.answer = new AnswerReader(peer.answerCache);
    this.#onDestroyed = options.gone;
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
    this.#socket.on("close", () => this.#failExchange("no-answer"));
  }

  /** Whether a request can follow: all of the last one is written, and its answer left nothing open. */
  get isReusable(): boolean {
    const { head, hasSurplus } = this.answer;
    if (this.isDestroyed || !this.#isConnected || hasSurplus || head?.keepsConnection !== true) return false;
    return this.#socket.writableLength === 0;
  }

  /** Gives the connection to an asker, whose request is written at once or when it is connected. */
  startExchange(asker: ConnectionUser): void {
    this.#user = asker;
    this.idleSinceMs = undefined;
    this.answer.startAnswer();
    this.#useCount++;
    if (this.#isConnected) this.#writeRequest(asker);
  }

  /** Takes the connection from its asker. */
  detachUser(): void {
    this.#user = undefined;
  }

  destroy(): void {
    this.#user = undefined;
    if (this.isDestroyed) return;
    this.isDestroyed = true;
    this.#socket.destroy();
    this.#onDestroyed(this);
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
      ...(peer.tlsSession !== undefined && { session: peer.tlsSession }),
    };
    const socket = connectSecure(options);
    socket.setNoDelay(true);
    socket.on("session", (session) => {
      if (socket.authorized) peer.tlsSession = session;
    });
    return socket;
  }

  #onConnected(): void {
    this.#isConnected = true;
    if (this.#user !== undefined) this.#writeRequest(this.#user);
  }

  #writeRequest(asker: ConnectionUser): void {
    const request = asker.requestBytes(this);
    if (typeof request === "string") this.#socket.write(request, "latin1");
    else this.#socket.write(request);
  }

  #onBytes(buffer: Buffer, length: number): boolean {
    const asker = this.#user;
    if (asker === undefined) {
      // Nobody has asked: it would be taken for the answer to the next request.
      this.destroy();
      return false;
    }
    const reading = this.answer.read(buffer, length);
    if (reading === "whole") asker.onAnswer(this);
    else if (reading === "broken") asker.onFailure(this.answer.error);
    return true;
  }

  #onEnd(): void {
    if (this.#user !== undefined && this.answer.endStream() === "whole") this.#user.onAnswer(this);
    // The other side closes in good order: not what a reset is.
    else this.#failExchange(this.answer.hasBegun ? "incomplete-answer" : "no-answer");
  }

  #onError(error: unknown): void {
    if (!this.#isConnected) this.peer.tlsSession = undefined;
    const code = errorCode(error);
    // Node says ECONNRESET also where the other side closed in good order during a handshake.
    const isReset = code !== "ECONNRESET" || (typeof error === "object" && error !== null && "syscall" in error);
    this.#failExchange(isReset ? code : this.answer.hasBegun ? "incomplete-answer" : "no-answer");
  }

  #failExchange(error: string): void {
    const asker = this.#user;
    if (asker === undefined) {
      if (!this.isDestroyed) this.wasClosedByPeer = true;
      this.destroy();
      return;
    }
    // A kept connection that breaks before anything came: the server keeps them no longer, perhaps.
    if (this.#useCount > 1 && !this.answer.hasBegun) this.peer.keepsAlive = undefined;
    asker.onFailure(error);
  }
}

/** The stable code of an error, or its name where it has none. */
export function errorCode(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.name : "unknown";
}
