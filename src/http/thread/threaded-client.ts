import { performance } from "node:perf_hooks";
import type { Worker } from "node:worker_threads";
import { startWorker } from "../../base/index.js";
import { Fifo } from "../fifo.js";
import { checkedHeaders } from "../message/request.js";
import type { Poster, PostRequest, ThreadedPoster } from "../http-sender.js";
import { CLOSED, Sender } from "../client.js";
import { type Exchange, unsent } from "../http-result.js";
import { readExchange, writeRequest } from "./exchange-messages.js";
import { type Parcel, ParcelReader, ParcelWriter } from "./message-batch.js";
import { type Order, sharedAheadMs, type ThreadStart } from "./thread-start.js";

type Done = (exchange: Exchange) => void;

/**
 * A `Sender` in a thread of its own, so that the caller's has time for its phones, and requests leave on time while it is
 * busy. What is posted in one turn of the loop, and what is answered in one, crosses in one piece.
 */
export class ThreadedSender implements ThreadedPoster {
  readonly connections: number;
  readonly bornMs: number;
  readonly #worker: Worker;
  readonly #requests = new ParcelWriter();
  readonly #answers = new ParcelReader();
  /** Who waits for an answer, by the request's number; those of free numbers are undefined. */
  readonly #waiting: (Done | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  /** The instants of those that were not due when they were last looked at, in order. */
  readonly #notDue = new Fifo<number>();
  #failed: ((error: Error) => void) | undefined;
  #failure: Error | undefined;
  #isClosed = false;

  private constructor(worker: Worker, { connections, bornMs }: Pick<Poster, "connections" | "bornMs">) {
    this.#worker = worker;
    this.connections = connections;
    this.bornMs = bornMs;
    worker.on("message", (parcel: Parcel) => this.#onAnswers(parcel));
    worker.on("error", (error) => this.#onFailure(error));
    worker.on("exit", () => this.#onFailure(new Error("the thread that sends requests has ended without a word")));
  }

  /**
   * Starts the thread.
   *
   * @param options - as of `Sender`; `allowHosts`: as of `allowedHosts`
   * @throws RangeError as `Sender` does
   */
  static async start(
    options: ThreadStart["options"],
    { allowHosts }: Pick<ThreadStart, "allowHosts">,
  ): Promise<ThreadedSender> {
    // What is wrong with the options is told here, and not in the thread.
    const { connections } = new Sender(options);
    const bornMs = performance.now();
    const workerData: ThreadStart = { options, allowHosts, bornMs, ownerSharedAheadMs: sharedAheadMs() };
    const worker = await startWorker({
      from: import.meta.url,
      file: "client-thread.js",
      workerData,
      name: "the thread that sends requests",
    });
    return new ThreadedSender(worker, { connections, bornMs });
  }

  get queued(): number {
    return Math.max(0, this.#waiting.length - this.#freeNumbers.length - this.held - this.connections);
  }

  /** The thread lets each go at its instant, and is not asked. */
  get held(): number {
    const notDue = this.#notDue;
    const nowMs = performance.now();
    while (notDue.first !== undefined && notDue.first <= nowMs) notDue.shift();
    return notDue.size;
  }

  post(request: PostRequest, done: Done): void {
    if (this.#isClosed) {
      process.nextTick(() => done(unsent(CLOSED)));
      return;
    }
    const { headers, notBeforeMs } = request;
    const checked = headers === undefined ? request : { ...request, headers: checkedHeaders(headers) };
    if (this.#requests.isEmpty) queueMicrotask(() => this.#handOver());
    const number = this.#freeNumbers.pop() ?? this.#waiting.length;
    this.#waiting[number] = done;
    if (notBeforeMs !== undefined) this.#hold(notBeforeMs);
    this.#requests.uint(number);
    writeRequest(this.#requests, checked);
  }

  withdraw(): void {
    this.#handOver();
    while (this.#notDue.size > 0) this.#notDue.shift();
    this.#tell("withdraw");
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#handOver();
    this.#tell("close");
    // Nobody waits any more for what the thread is still closing.
    this.#worker.unref();
  }

  whenFailed(then: (error: Error) => void): void {
    this.#failed = then;
    if (this.#failure !== undefined) then(this.#failure);
  }

  #hold(notBeforeMs: number): void {
    this.#notDue.insert(notBeforeMs, (other) => other > notBeforeMs);
    // Whether anybody asks or not: those that are due must not pile up.
    void this.held;
  }

  #handOver(): void {
    if (this.#requests.isEmpty) return;
    const parcel = this.#requests.take();
    this.#worker.postMessage(parcel, [parcel.bytes]);
  }

  #tell(order: Order): void {
    this.#worker.postMessage(order);
  }

  #onAnswers(parcel: Parcel): void {
    const answers = this.#answers;
    answers.open(parcel);
    while (!answers.isAtEnd) {
      const number = answers.uint();
      const exchange = readExchange(answers);
      const done = this.#waiting[number];
      this.#waiting[number] = undefined;
      this.#freeNumbers.push(number);
      done?.(exchange);
    }
  }

  #onFailure(error: Error): void {
    if (this.#isClosed || this.#failure !== undefined) return;
    this.#failure = error;
    this.#failed?.(error);
  }
}
