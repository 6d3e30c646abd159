import { type BodyField, type BodyPlan, bodyPlan, HEAD_CACHE_SIZE } from "./body-plan.js";
import { isKnownEvent, type KnownEvent, type ServiceEvent } from "./event.js";
import { encodeForm } from "../text/form.js";
import type { Spelling } from "../presets/preset.js";

/** The spelling of an event's body. */
export interface EncodeOptions {
  readonly spelling: Spelling;
  /**
   * Whether the `sample` spelling carries `status` and `direction`; default false
   * (docs/reference/webhook.md#message-events).
   */
  readonly sampleStatus?: boolean;
}

/**
 * The body of an event as it is posted: form-encoded, keys in the order of the reference's tables or samples, fields
 * that are absent left out. Any text can be encoded; a lone surrogate becomes U+FFFD.
 *
 * @throws RangeError when a time is not a number in the years 0000 to 9999
 */
export function encodeEvent(event: ServiceEvent, { spelling, sampleStatus }: EncodeOptions): string {
  if (!isKnownEvent(event)) return encodeForm(event.pairs);
  const plan = bodyPlan(event.event, spelling === "sample" && sampleStatus === true ? "sample-with-status" : spelling);
  const values = fieldsOf(event);
  let body = cachedHead(plan, event);
  for (const field of plan.fields) {
    const value = values[field.property];
    if (value === undefined || value === null) continue;
    // Successive events often repeat a value (status, direction, text), so the last encoding is reused.
    if (value === field.lastText) body += field.lastPairs ??= pairsOf(field, value, event);
    else {
      body += pairsOf(field, value, event);
      if (typeof value !== "string") continue;
      field.lastText = value;
      field.lastPairs = undefined;
    }
  }
  return body;
}

/** The encoded head of an event's type and channel, from the cache if it is there. */
function cachedHead({ head, heads }: BodyPlan, event: KnownEvent): string {
  const { relayer, relayerPhone } = event;
  const index = relayer & (HEAD_CACHE_SIZE - 1);
  const cached = heads[index];
  if (cached?.relayer === relayer && cached.relayerPhone === relayerPhone) return cached.text;
  let pairs = "";
  for (const { prefix, property, writeInForm } of head) pairs += prefix + writeInForm(fieldsOf(event)[property], event);
  // Each prefix begins with "&".
  const text = pairs.slice(1);
  heads[index] = { relayer, relayerPhone, text };
  return text;
}

function pairsOf({ prefixes, write }: BodyField, value: unknown, event: KnownEvent): string {
  const written = write(value, event);
  let pairs = "";
  for (const prefix of prefixes) pairs += prefix + written;
  return pairs;
}

function fieldsOf(event: KnownEvent): Readonly<Record<string, unknown>> {
  return event as unknown as Readonly<Record<string, unknown>>;
}
