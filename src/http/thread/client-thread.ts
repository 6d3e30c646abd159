/** The thread that sends: takes parcels of requests, and gives back parcels of what came of them. */
// The global one is looked up anew at each call, which takes as long as the clock itself.
import { performance } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";
import { allowedHosts } from "../hosts.js";
import { HttpClient } from "../client.js";
import { readRequest, writeResult } from "./exchange-messages.js";
import { type Batch, BatchReader, BatchWriter } from "./message-batch.js";
import { type ThreadCommand, sharedClockOffsetMs, type ClientThreadData } from "./thread-start.js";

function runClient(port: NonNullable<typeof parentPort>, start: ClientThreadData): void {
  const ownerAheadMs = sharedClockOffsetMs() - start.ownerOffsetMs;
  const sender = new HttpClient({
    ...start.options,
    isAllowed: allowedHosts(start.allowHosts),
    wall: () => performance.now() + ownerAheadMs,
    originMs: start.originMs,
  });
  const requests = new BatchReader();
  const answers = new BatchWriter();

  const giveBack = (): void => {
    const parcel = answers.takeBatch();
    port.postMessage(parcel, [parcel.bytes]);
  };
  port.on("message", (message: Batch | ThreadCommand) => {
    if (message === "withdraw") return sender.withdrawUnsent();
    if (message === "close") {
      sender.close();
      // After what came of that.
      setImmediate(() => port.close());
      return;
    }
    requests.openBatch(message);
    while (!requests.isAtEnd) {
      const number = requests.readUint();
      sender.post(readRequest(requests), (exchange) => {
        // All that is answered in one turn of the loop goes back together.
        if (answers.isEmpty) setImmediate(giveBack);
        answers.writeUint(number);
        writeResult(answers, exchange);
      });
    }
  });
  port.postMessage("ready");
}

if (parentPort !== null) runClient(parentPort, workerData as ClientThreadData);
