import { createHash } from "node:crypto";

/** A fixed sequence of statuses to answer with. */
export interface FailureScript {
  /** Statuses in order; after the last one the usual answers follow. */
  readonly statuses: readonly number[];
  /** `event`: the position is the number of deliveries of the event; `request`: of all requests. Default: event. */
  readonly per?: "event" | "request";
}

/**
 * Parses the value of a flag: `500x2` is 500 twice, `500,404,200` is a sequence; both combine: `500x2,200`.
 *
 * @returns undefined for any other text; statuses are 200..599, repetitions 1..1000
 */
export function parseFailureScript(text: string): readonly number[] | undefined {
  const statuses: number[] = [];
  for (const part of text.split(",")) {
    const match = /^([2-5]\d\d)(?:x(\d{1,4}))?$/.exec(part.trim());
    const times = Number(match?.[2] ?? 1);
    if (match === null || times < 1 || times > 1000) return undefined;
    for (let count = 0; count < times; count++) statuses.push(Number(match[1]));
  }
  return statuses;
}

/**
 * A number in [0, 1) determined by seed and name, so the outcome of a request does not depend on the order of requests.
 */
export function shareOf(seed: number, name: string): number {
  return createHash("sha256").update(`${seed}\u0000${name}`).digest().readUInt32BE(0) / 0x1_0000_0000;
}
