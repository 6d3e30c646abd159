import type { Lab } from "../../lab/index.js";
import { type PartLoad, storedLatency } from "./part-status.js";

/** Period over which the rate of a run without a pace is measured. Wall milliseconds. */
const RATE_MS = 10_000;

/** Reads the load of a lab; a call takes about a millisecond. */
export function loadReader(lab: Lab): () => PartLoad {
  let counts: { readonly atMs: number; readonly answered: number }[] = [];
  return () => {
    const { gauge, ...progress } = lab.progress();
    const { delivery, lateness, seconds } = lab.pipeline.latencies();
    const now = { atMs: performance.now(), answered: progress.accepted + progress.failures };
    counts = [...counts.filter(({ atMs }) => now.atMs - atMs <= RATE_MS), now];
    const [first = now] = counts;
    const elapsed = Math.max(1, now.atMs - first.atMs) / 1000;
    return {
      atMs: progress.atMs,
      lastsMs: progress.lastsMs,
      events: progress.events,
      accepted: progress.accepted,
      failures: progress.failures,
      inFlight: progress.inFlight,
      retrying: progress.retrying,
      waitingOnPhones: progress.waitingOnPhones,
      due: gauge === undefined ? null : round(gauge.due),
      answered: round(gauge?.answered ?? (now.answered - first.answered) / elapsed),
      seconds,
      delivery: storedLatency(delivery),
      lateness: lateness && storedLatency(lateness),
    };
  };
}

function round(rate: number): number {
  return Math.round(rate * 10) / 10;
}
