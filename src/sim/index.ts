/** The discrete-event kernel: virtual clock, timer queue, random streams, distributions. Knows nothing of phones. */
export { Kernel } from "./kernel.js";
export type { SimTime, Timer } from "./timer-queue.js";
export { firstIndexWhere, lastIndexWhere } from "./search.js";
export { Stream, Streams } from "./stream.js";
export { type Distribution, fixed, lowerBound, sample, sampleSigned, sampleWhole, upperBound } from "./distribution.js";
export { type Fakes, findFakeFaults, prepareFakes, type WantedFake } from "./fake.js";
