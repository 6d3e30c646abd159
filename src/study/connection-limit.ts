/** What a trial shows of its connections. */
export interface ConnectionUse {
  /** Attempts that were due and unanswered at once, at most. */
  readonly waitingMost: number;
  /** Attempts that were due in a second of the wall's. */
  readonly attemptsPerSecond: number;
  /** Median from the request written to the answer, wall milliseconds; null: nothing was answered. */
  readonly serviceP50Ms: number | null;
  readonly hasPassed: boolean;
  /** A trial of the ramp: the next load is `TIMES` as high. */
  readonly isRamp: boolean;
}

/** Factor by which connections grow, equal to the ramp's step, and their maximum: beyond it this machine's sockets are tested. */
const TIMES = 4;
const MOST = 800;

/** A receiver is as quick as in calm when it takes at most this much longer. */
const SLOWER = 1.3;
const SLACK_MS = 5;

/** What a trial says of the connections where they, and not the receiver, were the limit. */
export interface ConnectionFinding {
  readonly reason: string;
  /** The next trials have more connections, so that this one says nothing. */
  readonly isRaised: boolean;
}

/**
 * How many connections a search uses. A receiver with more workers than connections is never saturated: attempts wait for a
 * connection while the receiver is as quick as in calm. Then the limit is ours. It is raised, unless the user has set it. Where a
 * trial of the ramp passed, it is raised ahead: the next load needs as many connections as its rate times the service time (Little's law).
 */
export class ConnectionLimit {
  readonly #isFixed: boolean;
  readonly #first: number;
  #connections: number;
  #calmMs = Infinity;

  constructor({ connections, isFixed }: { readonly connections: number; readonly isFixed: boolean }) {
    this.#connections = connections;
    this.#first = connections;
    this.#isFixed = isFixed;
  }

  get connections(): number {
    return this.#connections;
  }

  /** What a reader of the answer should know of them; undefined: they are those that were asked for. */
  get note(): string | undefined {
    if (this.#connections === this.#first) return undefined;
    return `up to ${this.#connections} connections instead of ${this.#first} were open at once, so that attempts did not wait for one`;
  }

  /** @returns undefined: the connections were not the limit */
  look(use: ConnectionUse): ConnectionFinding | undefined {
    const { waitingMost, attemptsPerSecond, serviceP50Ms, hasPassed, isRamp } = use;
    if (serviceP50Ms === null) return undefined;
    if (hasPassed) this.#calmMs = Math.min(this.#calmMs, serviceP50Ms);
    const isFull = waitingMost > 1.2 * this.#connections;
    const isCalm = serviceP50Ms <= SLOWER * this.#calmMs + SLACK_MS && this.#calmMs !== Infinity;
    if (hasPassed) {
      const nextNeeds = (TIMES * attemptsPerSecond * this.#calmMs) / 1000;
      if (isRamp && nextNeeds > this.#connections && !this.#isFixed) this.#raise();
      return undefined;
    }
    if (!isFull || !isCalm) return undefined;
    const before = this.#connections;
    const inUse = "in use, and the receiver no slower";
    if (this.#isFixed || before >= MOST) {
      return { reason: `our ${before} connections are the limit: all ${inUse}`, isRaised: false };
    }
    this.#raise();
    return { reason: `${this.#connections} connections from now on: all ${before} ${inUse}`, isRaised: true };
  }

  #raise(): void {
    this.#connections = Math.min(MOST, TIMES * this.#connections);
  }
}
