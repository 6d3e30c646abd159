/** What a trial shows of its connections. */
export interface ConnectionUse {
  /** Attempts that were due and unanswered at once, at most. */
  readonly waitingMost: number;
  /** Median from the request written to the answer, wall milliseconds; null: nothing was answered. */
  readonly serviceP50Ms: number | null;
  readonly hasPassed: boolean;
}

/** Connections are multiplied by this, up to the limit: more would be a test of this machine's sockets. */
const TIMES = 4;
const MOST = 800;

/** A receiver is as quick as in calm when it takes at most this much longer. */
const SLOWER = 1.3;
const SLACK_MS = 5;

/**
 * How many connections a search uses. A receiver with more workers than connections is never saturated: attempts wait for a
 * connection while the receiver is as quick as in calm. Then the limit is ours, and is raised unless the user has set it.
 */
export class ConnectionLimit {
  readonly #isFixed: boolean;
  #connections: number;
  #calmMs = Infinity;

  constructor({ connections, isFixed }: { readonly connections: number; readonly isFixed: boolean }) {
    this.#connections = connections;
    this.#isFixed = isFixed;
  }

  get connections(): number {
    return this.#connections;
  }

  /** @returns why a trial says nothing of the receiver, in words; undefined: it does, or the limit may not be raised */
  look({ waitingMost, serviceP50Ms, hasPassed }: ConnectionUse): string | undefined {
    if (serviceP50Ms === null) return undefined;
    if (hasPassed) this.#calmMs = Math.min(this.#calmMs, serviceP50Ms);
    const isFull = waitingMost > 1.2 * this.#connections;
    const isCalm = serviceP50Ms <= SLOWER * this.#calmMs + SLACK_MS && this.#calmMs !== Infinity;
    if (hasPassed || !isFull || !isCalm || this.#isFixed || this.#connections >= MOST) return undefined;
    const before = this.#connections;
    this.#connections = Math.min(MOST, TIMES * before);
    return `all ${before} connections were in use and the receiver was no slower: ${this.#connections} from now on`;
  }
}
