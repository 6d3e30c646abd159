import { type BodyField, type BodyPlan, bodyPlan, KEPT_HEADS } from "./body-plan.js";
import { isKnownEvent, type KnownEvent, type ServiceEvent } from "./event.js";
import { encodeForm } from "../text/form.js";
import type { Spelling } from "../presets/preset.js";

/** How the body of an event is spelled. */
export interface EncodeOptions {
  readonly spelling: Spelling;
  /** Whether the `sample` spelling carries `status` and `direction`; default false (webhook.md 2). */
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
  let body = headOf(plan, event);
  for (const field of plan.fields) {
    const value = values[field.property];
    if (value === undefined || value === null) continue;
    // Neighbours often say the same: a status, a direction, the words of a text.
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

/** What stands first in a body and is the same in all events of its type and channel: kept from event to event. */
function headOf({ head, heads }: BodyPlan, event: KnownEvent): string {
  const { relayer, relayerPhone } = event;
  const place = relayer & (KEPT_HEADS - 1);
  const kept = heads[place];
  if (kept?.relayer === relayer && kept.relayerPhone === relayerPhone) return kept.text;
  let pairs = "";
  for (const { prefix, property, writeInForm } of head) pairs += prefix + writeInForm(fieldsOf(event)[property], event);
  // Each prefix begins with "&".
  const text = pairs.slice(1);
  heads[place] = { relayer, relayerPhone, text };
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
