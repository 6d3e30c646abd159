/** Client thread: receives batches of requests, and returns batches of results. */
// Imported: the global `performance` is a getter, which costs as much as reading the clock.
import { performance } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";
import { allowedHosts } from "../hosts.js";
import { HttpClient } from "../client.js";
import { readRequest, writeResult } from "./exchange-messages.js";
import { type Batch, BatchReader, BatchWriter } from "./message-batch.js";
import { type ThreadCommand, sharedClockOffsetMs, type ClientThreadData } from "./thread-start.js";
import { warmUp } from "./warm-up.js";

/**
 * With `keepsTime`: how long results are collected. Each batch wakes the thread that posts, which would take the sender's
 * core thousands of times a second. Wall milliseconds.
 */
const RESULTS_EVERY_MS = 20;

function runClient(port: NonNullable<typeof parentPort>, start: ClientThreadData): void {
  const ownerOffsetMs = sharedClockOffsetMs() - start.ownerOffsetMs;
  const client = new HttpClient({
    ...start.options,
    isAllowed: allowedHosts(start.allowHosts),
    wall: () => performance.now() + ownerOffsetMs,
    originMs: start.originMs,
  });
  const requests = new BatchReader();
  const results = new BatchWriter();

  const sendResults = (): void => {
    if (results.isEmpty) return;
    const batch = results.takeBatch();
    port.postMessage(batch, [batch.bytes]);
  };
  port.on("message", (message: Batch | ThreadCommand) => {
    if (message === "withdraw") return client.withdrawUnsent();
    if (message === "close") {
      client.close();
      // After the results that `close` caused.
      setImmediate(() => {
        sendResults();
        port.close();
      });
      return;
    }
    requests.openBatch(message);
    while (!requests.isAtEnd) {
      const number = requests.readUint();
      client.post(readRequest(requests), (result) => {
        // One batch for all results of a turn of the event loop, or of a span.
        if (results.isEmpty) {
          if (start.keepsTime !== true) setImmediate(sendResults);
          else setTimeout(sendResults, RESULTS_EVERY_MS);
        }
        results.writeUint(number);
        writeResult(results, result);
      });
    }
  });
  port.postMessage("ready");
}

if (parentPort !== null) {
  const start = workerData as ClientThreadData;
  if (start.keepsTime === true) await warmUp();
  runClient(parentPort, start);
}
