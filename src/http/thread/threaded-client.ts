import { performance } from "node:perf_hooks";
import type { Worker } from "node:worker_threads";
import { startWorker } from "../../base/index.js";
import { Fifo } from "../fifo.js";
import { checkMethod } from "../message/method.js";
import { checkHeaders } from "../message/request.js";
import type { HttpSender, HttpRequest, ThreadedHttpSender } from "../http-sender.js";
import { CLOSED, HttpClient } from "../client.js";
import { type HttpResult, unsentResult } from "../http-result.js";
import { readResult, writeRequest } from "./exchange-messages.js";
import { type Batch, BatchReader, BatchWriter } from "./message-batch.js";
import { type ThreadCommand, sharedClockOffsetMs, type ClientThreadData, type ThreadOptions } from "./thread-start.js";

type OnResult = (result: HttpResult) => void;

/**
 * An `HttpClient` in a separate thread, so that requests leave on time while the calling thread is busy. Requests of
 * one turn of the event loop cross as one batch; so do results.
 */
export class ThreadedHttpClient implements ThreadedHttpSender {
  readonly connections: number;
  readonly originMs: number;
  readonly #worker: Worker;
  readonly #requests = new BatchWriter();
  readonly #results = new BatchReader();
  /** Callbacks of requests in flight, by request number; undefined for free numbers. */
  readonly #waiting: (OnResult | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  /** Due times, in order, without those that had passed when `notDue` was last read. */
  readonly #dueTimes = new Fifo<number>();
  #onFailed: ((error: Error) => void) | undefined;
  #failure: Error | undefined;
  #isClosed = false;

  private constructor(worker: Worker, { connections, originMs }: Pick<HttpSender, "connections" | "originMs">) {
    this.#worker = worker;
    this.connections = connections;
    this.originMs = originMs;
    worker.on("message", (batch: Batch) => this.#onResults(batch));
    worker.on("error", (error) => this.#onFailure(error));
    worker.on("exit", () => this.#onFailure(new Error("the thread that sends requests ended unexpectedly")));
  }

  /**
   * Starts the thread.
   *
   * @param options - as in `HttpClient`
   * @throws RangeError as `HttpClient` does
   */
  static async start(
    options: ClientThreadData["options"],
    { allowHosts, keepsTime }: ThreadOptions,
  ): Promise<ThreadedHttpClient> {
    // Checks the options here: an error in the thread would not reach the caller.
    const { connections } = new HttpClient(options);
    const originMs = performance.now();
    const workerData: ClientThreadData = {
      options,
      allowHosts,
      originMs,
      ownerOffsetMs: sharedClockOffsetMs(),
      keepsTime,
    };
    const worker = await startWorker({
      module: "http/thread/client-thread.js",
      workerData,
      name: "the thread that sends requests",
    });
    return new ThreadedHttpClient(worker, { connections, originMs });
  }

  get waitingForConnection(): number {
    return Math.max(0, this.#waiting.length - this.#freeNumbers.length - this.notDue - this.connections);
  }

  /** Counted by this thread's clock: the other thread is not asked. */
  get notDue(): number {
    const notDue = this.#dueTimes;
    const nowMs = performance.now();
    while (notDue.first !== undefined && notDue.first <= nowMs) notDue.shift();
    return notDue.size;
  }

  post(request: HttpRequest, done: OnResult): void {
    if (this.#isClosed) {
      process.nextTick(() => done(unsentResult(CLOSED)));
      return;
    }
    const { method, headers, notBeforeMs } = request;
    if (method !== undefined) checkMethod(method);
    const checked = headers === undefined ? request : { ...request, headers: checkHeaders(headers) };
    if (this.#requests.isEmpty) queueMicrotask(() => this.#sendBatch());
    const number = this.#freeNumbers.pop() ?? this.#waiting.length;
    this.#waiting[number] = done;
    if (notBeforeMs !== undefined) this.#addDueTime(notBeforeMs);
    this.#requests.writeUint(number);
    writeRequest(this.#requests, checked);
  }

  withdrawUnsent(): void {
    this.#sendBatch();
    while (this.#dueTimes.size > 0) this.#dueTimes.shift();
    this.#sendCommand("withdraw");
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sendBatch();
    this.#sendCommand("close");
    // The process need not stay alive until the thread has closed.
    this.#worker.unref();
  }

  whenFailed(then: (error: Error) => void): void {
    this.#onFailed = then;
    if (this.#failure !== undefined) then(this.#failure);
  }

  #addDueTime(notBeforeMs: number): void {
    this.#dueTimes.insert(notBeforeMs, (other) => other > notBeforeMs);
    // Drops due times that have passed, so that the queue does not grow when `notDue` is not read.
    void this.notDue;
  }

  #sendBatch(): void {
    if (this.#requests.isEmpty) return;
    const batch = this.#requests.takeBatch();
    this.#worker.postMessage(batch, [batch.bytes]);
  }

  #sendCommand(command: ThreadCommand): void {
    this.#worker.postMessage(command);
  }

  #onResults(batch: Batch): void {
    const results = this.#results;
    results.openBatch(batch);
    while (!results.isAtEnd) {
      const number = results.readUint();
      const result = readResult(results);
      const done = this.#waiting[number];
      this.#waiting[number] = undefined;
      this.#freeNumbers.push(number);
      done?.(result);
    }
  }

  #onFailure(error: Error): void {
    if (this.#isClosed || this.#failure !== undefined) return;
    this.#failure = error;
    this.#onFailed?.(error);
  }
}
