/** The thread that sends: takes parcels of requests, and gives back parcels of what came of them. */
// The global one is looked up anew at each call, which takes as long as the clock itself.
import { performance } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";
import { allowedHosts } from "../hosts.js";
import { Sender } from "../client.js";
import { readRequest, writeExchange } from "./exchange-messages.js";
import { type Parcel, ParcelReader, ParcelWriter } from "./message-batch.js";
import { type Order, sharedAheadMs, type ThreadStart } from "./thread-start.js";

function send(port: NonNullable<typeof parentPort>, start: ThreadStart): void {
  const ownerAheadMs = sharedAheadMs() - start.ownerSharedAheadMs;
  const sender = new Sender({
    ...start.options,
    isAllowed: allowedHosts(start.allowHosts),
    wall: () => performance.now() + ownerAheadMs,
    bornMs: start.bornMs,
  });
  const requests = new ParcelReader();
  const answers = new ParcelWriter();

  const giveBack = (): void => {
    const parcel = answers.take();
    port.postMessage(parcel, [parcel.bytes]);
  };
  port.on("message", (message: Parcel | Order) => {
    if (message === "withdraw") return sender.withdraw();
    if (message === "close") {
      sender.close();
      // After what came of that.
      setImmediate(() => port.close());
      return;
    }
    requests.open(message);
    while (!requests.isAtEnd) {
      const number = requests.uint();
      sender.post(readRequest(requests), (exchange) => {
        // All that is answered in one turn of the loop goes back together.
        if (answers.isEmpty) setImmediate(giveBack);
        answers.uint(number);
        writeExchange(answers, exchange);
      });
    }
  });
  port.postMessage("ready");
}

if (parentPort !== null) send(parentPort, workerData as ThreadStart);
