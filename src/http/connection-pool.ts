import { X509Certificate } from "node:crypto";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { LinkedList } from "./linked-list.js";
import { HttpConnection, type Peer } from "./connection.js";
import { AnswerCache } from "./message/answer.js";
import type { Target } from "./url-target.js";

/**
 * Idle time after which a kept connection is closed; half of the server's `Keep-Alive: timeout` when that is shorter.
 * Most servers close theirs after 2 s or more, so the client closes first.
 */
const IDLE_MS = 1000;
/** Interval between checks of idle connections. */
const SWEEP_MS = 250;
/** How long a first connection to a server stays open after its answer, to see whether the server closes it. */
const WATCH_MS = 50;
/** Capacity of the cache of peers. A run has a few, but redirects can lead anywhere. */
const MAX_PEERS = 10_000;
/** Size of the buffer that all sockets read into. */
const BUFFER_BYTES = 64 * 1024;

/**
 * Connection pool with keep-alive and a limit.
 *
 * A request that crosses the server's close of an idle connection fails, and must not be sent again: the server may
 * have read it. So the pool is careful with keep-alive:
 * - A first connection to a peer is used once and watched after its answer. If the server closes it without
 *   `Connection: close`, each further request gets a new connection.
 * - Idle connections are closed early.
 * - A kept connection that breaks before the first byte of an answer makes its peer unknown again.
 */
export class ConnectionPool {
  readonly #limit: number;
  readonly #ca: string | undefined;
  readonly #clock: () => number;
  readonly #onSlotFreed: () => void;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  readonly #peers = new Map<string, Peer>();
  readonly #open = new Set<HttpConnection>();
  /** Longest idle first. */
  readonly #idle = new LinkedList<HttpConnection>();
  readonly #watchTimers = new Map<HttpConnection, NodeJS.Timeout>();
  #secureContext: SecureContext | undefined;
  #sweeper: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param options - `clock`: wall milliseconds. `onSlotFreed` is called when a watched connection is closed; not after
   *   `releaseConnection`, whose caller knows that a slot is free
   * @throws RangeError for a `ca` that is not a PEM certificate
   */
  constructor(options: {
    readonly limit: number;
    readonly ca: string | undefined;
    readonly clock: () => number;
    readonly onSlotFreed: () => void;
  }) {
    this.#limit = options.limit;
    this.#ca = options.ca === undefined ? undefined : checkCertificate(options.ca);
    this.#clock = options.clock;
    this.#onSlotFreed = options.onSlotFreed;
  }

