/** The kernel: clock, event queue, timers, random streams, distributions. Knows nothing of phones. */
export { Kernel, type SimTime, type Timer } from "./kernel.js";
export { Stream, Streams } from "./stream.js";
export { type Distribution, fixed, lowerBound, sample, sampleWhole } from "./distribution.js";
export { type FakeFault, type Fakes, findFakeFaults, prepareFakes, type WantedFake } from "./fake.js";
