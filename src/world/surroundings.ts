import type { Fakes, Kernel, Streams } from "../sim/index.js";
import type { Tally } from "../wire/index.js";
import type { WorldPorts } from "./ports.js";

/** What everything in one world shares. */
export interface Surroundings {
  readonly kernel: Kernel;
  readonly streams: Streams;
  readonly fakes: Fakes;
  readonly tally: Tally;
  readonly ports: WorldPorts;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
}
