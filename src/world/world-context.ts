import type { Fakes, Kernel, SimTime, Stream, Streams } from "../sim/index.js";
import type { Tally } from "../wire/index.js";
import type { WorldPorts } from "./ports.js";

/** What all objects of one world share. */
export interface WorldContext {
  readonly kernel: Kernel;
  readonly streams: Streams;
  readonly fakes: Fakes;
  readonly tally: Tally;
  readonly ports: WorldPorts;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** The kernel's time at the start of this world: 0, or where a served database is continued. */
  readonly continuedFromMs: SimTime;
}

/**
 * The random stream of a phone or a person. A continued world uses other streams than the one before it, so people do
 * not repeat what they have said.
 */
export function streamOf({ streams, continuedFromMs: begunAtMs }: WorldContext, name: string): Stream {
  return streams.get(begunAtMs === 0 ? name : `${name}/from/${begunAtMs}`);
}
