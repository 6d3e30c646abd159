import type { StatusSet } from "./preset.js";

/** Whether an HTTP status is in a set. */
export function statusIn(set: StatusSet, status: number): boolean {
  return set.listed.includes(status) || (status >= set.from && status < set.below);
}
