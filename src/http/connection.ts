import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from "node:net";
import { connect as connectSecure, type ConnectionOptions, type SecureContext, type TLSSocket } from "node:tls";
import { closeCut, type Craft, CraftedWrite, CUT } from "./crafted-write.js";
import type { ListNode } from "./linked-list.js";
import { type AnswerCache, AnswerReader } from "./message/answer.js";
import { lookupFor } from "./loopback-lookup.js";
import type { Target } from "./url-target.js";

/** A server: its address, and what earlier connections learned about it. */
export interface Peer {
  readonly target: Target;
  /** Host name that the certificate must have. */
  readonly name: string;
  /** Whether it keeps idle connections open; undefined: unknown. */
  keepsAlive: boolean | undefined;
  /** Its idle connections, last used at the end. */
  readonly idle: HttpConnection[];
  readonly answerCache: AnswerCache;
  /** TLS session to resume in a new connection: saves half of a handshake. */
  tlsSession: Buffer | undefined;
}

/**
 * The exchange that uses a connection. The connection calls one of `onAnswer` and `onFailure` once, unless it is
 * destroyed before; both must release or destroy it.
 */
export interface ConnectionUser {
  /** Whether the request is a HEAD: its answer has no body, whatever its headers say. */
  readonly isHead: boolean;
  /** Serializes the request; called when the connection can write it. */
  requestBytes(connection: HttpConnection): string | Uint8Array;
  onAnswer(connection: HttpConnection): void;
  onFailure(error: string): void;
  /** How the request is written on purpose; undefined: whole and at once. */
  readonly craft: Craft | undefined;
  /** The last byte of a request with a `craft` is written. */
  onWritten(): void;
}

/** Kept alive, used for one request, or used for one and then watched for whether the server closes it. */
export type ConnectionUse = "kept" | "single" | "watched";

/** One connection: writes a request and reads its answer, one exchange at a time. */
export class HttpConnection implements ListNode<HttpConnection> {
  previous: HttpConnection | undefined;
  next: HttpConnection | undefined;
  readonly peer: Peer;
  readonly use: ConnectionUse;
  /** Reader of the last answer. */
  readonly answer: AnswerReader;
  /** When it became idle; undefined while in use. */
  idleSinceMs: number | undefined;
  /** Whether the server closed it while it was idle or watched. */
  wasClosedByPeer = false;
  isDestroyed = false;
  readonly #socket: Socket;
  readonly #onDestroyed: (connection: HttpConnection) => void;
  #user: ConnectionUser | undefined;
  #isConnected = false;
  #useCount = 0;
  #craftedWrite: CraftedWrite | undefined;
  /** The connection is being cut: what comes is ignored. */
  #isCut = false;

  /**
   * Begins to connect.
   *
   * @param options - `buffer` receives the bytes that are read; connections may share one, because each consumes its
   *   bytes synchronously. `onDestroyed` is called once, when either side has closed the connection
   */
  constructor(
    peer: Peer,
    use: ConnectionUse,
    options: {
      readonly buffer: Buffer;
      readonly secureContext: SecureContext | undefined;
      readonly onDestroyed: (connection: HttpConnection) => void;
    },
  ) {
    this.peer = peer;
    this.use = use;
    this.answer = new AnswerReader(peer.answerCache);
    this.#onDestroyed = options.onDestroyed;
    const { host, port } = peer.target;
    const { secureContext, buffer } = options;
    const onread: OnReadOpts = { buffer, callback: (length) => this.#onBytes(buffer, length) };
    this.#socket =
      secureContext === undefined
        ? connectPlain({ host, port, lookup: lookupFor(host), noDelay: true, onread })
        : this.#connectSecure(secureContext, onread);
    this.#socket.once(secureContext === undefined ? "connect" : "secureConnect", () => this.#onConnected());
    this.#socket.on("end", () => this.#onEnd());
    this.#socket.on("error", (error) => this.#onError(error));
    // Normally `end` or `error` came first. A close without them must still become a result.
    this.#socket.on("close", () => {
      if (!this.#isCut) this.#failExchange("no-answer");
    });
  }

