import assert from "node:assert/strict";
import { type AttemptOutcome, troubleCode } from "../measure/index.js";
import type { SimTime } from "../sim/index.js";
import { type ServicePreset, statusIn } from "../wire/index.js";
import type { Posting } from "./types.js";

/** Errors that the service sees as a timeout. */
const timeouts: ReadonlySet<string | null> = new Set([
  "ETIMEDOUT",
  troubleCode("answers-lost"),
  troubleCode("requests-lost"),
]);

/**
 * Outcome of a result under a preset. A status decides between accepted, retried, refused and failed; no status means a
 * timeout or a broken connection.
 *
 * @param attempt - `type`: of its event; `tryNumber`: from 1; from the last attempt on, a status to be retried means
 *   `failed`
 */
export function outcomeOf(
  { status, error }: { readonly status: number | null; readonly error: string | null },
  preset: ServicePreset,
  { type, tryNumber }: { readonly type: string; readonly tryNumber: number },
): AttemptOutcome {
  if (status === null) return timeouts.has(error) ? "timeout" : "connection";
  if (statusIn(preset.accepted, status)) return "accepted";
  if (!statusIn(preset.retried, status)) return "refused";
  return hasRetry(preset, type, tryNumber) ? "retried" : "failed";
}

/** Whether another attempt follows a failure of this one. @param type - of the event */
export function hasRetry(preset: ServicePreset, type: string, tryNumber: number): boolean {
  return tryNumber < preset.attempts && (type !== "flow" || preset.retriesFlows);
}

/** Virtual milliseconds from an attempt's due time to its retry. The preset's last wait repeats. */
export function retryWaitMs({ waitsMs }: ServicePreset, tryNumber: number): SimTime {
  return waitsMs[Math.min(tryNumber, waitsMs.length) - 1] ?? 0;
}

/** The shortest wait before any retry; Infinity where the preset makes one attempt only. */
export function shortestRetryWaitMs({ attempts, waitsMs }: ServicePreset): SimTime {
  if (attempts <= 1) return Infinity;
  return waitsMs.length === 0 ? 0 : Math.min(...waitsMs);
}

/** Sort key of effects at one instant: by channel, then by number within the channel. */
export function effectOrder({ channel, number }: Pick<Posting, "channel" | "number">): number {
  const order = channel * 0x1_0000_0000 + number;
  if (!Number.isSafeInteger(order) || number >= 0x1_0000_0000) {
    assert.fail(`event ${channel}/${number} is out of range: the number must be < 2^32, the channel < 2^21`);
  }
  return order;
}
