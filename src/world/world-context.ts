import type { Fakes, Kernel, SimTime, Stream, Streams } from "../sim/index.js";
import type { Tally } from "../wire/index.js";
import type { WorldPorts } from "./ports.js";

/** What everything in one world shares. */
export interface WorldContext {
  readonly kernel: Kernel;
  readonly streams: Streams;
  readonly fakes: Fakes;
  readonly tally: Tally;
  readonly ports: WorldPorts;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** Where the kernel's clock stood when this world came into being: 0, or where one that was played before goes on. */
  readonly continuedFromMs: SimTime;
}

/**
 * The stream of a phone or a person. A world that goes on at a later instant draws from other streams than the one
 * before it, or people would say again what they have said.
 */
export function streamOf({ streams, continuedFromMs: begunAtMs }: WorldContext, name: string): Stream {
  return streams.get(begunAtMs === 0 ? name : `${name}/from/${begunAtMs}`);
}