  /**
   * The peer of a URL: one for each pair of origin and host name.
   *
   * @param hostHeader - "" when the URL names the host
   */
  peerFor(target: Target, hostHeader: string): Peer {
    const name = hostHeader === "" ? target.host : hostNameIn(hostHeader);
    const key = `${target.origin} ${name}`;
    let peer = this.#peers.get(key);
    if (peer === undefined) {
      if (this.#peers.size >= MAX_PEERS) this.#peers.clear();
      peer = { target, name, keepsAlive: undefined, idle: [], answerCache: new AnswerCache(), tlsSession: undefined };
      this.#peers.set(key, peer);
    }
    return peer;
  }

  /** Whether a connection can be acquired: fewer are in use than the limit. */
  get hasFreeSlot(): boolean {
    return this.#open.size - this.#idle.size < this.#limit;
  }

  /** Acquires an idle or a new connection; the caller has checked `hasFreeSlot`. */
  acquireConnection(peer: Peer, nowMs: number): HttpConnection {
    for (let connection = peer.idle.pop(); connection !== undefined; connection = peer.idle.pop()) {
      this.#idle.remove(connection);
      const isFresh = nowMs - (connection.idleSinceMs ?? 0) < idleLimitMs(connection);
      connection.idleSinceMs = undefined;
      if (isFresh && peer.keepsAlive === true) return connection;
      // Idle too long, because the sweep was late or the peer stopped keeping connections: the server may be closing
      // it.
      connection.destroy();
    }
    if (this.#open.size >= this.#limit) this.#idle.first?.destroy();
    const connection = new HttpConnection(
      peer,
      peer.keepsAlive === undefined ? "watched" : peer.keepsAlive ? "kept" : "single",
      {
        buffer: this.#buffer,
        secureContext: peer.target.secure ? this.#tlsContext() : undefined,
        onDestroyed: this.#forgetConnection,
      },
    );
    this.#open.add(connection);
    return connection;
  }

  /** Takes a connection back after a complete answer. @param mayWatch - false: closes it instead of watching it */
  releaseConnection(connection: HttpConnection, nowMs: number, { mayWatch }: { readonly mayWatch: boolean }): void {
    if (!connection.isReusable || connection.use === "single" || (connection.use === "watched" && !mayWatch)) {
      connection.destroy();
      return;
    }
    connection.detachUser();
    if (connection.use === "watched") this.#watchConnection(connection);
    else {
      connection.idleSinceMs = nowMs;
      connection.peer.idle.push(connection);
      this.#idle.push(connection);
      if (this.#sweeper === undefined) this.#scheduleSweep();
    }
  }

  /** Closes all connections, also those in use. The pool cannot be used afterwards. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#sweeper);
    for (const connection of this.#open) connection.destroy();
  }

  #watchConnection(connection: HttpConnection): void {
    const endWatch = (): void => {
      // `??=`: a connection that the server closed meanwhile has already set it to false.
      connection.peer.keepsAlive ??= true;
      connection.destroy();
    };
    this.#watchTimers.set(connection, setTimeout(endWatch, WATCH_MS));
  }

  readonly #forgetConnection = (connection: HttpConnection): void => {
    this.#open.delete(connection);
    if (connection.idleSinceMs !== undefined) {
      this.#idle.remove(connection);
      const { idle } = connection.peer;
      const index = idle.indexOf(connection);
      if (index >= 0) idle.splice(index, 1);
      connection.idleSinceMs = undefined;
    }
    const watch = this.#watchTimers.get(connection);
    if (watch === undefined) return;
    clearTimeout(watch);
    this.#watchTimers.delete(connection);
    if (connection.wasClosedByPeer) connection.peer.keepsAlive = false;
    if (!this.#isClosed) this.#onSlotFreed();
  };

  #scheduleSweep(): void {
    this.#sweeper = setTimeout(() => {
      const nowMs = this.#clock();
      for (let connection = this.#idle.first; connection !== undefined;) {
        const { next, idleSinceMs = nowMs } = connection;
        if (nowMs - idleSinceMs >= idleLimitMs(connection)) connection.destroy();
        connection = next;
      }
      this.#sweeper = undefined;
      if (this.#idle.size > 0) this.#scheduleSweep();
    }, SWEEP_MS);
  }

  /** Created once, on first use: it takes milliseconds. */
  #tlsContext(): SecureContext {
    this.#secureContext ??= createSecureContext(this.#ca === undefined ? {} : { ca: [...rootCertificates, this.#ca] });
    return this.#secureContext;
  }
}

function idleLimitMs({ answer }: HttpConnection): number {
  return Math.min(IDLE_MS, (answer.head?.keepAliveMs ?? Infinity) / 2);
}

/** The name in a `Host` header, without its port. */
function hostNameIn(hostHeader: string): string {
  return /^\[([^\]]*)\]/.exec(hostHeader)?.[1] ?? hostHeader.split(":", 1)[0] ?? hostHeader;
}

/** Checks a certificate here: OpenSSL skips unreadable ones silently, and each TLS handshake would fail instead. */
function checkCertificate(ca: string): string {
  try {
    new X509Certificate(ca);
  } catch (error) {
    throw new RangeError("ca is not a certificate in PEM text (-----BEGIN CERTIFICATE-----…)", { cause: error });
  }
  return ca;
}
