/** Choices that the knobs of one handset and the actions on many share. */

/** Durations of a change, as scenarios write them; empty: until the next change. */
export const lastingSpans = [
  { value: "", label: "until changed" },
  { value: "1m", label: "for 1 min" },
  { value: "10m", label: "for 10 min" },
  { value: "40m", label: "for 40 min" },
  { value: "2h", label: "for 2 h" },
] as const;

export type LastingSpan = (typeof lastingSpans)[number]["value"];

/** `for 10 min`; empty: until the next change. */
export function lastingWords(span: LastingSpan): string {
  return span === "" ? "" : (lastingSpans.find(({ value }) => value === span)?.label ?? "");
}

/** States of a handset's SMS service. */
export const smsStates: readonly { readonly value: string; readonly label: string }[] = [
  { value: "ok", label: "Texts are sent" },
  { value: "no-service", label: "No service" },
  { value: "radio-off", label: "Radio off" },
  { value: "generic-failure", label: "Sending fails" },
  { value: "limit", label: "Over the send limit" },
  { value: "silent", label: "Sends, never answers" },
  { value: "swallows", label: "Never sends, never answers" },
];
