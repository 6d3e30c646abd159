import { eventTypes } from "../../wire/index.js";
import { readEvent } from "../logbook/right-steps.js";
import type { LogbookEvent, LogbookSteps } from "../logbook/steps.js";
import type { ReceiverBug } from "./receiver-bug.js";

const types = "docs/reference/webhook.md#event-types";
const messages = "docs/reference/webhook.md#message-events";

const isKnownType = ({ type }: LogbookEvent): boolean => (eventTypes as readonly string[]).includes(type);

/** Every key that an event can have, in any spelling. */
const knownKeys = new Set(
  (
    "event relayer relayer_phone channel channel_phone channel_uuid sms call id phone text status direction time occurred_on " +
    "duration contact contact_name urn attachments power_level power_status power_source network_type battery unsent " +
    "pending_message_count retry_message_count last_seen flow flow_name flow_uuid flow_base_language step values steps run"
  ).split(" "),
);

/** Fails in the step `read` where an event meets a condition. */
function crashWhere(isBad: (event: LogbookEvent) => boolean, why: string) {
  return ({ read }: LogbookSteps): Partial<LogbookSteps> => ({
    read: (pairs) => {
      const event = read(pairs);
      if (isBad(event)) throw new TypeError(why);
      return event;
    },
  });
}

/** Bugs with types and fields that an event has, lacks or has beside the known ones. */
export const fieldBugs: readonly ReceiverBug[] = [
  {
    name: "unknown-type-500",
    story: "An event of a type that it does not know crashes it with 500.",
    source: types,
    change: crashWhere((event) => !isKnownType(event), "handlers[type] is not a function"),
  },
  {
    name: "unknown-type-400",
    story: "It answers an event of a type that it does not know with 400, so the service repeats it.",
    source: "docs/reference/webhook.md#receivers",
    change: ({ answer }) => ({
      answer: (outcome) => (isKnownType(outcome.event) ? answer(outcome) : { status: 400, body: "unknown event" }),
    }),
  },
  {
    name: "unknown-field-500",
    story: "A field that it does not know crashes it with 500.",
    source: messages,
    change: crashWhere(({ pairs }) => pairs.some(([key]) => !knownKeys.has(key)), "unexpected keyword argument"),
  },
  {
    name: "unknown-field-400",
    story: "It validates strictly and answers a body with a further field with 400.",
    source: messages,
    change: ({ admit, decode }) => ({
      admit: (request) =>
        decode(request).some(([key]) => !knownKeys.has(key))
          ? { status: 400, body: "additional properties are not allowed" }
          : admit(request),
    }),
  },
  {
    name: "missing-status-500",
    story: "A text without status and direction, which the samples lack, crashes it with 500.",
    source: messages,
    change: crashWhere(
      ({ type, field }) => /^m[ot]_(?:sms|sent|dlvd)$/.test(type) && field("status") === undefined,
      "cannot read properties of undefined (reading 'toUpperCase')",
    ),
  },
  {
    name: "missing-contact-name-500",
    story: "A contact without a name, whose field is left out, crashes it with 500.",
    source: messages,
    change: crashWhere(
      ({ field }) => field("contact") !== undefined && field("contact_name") === undefined,
      "cannot read properties of undefined (reading 'trim')",
    ),
  },
  {
    name: "type-by-position",
    story: "It takes the first pair of the body for the type, so another order of keys loses the event.",
    source: "docs/reference/webhook.md#key-order",
    change: () => ({
      read: (pairs) => {
        const [first] = pairs;
        if (first?.[0] !== "event") throw new TypeError(`no handler for '${first?.[0] ?? ""}'`);
        return readEvent(pairs);
      },
    }),
  },
  {
    name: "ids-32-bit",
    story: "An id above 2^31 crashes it with 500: its column holds 32 bits.",
    source: "docs/reference/webhook.md#value-types",
    change: crashWhere(({ id }) => Number(id) > 2_147_483_647, "integer out of range"),
  },
  {
    name: "name-as-number",
    story: "A sender that is a name, such as AIRTEL, crashes it with 500: it reads phones as numbers.",
    source: "docs/reference/webhook.md#value-types",
    change: crashWhere(({ phone }) => /[a-z]/i.test(phone), "cannot convert the phone to a number"),
  },
  {
    name: "short-code-500",
    story: "A sender that is a short code crashes it with 500: it asks for at least seven digits.",
    source: "docs/reference/webhook.md#value-types",
    change: crashWhere(({ phone }) => /^\d{3,6}$/.test(phone), "the string supplied is too short to be a phone number"),
  },
  {
    name: "withheld-crashes",
    story: "A call from a withheld number, whose phone is empty, crashes it with 500.",
    source: "docs/reference/handset.md#call-log",
    change: crashWhere(({ phone, type }) => /_(?:miss|call)$/.test(type) && phone === "", "index 0 out of range"),
  },
  {
    name: "no-mt-miss",
    story: "mt_miss, which phones rarely report, crashes it with 500.",
    source: types,
    change: crashWhere(({ type }) => type === "mt_miss", "no handler for mt_miss"),
  },
  {
    name: "huge-duration-500",
    story: "A call of more than 32,767 seconds crashes it with 500.",
    source: "docs/reference/webhook.md#call-events",
    change: crashWhere(({ duration }) => duration > 32_767, "smallint out of range"),
  },
  {
    name: "zero-duration-missed",
    story: "It takes an answered call of 0 seconds for a missed one.",
    source: "docs/reference/webhook.md#call-events",
    change: ({ read }) => ({
      read: (pairs) => {
        const event = read(pairs);
        const isShort = event.duration === 0 && (event.type === "mo_call" || event.type === "mt_call");
        return isShort ? { ...event, type: event.type.replace("call", "miss") } : event;
      },
    }),
  },
  {
    name: "wireless-power-500",
    story: "A phone on a wireless charger crashes it with 500: its list of power sources lacks it.",
    source: "docs/reference/webhook.md#alarm-events",
    change: crashWhere(
      ({ field }) => field("power_source")?.startsWith("WIR") === true,
      "WIRELESS is not a valid PowerSource",
    ),
  },
  {
    name: "unknown-network-500",
    story: "A network type that is newer than its list crashes it with 500.",
    source: "docs/reference/webhook.md#alarm-events",
    change: crashWhere(
      ({ field }) => !["WIFI", "NONE", "GPRS", "EDGE", "UMTS", "HSPA", "LTE"].includes(field("network_type") ?? "NONE"),
      "unknown network",
    ),
  },
  {
    name: "unknown-battery-500",
    story: "A battery level of -1, which means unknown, crashes it with 500.",
    source: "docs/reference/handset.md#status-report",
    change: crashWhere(
      ({ field, type }) => type === "alarm" && Number(field("power_level") ?? field("battery")) < 0,
      "violates check constraint",
    ),
  },
  {
    name: "alarm-needs-all",
    story: "An alarm without power status and source, which the sample lacks, crashes it with 500.",
    source: "docs/reference/webhook.md#alarm-events",
    change: crashWhere(
      ({ field, type }) => type === "alarm" && (field("power_status") ?? field("power_source")) === undefined,
      "KeyError: 'power_status'",
    ),
  },
  {
    name: "flow-empty-crashes",
    story: "A flow event with no values crashes it with 500: it reads the last one.",
    source: "docs/reference/webhook.md#flow-values",
    change: crashWhere(({ type, field }) => type === "flow" && field("values") === "[]", "list index out of range"),
  },
  {
    name: "flow-category-map-crashes",
    story: "A flow value whose category is an object by language crashes it with 500.",
    source: "docs/reference/webhook.md#flow-values",
    change: crashWhere(
      ({ type, field }) => type === "flow" && /"category":\s*\{/.test(field("values") ?? ""),
      "category.toLowerCase is not a function",
    ),
  },
  {
    name: "flow-number-crashes",
    story: "A flow value that is a number or null, not a text, crashes it with 500.",
    source: "docs/reference/webhook.md#flow-values",
    change: crashWhere(
      ({ type, field }) => type === "flow" && /"value":\s*(?:-?\d|null|true|false)/.test(field("values") ?? ""),
      "value.trim is not a function",
    ),
  },
  {
    name: "flow-too-large",
    story: "It refuses bodies of more than 16 KB with 413, so a long flow loses its events.",
    source: "docs/reference/webhook.md#encoding",
    change: ({ admit }) => ({
      admit: (request) =>
        request.body.length > 16_384 ? { status: 413, body: "request entity too large" } : admit(request),
    }),
  },
];
