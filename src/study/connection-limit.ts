/** How a trial used its connections. */
export interface TrialConnections {
  /** Maximum of attempts that were due and unanswered at once. */
  readonly waitingMost: number;
  /** Attempts due per wall second. */
  readonly attemptsPerSecond: number;
  /** Median from the request written to the answer, wall milliseconds; null: nothing was answered. */
  readonly serviceP50Ms: number | null;
  readonly hasPassed: boolean;
  /** A trial of the ramp: the next load is `GROWTH_FACTOR` times as high. */
  readonly isRamp: boolean;
}

/**
 * Factor by which connections grow, equal to the ramp's step, and their maximum: more would test this machine's
 * sockets.
 */
const GROWTH_FACTOR = 4;
const MAX_CONNECTIONS = 800;

/** A receiver is as fast as at low load if it takes at most this much longer. */
const CALM_RATIO = 1.3;
const SLACK_MS = 5;

/** A trial in which the number of connections limited the throughput, and a higher number to try. */
export interface ConnectionCeiling {
  readonly connections: number;
  /** Median time from the request written to the answer in that trial, wall milliseconds. */
  readonly serviceMs: number;
  /** A number that is enough for every load that the connections limited, and at least twice the current one. */
  readonly toTry: number;
}

/** The number to try is at least this many times as high, and at least this many times what the load needs. */
const LEAST_GROWTH = 2;
const HEADROOM = 1.1;

/** The connections, not the receiver, were the limit of a trial. */
export interface ConnectionFinding {
  readonly reason: string;
  /** The next trials have more connections, so this one does not count. */
  readonly isRaised: boolean;
}

/**
 * Chooses the number of connections of a search. If attempts wait for a connection while the receiver is as fast as at
 * low load, the connections are the limit. The number is raised then, unless the user has set it. After a passed trial
 * of the ramp it is raised ahead: the next load needs its rate times the service time (Little's law).
 */
export class ConnectionLimit {
  readonly #isFixed: boolean;
  readonly #first: number;
  #connections: number;
  #calmMs = Infinity;
  #ceiling: ConnectionCeiling | undefined;

  constructor({ connections, isFixed }: { readonly connections: number; readonly isFixed: boolean }) {
    this.#connections = connections;
    this.#first = connections;
    this.#isFixed = isFixed;
  }

  get connections(): number {
    return this.#connections;
  }

  /** A note for the result; undefined: the number was not raised. */
  get note(): string | undefined {
    if (this.#connections === this.#first) return undefined;
    return `up to ${this.#connections} connections instead of ${this.#first} were open at once, so attempts did not wait for a connection`;
  }

  /** The last trial that the connections limited; undefined: none, or the number was raised instead. */
  get ceiling(): ConnectionCeiling | undefined {
    return this.#ceiling;
  }

  /** Attempts per second that the connections carry if the receiver is as fast as at low load (Little's law). */
  get carriedPerSecond(): number {
    return (this.#connections * 1000) / this.#calmMs;
  }

  /** Assesses a trial, and raises the number if necessary. @returns undefined: the connections were not the limit */
  assess(use: TrialConnections): ConnectionFinding | undefined {
    const { waitingMost, attemptsPerSecond, serviceP50Ms, hasPassed, isRamp } = use;
    if (serviceP50Ms === null) return undefined;
    if (hasPassed) this.#calmMs = Math.min(this.#calmMs, serviceP50Ms);
    const isFull = waitingMost > 1.2 * this.#connections;
    const isCalm = serviceP50Ms <= CALM_RATIO * this.#calmMs + SLACK_MS && this.#calmMs !== Infinity;
    if (hasPassed) {
      const nextNeeds = (GROWTH_FACTOR * attemptsPerSecond * this.#calmMs) / 1000;
      if (isRamp && nextNeeds > this.#connections && !this.#isFixed) this.#raise();
      return undefined;
    }
    if (!isFull || !isCalm) return undefined;
    const before = this.#connections;
    const inUse = "in use, and the receiver no slower";
    if (this.#isFixed || before >= MAX_CONNECTIONS) {
      // Little's law: requests in flight are the rate times the service time.
      const needed = (HEADROOM * attemptsPerSecond * serviceP50Ms) / 1000;
      const toTry = Math.max(this.#ceiling?.toTry ?? 0, roundUp(Math.max(LEAST_GROWTH * before, needed)));
      this.#ceiling = { connections: before, serviceMs: serviceP50Ms, toTry };
      return { reason: `our ${before} connections are the limit: all ${inUse}`, isRaised: false };
    }
    this.#raise();
    return { reason: `${this.#connections} connections from now on: all ${before} ${inUse}`, isRaised: true };
  }

  #raise(): void {
    this.#connections = Math.min(MAX_CONNECTIONS, GROWTH_FACTOR * this.#connections);
  }
}

/** Rounds up to a multiple of half a power of ten: 41 to 45, 112 to 150. */
function roundUp(value: number): number {
  const step = Math.max(1, 10 ** Math.floor(Math.log10(value)) / 2);
  return Math.ceil(value / step) * step;
}
