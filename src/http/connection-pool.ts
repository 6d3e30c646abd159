import { X509Certificate } from "node:crypto";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { LinkedList } from "./linked-list.js";
import { Connection, type Peer } from "./connection.js";
import { AnswerCache } from "./message/answer.js";
import type { Target } from "./url-target.js";

/**
 * A kept connection that is idle for so long is closed, or sooner where the server has said that it keeps its own for
 * less than twice that. Most servers close theirs after 2 s or more, so we come first.
 */
const IDLE_MS = 1000;
/** How often idle connections are looked at. */
const SWEEP_MS = 250;
/** How long the first connections to a server are watched for whether it keeps them. */
const WATCH_MS = 50;
/** Servers that are remembered; a run has a few, but redirects can lead anywhere. */
const MAX_PEERS = 10_000;
/** As much as a system gives at once. */
const BUFFER_BYTES = 64 * 1024;

/**
 * The connections of a sender: kept where the server keeps them, at most as many as allowed.
 *
 * A request that crosses the server's closing of a kept connection fails although nothing is wrong, and it must not be
 * sent again, as nobody knows whether it was read. So connections are kept with care. Those to a server that is not
 * known yet are used once and watched for a moment after the answer: a server that closes without having said so gets
 * a new connection for each request from then on. Idle connections are closed early. And a kept connection that breaks
 * without a byte makes its server unknown again.
 */
export class ConnectionPool {
  readonly #limit: number;
  readonly #ca: string | undefined;
  readonly #clock: () => number;
  readonly #onSlotFreed: () => void;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  readonly #peers = new Map<string, Peer>();
  readonly #open = new Set<Connection>();
  /** The one that is idle for longest first. */
  readonly #idle = new LinkedList<Connection>();
  readonly #watchTimers = new Map<Connection, NodeJS.Timeout>();
  #secureContext: SecureContext | undefined;
  #sweeper: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param options - `clock`: wall milliseconds. `seatFree` is called when a connection can be taken that could not be
   *   before, unless that came of a call of the owner's, who then knows
   * @throws RangeError for a `ca` that is no certificate
   */
  constructor(options: {
    readonly limit: number;
    readonly ca: string | undefined;
    readonly clock: () => number;
    readonly seatFree: () => void;
  }) {
    this.#limit = options.limit;
    this.#ca = options.ca === undefined ? undefined : checkCertificate(options.ca);
    this.#clock = options.clock;
    this.#onSlotFreed = options.seatFree;
  }

  /**
   * The server of an address; the same for each address of one origin and one name.
   *
   * @param hostHeader - "" where the address alone names it
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

  /** Whether a connection can be taken: fewer are in use than allowed. */
  get hasFreeSlot(): boolean {
    return this.#open.size - this.#idle.size < this.#limit;
  }

  /** A connection to a server; whoever asks has seen to it that there is a seat. */
  acquireConnection(peer: Peer, nowMs: number): Connection {
    for (let connection = peer.idle.pop(); connection !== undefined; connection = peer.idle.pop()) {
      this.#idle.remove(connection);
      const isFresh = nowMs - (connection.idleSinceMs ?? 0) < idleLimitMs(connection);
      connection.idleSinceMs = undefined;
      if (isFresh && peer.keepsAlive === true) return connection;
      // Nobody has looked at it for too long, as the process was busy: by now the server may be about to close it.
      connection.destroy();
    }
    if (this.#open.size >= this.#limit) this.#idle.first?.destroy();
    const connection = new Connection(
      peer,
      peer.keepsAlive === undefined ? "watched" : peer.keepsAlive ? "kept" : "single",
      {
        buffer: this.#buffer,
        secureContext: peer.target.secure ? this.#tlsContext() : undefined,
        gone: this.#forgetConnection,
      },
    );
    this.#open.add(connection);
    return connection;
  }

  /** Gives back a connection after a whole answer. `mayWatch`: whether it may be watched first where that is due. */
  releaseConnection(connection: Connection, nowMs: number, { mayWatch }: { readonly mayWatch: boolean }): void {
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

  /** Closes all connections, those in use too. None can be taken afterwards. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#sweeper);
    for (const connection of this.#open) connection.destroy();
  }

  #watchConnection(connection: Connection): void {
    const isOver = (): void => {
      // Another that was watched at the same time may have been closed, and one that was is enough.
      connection.peer.keepsAlive ??= true;
      connection.destroy();
    };
    this.#watchTimers.set(connection, setTimeout(isOver, WATCH_MS));
  }

  readonly #forgetConnection = (connection: Connection): void => {
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
        const { next: after, idleSinceMs = nowMs } = connection;
        if (nowMs - idleSinceMs >= idleLimitMs(connection)) connection.destroy();
        connection = after;
      }
      this.#sweeper = undefined;
      if (this.#idle.size > 0) this.#scheduleSweep();
    }, SWEEP_MS);
  }

  /** Made at the first need, and once: it takes milliseconds. */
  #tlsContext(): SecureContext {
    this.#secureContext ??= createSecureContext(this.#ca === undefined ? {} : { ca: [...rootCertificates, this.#ca] });
    return this.#secureContext;
  }
}

function idleLimitMs({ answer }: Connection): number {
  return Math.min(IDLE_MS, (answer.head?.keepAliveMs ?? Infinity) / 2);
}

/** The name in a `Host` header, without its port. */
function hostNameIn(hostHeader: string): string {
  return /^\[([^\]]*)\]/.exec(hostHeader)?.[1] ?? hostHeader.split(":", 1)[0] ?? hostHeader;
}

/** OpenSSL passes over what it cannot read, and every receiver would then seem to have a bad certificate. */
function checkCertificate(ca: string): string {
  try {
    new X509Certificate(ca);
  } catch (error) {
    throw new RangeError("ca is not a certificate in PEM text (-----BEGIN CERTIFICATE-----…)", { cause: error });
  }
  return ca;
}