  /** Whether another request can follow: the last one is flushed, and its answer is complete and allows keep-alive. */
  get isReusable(): boolean {
    const { head, hasSurplus } = this.answer;
    if (this.isDestroyed || !this.#isConnected || hasSurplus || head?.keepsConnection !== true) return false;
    return this.#socket.writableLength === 0;
  }

  /** Starts an exchange: its request is written at once, or when the connection is open. */
  startExchange(user: ConnectionUser): void {
    this.#user = user;
    this.idleSinceMs = undefined;
    this.answer.startAnswer(user.isHead);
    this.#useCount++;
    if (this.#isConnected) this.#writeRequest(user);
  }

  /** Ends the exchange; the connection stays open. */
  detachUser(): void {
    this.#user = undefined;
  }

  destroy(): void {
    this.#user = undefined;
    if (this.isDestroyed) return;
    this.isDestroyed = true;
    this.#craftedWrite?.stop();
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
      lookup: lookupFor(host),
      // SNI allows no IP address; the certificate is still checked against the address.
      servername: isIP(peer.name) === 0 ? peer.name : "",
      secureContext,
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
      onread,
      session: peer.tlsSession,
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

  #writeRequest(user: ConnectionUser): void {
    const request = user.requestBytes(this);
    if (user.craft !== undefined) this.#writeCrafted(user, user.craft, request);
    else if (typeof request === "string") this.#socket.write(request, "latin1");
    else this.#socket.write(request);
  }

  #writeCrafted(user: ConnectionUser, craft: Craft, request: string | Uint8Array): void {
    const onWritten = (): void => {
      user.onWritten();
      if (craft.cut !== "headers" && craft.cut !== "body") return;
      this.#isCut = true;
      closeCut(this.#socket, () => {
        if (this.#user === user) user.onFailure(CUT);
      });
    };
    this.#craftedWrite = new CraftedWrite({ socket: this.#socket, request, craft, onWritten });
  }

  #onBytes(buffer: Buffer, length: number): boolean {
    const user = this.#user;
    if (this.#isCut) return true;
    if (user?.craft?.cut === "answer") {
      user.onFailure(CUT);
      return false;
    }
    if (user === undefined) {
      // Unrequested bytes would be read as the answer to the next request.
      this.destroy();
      return false;
    }
    const reading = this.answer.read(buffer, length);
    if (reading === "whole") user.onAnswer(this);
    else if (reading === "broken") user.onFailure(this.answer.error);
    return true;
  }

  #onEnd(): void {
    if (this.#isCut) return;
    if (this.#user !== undefined && this.answer.endStream() === "whole") this.#user.onAnswer(this);
    // FIN without a complete answer; a reset comes as an error.
    else this.#failExchange(this.answer.hasBegun ? "incomplete-answer" : "no-answer");
  }

  #onError(error: unknown): void {
    if (!this.#isConnected) this.peer.tlsSession = undefined;
    if (this.#isCut) return;
    const code = errorCode(error);
    // Node reports ECONNRESET, without a syscall, also for a FIN during the TLS handshake.
    const isReset = code !== "ECONNRESET" || (typeof error === "object" && error !== null && "syscall" in error);
    this.#failExchange(isReset ? code : this.answer.hasBegun ? "incomplete-answer" : "no-answer");
  }

  #failExchange(error: string): void {
    const user = this.#user;
    if (user === undefined) {
      if (!this.isDestroyed) this.wasClosedByPeer = true;
      this.destroy();
      return;
    }
    // A kept connection broke before the first byte: the server may have stopped keeping connections.
    if (this.#useCount > 1 && !this.answer.hasBegun) this.peer.keepsAlive = undefined;
    user.onFailure(error);
  }
}

/** The stable code of an error, or its name where it has none. */
export function errorCode(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.name : "unknown";
}
