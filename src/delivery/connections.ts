import { X509Certificate } from "node:crypto";
import { Agent as HttpAgent, type ClientRequest } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import type { Target } from "./target.js";

/** A connection for one request. */
export interface Lease {
  readonly agent: HttpAgent;
  /** To be called once, when the request has closed; `then` is called when the next request may take the place. */
  end(request: ClientRequest | undefined, how: LeaseEnd, then: () => void): void;
}

/**
 * How the use of a connection ended: with a whole answer; with a redirect after which the next request follows at once;
 * in failure; or as a kept connection that broke before anything came.
 */
export type LeaseEnd = "answered" | "passed" | "failed" | "stale";

/**
 * A kept connection that is idle for so long is closed. Most servers close theirs after 2 s or more, so we come first.
 * Node's agent honours a shorter time in a `Keep-Alive` header.
 */
const IDLE_MS = 1000;
/** How long the first connections to a server are watched for whether it keeps them. */
const WATCH_MS = 50;

/**
 * The connections of a sender: kept where the server keeps them, at most as many as allowed.
 *
 * A request that crosses the server's closing of a kept connection fails although nothing is wrong, and it must not be
 * sent again, as nobody knows whether it was read. So connections are kept with care. Those to a server that is not
 * known yet are used once and watched for a moment after the answer: a server that closes without having said so gets
 * a new connection for each request from then on. Idle connections are closed early. And a kept connection that breaks
 * without a byte makes its server unknown again.
 */
export class Connections {
  readonly #limit: number;
  readonly #secureContext: SecureContext | undefined;
  readonly #kept: AgentPair;
  readonly #single: AgentPair;
  /** Agents of connections that are watched, or are going to be. */
  readonly #watched = new Set<HttpAgent>();
  /** Whether a server keeps connections, by origin; absent: not known. */
  readonly #keeps = new Map<string, boolean>();
  readonly #origins = new Set<string>();
  #leased = 0;

  /** @throws RangeError for a `ca` that is no certificate */
  constructor({ limit, ca }: { readonly limit: number; readonly ca: string | undefined }) {
    this.#limit = limit;
    this.#secureContext =
      ca === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, checkedAuthority(ca)] });
    this.#kept = { http: guarded(this.#agent(false, true)), https: guarded(this.#agent(true, true)) };
    this.#single = { http: this.#agent(false, false), https: this.#agent(true, false) };
  }

  /** A connection to a server; whoever asks has seen to it that not too many are in use. */
  lend(target: Target): Lease {
    const { origin } = target;
    const keeps = this.#keeps.get(origin);
    this.#origins.add(origin);
    this.#leased++;
    // With one server that keeps connections, its idle ones are used before a new one is opened.
    if (keeps !== true || this.#origins.size > 1) this.#makeRoom(target);
    if (keeps === undefined) return this.#watch(target);
    const agent = pick(keeps ? this.#kept : this.#single, target);
    return {
      agent,
      end: (_request, how, then) => {
        this.#leased--;
        if (how === "stale") this.#keeps.delete(origin);
        // The agent takes the connection back right after the request's `close` event; only then can it be used.
        process.nextTick(then);
      },
    };
  }

  /** Closes all connections, those in use too. */
  close(): void {
    for (const agent of [this.#kept.http, this.#kept.https, this.#single.http, this.#single.https, ...this.#watched]) {
      agent.destroy();
    }
  }

  #watch(target: Target): Lease {
    const agent = this.#agent(target.secure, true);
    this.#watched.add(agent);
    const end = (socket: Socket | null | undefined, then: () => void): void => {
      const isOver = (): void => {
        this.#leased--;
        this.#watched.delete(agent);
        then();
      };
      if (socket === undefined || socket === null || socket.closed) process.nextTick(isOver);
      else socket.once("close", isOver).destroy();
    };
    return {
      agent,
      end: (request, how, then) => {
        const socket = request?.socket;
        // A server that closes as it has announced says nothing about what it does otherwise.
        if (how !== "answered" || socket === undefined || socket === null || socket.destroyed) {
          end(socket, then);
          return;
        }
        setTimeout(() => {
          this.#keeps.set(target.origin, !socket.destroyed);
          end(socket, then);
        }, WATCH_MS);
      },
    };
  }

  /** Closes an idle connection where a new one would be one too many. */
  #makeRoom(target: Target): void {
    const prefix = `${target.host}:${target.port}:`;
    const own = Object.keys(pick(this.#kept, target).freeSockets);
    if (this.#keeps.get(target.origin) === true && own.some((name) => name.startsWith(prefix))) return;
    const idle = [this.#kept.http, this.#kept.https].flatMap((agent) => Object.values(agent.freeSockets).flat());
    if (this.#leased + idle.length > this.#limit) idle[0]?.destroy();
  }

  #agent(isSecure: boolean, keepAlive: boolean): HttpAgent {
    const options = keepAlive ? { keepAlive, timeout: IDLE_MS, maxFreeSockets: this.#limit } : { keepAlive };
    if (!isSecure) return new HttpAgent(options);
    const secureContext = this.#secureContext;
    return new HttpsAgent({ ...options, rejectUnauthorized: true, ...(secureContext && { secureContext }) });
  }
}

interface AgentPair {
  readonly http: HttpAgent;
  readonly https: HttpAgent;
}

function pick(pair: AgentPair, target: Target): HttpAgent {
  return target.secure ? pair.https : pair.http;
}

/** OpenSSL passes over what it cannot read, and every receiver would then seem to have a bad certificate. */
function checkedAuthority(ca: string): string {
  try {
    new X509Certificate(ca);
  } catch (error) {
    throw new RangeError("ca is not a certificate in PEM text (-----BEGIN CERTIFICATE-----…)", { cause: error });
  }
  return ca;
}

/**
 * Closes a kept connection on which bytes come while nobody has asked: they would be taken for the answer to the
 * next request.
 */
function guarded(agent: HttpAgent): HttpAgent {
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  agent.keepSocketAlive = (socket) => {
    socket.on("data", destroyThis);
    return keep(socket);
  };
  agent.reuseSocket = (socket, request) => {
    socket.removeListener("data", destroyThis);
    reuse(socket, request);
  };
  return agent;
}

function destroyThis(this: Duplex): void {
  this.destroy();
}
