import { unsent } from "../call.js";
import { Fifo } from "../fifo.js";
import { allowedHosts } from "../hosts.js";
import { checkedHeaders } from "../http/request.js";
import type { PostRequest, ThreadedPoster } from "../poster.js";
import { CLOSED, Sender, WITHDRAWN } from "../sender.js";
import type { Exchange } from "../types.js";
import type { ThreadStart } from "./thread-start.js";
import { ThreadedSender } from "./threaded-sender.js";

type Done = (exchange: Exchange) => void;

interface Waiting {
  readonly request: PostRequest;
  readonly done: Done;
}

/**
 * Requests that each side has beyond its connections, so that it need not wait while the other one is busy: for
 * milliseconds, where this thread's requests wake a receiver that takes its core.
 */
const AHEAD = 400;

/**
 * Two senders with one queue: one in this thread and one in a thread of its own, each with a part of the connections. For
 * where cores are short: a sender that is woken for each answer shares a core with the receiver that it wakes for each request, while
 * this thread's core idles as soon as its phones have nothing to do. So this thread sends, too.
 *
 * Each of the two sends in the order of arrival what it has taken, and may be ahead of the other one.
 */
export class TwinSender implements ThreadedPoster {
  readonly connections: number;
  readonly bornMs: number;
  readonly #near: Side<Sender>;
  readonly #far: Side<ThreadedSender>;
  readonly #queue = new Fifo<Waiting>();
  #isClosed = false;

  private constructor(near: Sender, far: ThreadedSender) {
    this.#near = new Side(near);
    this.#far = new Side(far);
    this.connections = near.connections + far.connections;
    this.bornMs = far.bornMs;
  }

  /**
   * Starts the thread.
   *
   * @param options - as of `Sender`, at least two connections; `allowHosts`: as of `allowedHosts`; `threadShare`: the thread's
   *   share of the connections, > 0, < 1; each side has at least one
   * @throws RangeError as `Sender` does
   */
  static async start(
    options: ThreadStart["options"] & { readonly connections: number },
    { allowHosts, threadShare }: Pick<ThreadStart, "allowHosts"> & { readonly threadShare: number },
  ): Promise<TwinSender> {
    const { connections } = options;
    if (!(connections >= 2)) throw new RangeError(`two senders need at least 2 connections, got ${connections}`);
    const ofThread = Math.min(connections - 1, Math.max(1, Math.round(threadShare * connections)));
    const far = await ThreadedSender.start({ ...options, connections: ofThread }, { allowHosts });
    const near = new Sender({
      ...options,
      connections: connections - ofThread,
      isAllowed: allowedHosts(allowHosts),
      bornMs: far.bornMs,
    });
    return new TwinSender(near, far);
  }

  get queued(): number {
    return this.#near.poster.queued + this.#far.poster.queued + this.#queue.size;
  }

  get held(): number {
    return this.#far.poster.held;
  }

  post(request: PostRequest, done: Done): void {
    if (this.#isClosed) return this.#near.poster.post(request, done);
    // The thread lets it go on time, whatever this one is at.
    if (request.notBeforeMs !== undefined) return this.#far.poster.post(request, done);
    // What cannot be sent is told to whoever posts it, and not when its turn has come.
    if (request.headers !== undefined) checkedHeaders(request.headers);
    this.#queue.push({ request, done });
    this.#share();
  }

  withdraw(): void {
    this.#abandon(WITHDRAWN, (poster) => poster.withdraw());
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#abandon(CLOSED, (poster) => poster.close());
  }

  whenFailed(then: (error: Error) => void): void {
    this.#far.poster.whenFailed(then);
  }

  /** A connection that is free comes first, wherever it is; the thread's, since it costs this one least. */
  #share(): void {
    const near = this.#near;
    const far = this.#far;
    while (this.#queue.size > 0) {
      if (far.isFree) this.#give(far);
      else if (near.isFree) this.#give(near);
      else if (far.takesMore()) this.#give(far);
      else if (near.takesMore()) this.#give(near);
      else return;
    }
  }

  #give(side: Side<Sender | ThreadedSender>): void {
    const waiting = this.#queue.shift();
    if (waiting === undefined) return;
    const { request, done } = waiting;
    side.out++;
    side.poster.post(request, (exchange) => {
      side.out--;
      this.#share();
      done(exchange);
    });
  }

  /**
   * What waits here is taken first, or it would take the places of what the two give up. Then the thread is told, so that what
   * is posted while the other one gives up is not meant.
   */
  #abandon(error: string, giveUp: (poster: Sender | ThreadedSender) => void): void {
    const waiting: Waiting[] = [];
    for (let one = this.#queue.shift(); one !== undefined; one = this.#queue.shift()) waiting.push(one);
    giveUp(this.#far.poster);
    giveUp(this.#near.poster);
    for (const { done } of waiting) done(unsent(error));
  }
}

/** One of the two, and how much it has been given. */
class Side<T extends Sender | ThreadedSender> {
  readonly poster: T;
  /** Requests that it has and that are not answered. */
  out = 0;
  #isFilling = true;

  constructor(poster: T) {
    this.poster = poster;
  }

  /** Whether a connection of it has nothing to do. */
  get isFree(): boolean {
    return this.out < this.poster.connections;
  }

  /** Whether it takes more than its connections. When it is full, half of that goes first: what is given in one turn crosses as one. */
  takesMore(): boolean {
    const ahead = this.out - this.poster.connections;
    if (ahead >= AHEAD) this.#isFilling = false;
    else if (ahead <= AHEAD / 2) this.#isFilling = true;
    return this.#isFilling;
  }
}
