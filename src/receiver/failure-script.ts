import { createHash } from "node:crypto";

/** Failures that are foreseen: which status a request gets, or undefined for the usual answer. */
export interface FailureScript {
  /** Statuses in turn; after the last one the usual answer follows. */
  readonly statuses: readonly number[];
  /** Whether each event runs through the statuses on its own (by its tries), or all requests together. Default: event. */
  readonly per?: "event" | "request";
}

/**
 * Reads a script as flags have it: `500x2` is 500 twice, `500,404,200` one after the other, and both go together:
 * `500x2,200`.
 *
 * @returns undefined when it is not one; statuses are 200..599, repetitions 1..1000
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
 * A number in [0, 1) that a seed and a name determine: so what happens to a request does not depend on the order in
 * which requests come in.
 */
export function shareOf(seed: number, name: string): number {
  return createHash("sha256").update(`${seed}\u0000${name}`).digest().readUInt32BE(0) / 0x1_0000_0000;
}
