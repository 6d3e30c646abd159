/** What was measured, as numbers: latencies in histograms. Knows nothing of phones, clocks or files. */
export { Latency, type Percentiles } from "./latency.js";
