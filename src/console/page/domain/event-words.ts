/** Words for the types of events. */
interface TypeWords {
  /** `Text in`: in a table or a filter. */
  readonly label: string;
  readonly one: string;
  readonly many: string;
}

/** By type, in the order of the filter. */
export const eventTypeWords: Readonly<Record<string, TypeWords>> = {
  mo_sms: { label: "Text in", one: "text", many: "texts" },
  mt_sent: { label: "Sent", one: "message sent", many: "messages sent" },
  mt_dlvd: { label: "Delivered", one: "message delivered", many: "messages delivered" },
  mt_fail: { label: "Not sent", one: "message that could not be sent", many: "messages that could not be sent" },
  mo_call: { label: "Call in", one: "answered call", many: "answered calls" },
  mo_miss: { label: "Missed call", one: "missed call", many: "missed calls" },
  mt_call: { label: "Call out", one: "call out", many: "calls out" },
  mt_miss: { label: "Call out, missed", one: "call out that nobody answered", many: "calls out that nobody answered" },
  alarm: { label: "Alarm", one: "alarm", many: "alarms" },
  flow: { label: "Flow", one: "event of a flow", many: "events of flows" },
};

/** `Text in` for `mo_sms`; the code itself for a type without words. */
export function eventLabel(type: string): string {
  return eventTypeWords[type]?.label ?? type;
}
