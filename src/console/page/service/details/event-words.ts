import { baseText } from "../base-text.js";
import type { RecordOf } from "../../../protocol/index.js";

/** Time and action of a campaign's event: `2 days after Due date, at 9:00: starts Visit`. */
export function eventWords(event: RecordOf<"campaign_events">): string {
  return `${whenWords(event)}: ${whatWords(event)}`;
}

/** `2 days after Due date, at 9:00` */
export function whenWords({
  offset,
  unit,
  relative_to: field,
  delivery_hour: hour,
}: RecordOf<"campaign_events">): string {
  const amount = Math.abs(offset);
  const span = `${amount} ${amount === 1 ? unit.replace(/s$/, "") : unit}`;
  const when = offset === 0 ? `On ${field.label}` : `${span} ${offset < 0 ? "before" : "after"} ${field.label}`;
  return hour < 0 ? when : `${when}, at ${hour}:00`;
}

/** `starts Visit`, `says “Today.”` */
export function whatWords({ flow, message }: RecordOf<"campaign_events">): string {
  return flow === null ? `says “${baseText(message ?? {})}”` : `starts ${flow.name}`;
}
