import { Recovery } from "../../src/study/recovery.js";
import type { QueueModel } from "./virtual-receivers.js";

/** A clock that stands still until somebody lets time pass. Milliseconds. */
export interface VirtualClock {
  nowMs(): number;
  passTime(ms: number): void;
}

/** The product's recovery, with probes that a simulated receiver answers on a virtual clock. */
export function virtualRecovery(model: QueueModel, clock: VirtualClock): Recovery {
  return new Recovery({
    url: "http://127.0.0.1/",
    probes: {
      async sendTogether(count) {
        const spans = Array.from({ length: count }, () => model.answerAt(clock.nowMs()) - clock.nowMs());
        clock.passTime(Math.max(...spans));
        return spans;
      },
      nowMs: () => clock.nowMs(),
      sleep: async (ms) => clock.passTime(ms),
    },
    allowHosts: [],
    coolDownMs: 500,
    patienceMs: 60_000,
  });
}
