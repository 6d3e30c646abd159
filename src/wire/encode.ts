import { bodyPlan } from "./body-plan.js";
import { isKnownEvent, type ServiceEvent } from "./event.js";
import { encodeForm, escapeForm } from "./form.js";
import type { Spelling } from "./preset.js";

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
  const form = spelling === "sample" && sampleStatus === true ? "sample-with-status" : spelling;
  const properties = event as unknown as Readonly<Record<string, unknown>>;
  let body = "";
  let lastProperty = "";
  let written = "";
  for (const step of bodyPlan(event.event, form)) {
    const value = properties[step.property];
    if (value === undefined || value === null) continue;
    // A field that stands under two names has them side by side.
    if (step.property !== lastProperty) {
      written = step.write(value, event);
      if (!step.isPlain) written = escapeForm(written);
      lastProperty = step.property;
    }
    body += step.prefix + written;
  }
  // Each prefix begins with "&", because which pair is the first depends on what is absent.
  return body.slice(1);
}
