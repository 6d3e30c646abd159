import fc from "fast-check";
import type { FormPair, KnownEvent } from "../../src/wire/index.js";

/** Any UTF-16 units: controls, every script, emoji, halves of surrogate pairs. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("", "💧", "\ud83d", "\udca7x", "a b+c%26&=:~*'()!"),
);

export const anyPairs: fc.Arbitrary<FormPair[]> = fc.array(fc.tuple(anyText, anyText));

/** Whole milliseconds between 2000 and 2100. */
const instant = fc.integer({ min: 946_684_800_000, max: 4_102_444_800_000 });
const id = fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER });

const channel = { relayer: id, relayerPhone: anyText };
const contact = { contact: anyText, contactName: anyText, urn: anyText };

const message = fc.record(
  {
    event: fc.constantFrom("mo_sms", "mt_sent", "mt_dlvd"),
    ...channel,
    sms: id,
    phone: anyText,
    text: anyText,
    status: anyText,
    direction: fc.constantFrom("I", "O"),
    time: instant,
    ...contact,
  },
  { requiredKeys: ["event", "relayer", "relayerPhone", "sms", "phone", "text", "status", "direction", "time"] },
);

const call = fc.record(
  {
    event: fc.constantFrom("mo_miss", "mo_call", "mt_call", "mt_miss"),
    ...channel,
    call: id,
    phone: anyText,
    time: instant,
    duration: fc.nat(),
    ...contact,
  },
  { requiredKeys: ["event", "relayer", "relayerPhone", "call", "phone", "time", "duration"] },
);

const alarm = fc.record({
  event: fc.constant("alarm"),
  ...channel,
  powerLevel: fc.integer({ min: -1, max: 100 }),
  powerStatus: fc.constantFrom("UNK", "CHA", "DIS", "NOT", "FUL"),
  powerSource: fc.constantFrom("AC", "USB", "WIR", "BAT"),
  networkType: anyText,
  pendingMessageCount: fc.nat(),
  retryMessageCount: fc.nat(),
  lastSeen: instant,
});

const flowValue = fc.record(
  {
    label: anyText,
    category: anyText,
    value: anyText,
    text: anyText,
    time: instant,
    node: anyText,
    ruleValue: anyText,
  },
  { requiredKeys: ["label", "category", "value", "text", "time"] },
);

const flowKeys = {
  event: fc.constant("flow"),
  ...channel,
  phone: anyText,
  flow: id,
  flowName: anyText,
  flowBaseLanguage: fc.oneof(fc.constantFrom("base", "eng"), fc.string()),
  step: anyText,
  values: fc.array(flowValue, { maxLength: 4 }),
} as const;
const flow = fc.record(
  {
    ...flowKeys,
    channelUuid: anyText,
    flowUuid: anyText,
    run: id,
    text: anyText,
    steps: anyText,
    time: instant,
    ...contact,
  },
  { requiredKeys: Object.keys(flowKeys) as (keyof typeof flowKeys)[] },
);

export const anyEvent: fc.Arbitrary<KnownEvent> = fc.oneof(message, call, alarm, flow) as fc.Arbitrary<KnownEvent>;
