import { encodeForm, type FormPair, parseForm } from "../../../wire/index.js";
import type { AuditTrial } from "../trial.js";
import { variantTrial } from "../variant.js";

const types = "docs/reference/webhook.md#event-types";
const messages = "docs/reference/webhook.md#message-events";
const calls = "docs/reference/webhook.md#call-events";
const alarms = "docs/reference/webhook.md#alarm-events";
const flows = "docs/reference/webhook.md#flow-values";
const values = "docs/reference/webhook.md#value-types";

const lost = "The service repeats an event that fails three times, then gives it up.";

function pairsOf(change: (pairs: FormPair[]) => readonly FormPair[]): (body: string) => string {
  return (body) => encodeForm(change(parseForm(body)));
}

const without = (...keys: string[]): ((body: string) => string) =>
  pairsOf((pairs) => pairs.filter(([key]) => !keys.includes(key)));

const withFields = (...fields: FormPair[]): ((body: string) => string) =>
  pairsOf((pairs) => [...pairs.filter(([key]) => !fields.some(([name]) => name === key)), ...fields]);

const flowValue = (value: unknown): string =>
  JSON.stringify([{ label: "Age", category: "Number", value, text: "15", time: "2026-03-02T08:15:04.250" }]);

/** Types and fields that are new, absent, or have values at the edge of what the contract allows. */
export const fieldTrials: readonly AuditTrial[] = [
  variantTrial(
    {
      id: "unknown-type",
      title: "An event of an unknown type crashes the receiver",
      severity: "medium",
      why: `The list of types may grow: mt_fail came without notice. ${lost}`,
      field: types,
      about:
        "an event of a type that nobody knows, with the fields of a text: a receiver may ignore or refuse it, and must not fail",
    },
    {
      type: "mo_sms",
      rewrite: withFields(["event", "mo_telegram"]),
      refusal: "observed",
      keeps: () => "nothing",
    },
  ),
  variantTrial(
    {
      id: "unknown-type-bare",
      title: "An event of an unknown type with few fields crashes the receiver",
      severity: "medium",
      why: `The list of types may grow. ${lost}`,
      field: types,
      about:
        "an event of a type that nobody knows, without text and time: a receiver may ignore or refuse it, and must not fail",
    },
    {
      type: "mo_sms",
      rewrite: pairsOf((pairs) => [["event", "mo_fax"], ...pairs.filter(([key]) => /^relayer|^channel/.test(key))]),
      refusal: "observed",
      keeps: () => "nothing",
    },
  ),
  variantTrial(
    {
      id: "unknown-field",
      title: "A text with an unknown field is not accepted",
      severity: "high",
      why: `Services add fields: contact, urn and attachments came so. ${lost}`,
      field: messages,
      about: "a text with two fields more: it must be accepted as without them",
    },
    {
      type: "mo_sms",
      rewrite: withFields(["organization_tier", "gold"], ["tags", "a"]),
      refusal: "fault",
      keeps: () => "person",
    },
  ),
  variantTrial(
    {
      id: "unknown-field-call",
      title: "A call with an unknown field is not accepted",
      severity: "medium",
      why: `Services add fields. ${lost}`,
      field: calls,
      about: "a missed call with a field more: it must be accepted as without it",
    },
    { type: "mo_miss", rewrite: withFields(["ring_count", "3"]), refusal: "fault", keeps: () => "person" },
  ),
  variantTrial(
    {
      id: "contact-fields",
      title: "A text with the contact's fields is not accepted",
      severity: "medium",
      why: "Real services send contact and urn; the name is left out while the contact has none.",
      field: messages,
      about: "a text with contact and urn and without contact_name: it must be accepted",
    },
    {
      type: "mo_sms",
      rewrite: withFields(["contact", "0c2b2a5e-6f3d-4d0c-9a51-0f6f4a5f1c11"], ["urn", "tel:+250780000001"]),
      refusal: "fault",
      keeps: () => "person",
    },
  ),
  variantTrial(
    {
      id: "missing-status",
      title: "A text without status and direction crashes the receiver",
      severity: "medium",
      why: "The samples of the documentation lack both fields.",
      field: messages,
      about: "a text without status and direction: it must not crash the receiver",
    },
    { type: "mo_sms", rewrite: without("status", "direction"), refusal: "observed", keeps: () => "person" },
  ),
  variantTrial(
    {
      id: "missing-status-report",
      title: "A report without status and direction crashes the receiver",
      severity: "medium",
      why: "The samples of the documentation lack both fields.",
      field: messages,
      about: "mt_sent without status and direction: it must not crash the receiver",
    },
    { type: "mt_sent", rewrite: without("status", "direction"), refusal: "observed", keeps: () => "person" },
  ),
  variantTrial(
    {
      id: "missing-alarm-fields",
      title: "An alarm without power status and source crashes the receiver",
      severity: "medium",
      why: "The documentation's sample of an alarm lacks them.",
      field: alarms,
      about: "an alarm with the fields of the sample alone: it must not crash the receiver",
    },
    {
      type: "alarm",
      rewrite: without("power_status", "power_source", "network_type", "retry_message_count"),
      refusal: "observed",
      keeps: () => "nothing",
    },
  ),
  variantTrial(
    {
      id: "key-order",
      title: "An event with its keys in another order goes wrong",
      severity: "high",
      why: "The order of keys is arbitrary, and may differ between two attempts.",
      field: "docs/reference/webhook.md#key-order",
      about: "a text with its keys in the reverse order: it must be accepted",
    },
    { type: "mo_sms", rewrite: pairsOf((pairs) => pairs.toReversed()), refusal: "fault", keeps: () => "person" },
  ),
  variantTrial(
    {
      id: "id-64-bit",
      title: "An id above 2^31 goes wrong",
      severity: "medium",
      why: "Ids may exceed 2^31: a service with many messages gets there.",
      field: values,
      about: "a text with an id above 2^31: it must be accepted",
    },
    {
      type: "mo_sms",
      changes: (context) => ({ sms: 4_500_000_000 + context.id() }),
      refusal: "fault",
      keeps: () => "person",
    },
  ),
  variantTrial(
    {
      id: "sender-short-code",
      title: "A text of a short code crashes the receiver",
      severity: "medium",
      why: `Operators write from short codes. ${lost}`,
      field: values,
      about: "a text whose sender is 8080: an application may ignore it, and must not fail",
    },
    { type: "mo_sms", changes: () => ({ phone: "8080" }), refusal: "observed", keeps: () => "nothing" },
  ),
  variantTrial(
    {
      id: "sender-name",
      title: "A text of a sender with a name crashes the receiver",
      severity: "medium",
      why: `Operators and banks write under names. ${lost}`,
      field: values,
      about: "a text whose sender is AIRTEL-Info: an application may ignore it, and must not fail",
    },
    { type: "mo_sms", changes: () => ({ phone: "AIRTEL-Info" }), refusal: "observed", keeps: () => "nothing" },
  ),
  variantTrial(
    {
      id: "sender-none",
      title: "A text without a sender crashes the receiver",
      severity: "low",
      why: `A phone may hide its number. ${lost}`,
      field: values,
      about: "a text whose phone is empty: an application may ignore it, and must not fail",
    },
    { type: "mo_sms", changes: () => ({ phone: "" }), refusal: "observed", keeps: () => "nothing" },
  ),
  variantTrial(
    {
      id: "caller-withheld",
      title: "A call from a withheld number crashes the receiver",
      severity: "medium",
      why: `Callers withhold their numbers every day. ${lost}`,
      field: "docs/reference/handset.md#call-log",
      about: "a missed call whose phone is empty: an application may ignore it, and must not fail",
    },
    { type: "mo_miss", changes: () => ({ phone: "" }), refusal: "observed", keeps: () => "nothing" },
  ),
  variantTrial(
    {
      id: "call-zero",
      title: "An answered call of 0 seconds crashes the receiver",
      severity: "medium",
      why: "A call that is hung up at once has a duration of 0.",
      field: calls,
      about: "an answered call of 0 seconds: it must be accepted",
    },
    { type: "mo_call", changes: () => ({ duration: 0 }), refusal: "fault", keeps: () => "person" },
  ),
  variantTrial(
    {
      id: "call-huge",
      title: "A very long call crashes the receiver",
      severity: "medium",
      why: "Phones log days when a call was not hung up; columns of 16 bits end after nine hours.",
      field: calls,
      about: "an answered call of 100,000 seconds: it must be accepted",
    },
    { type: "mo_call", changes: () => ({ duration: 100_000 }), refusal: "fault", keeps: () => "person" },
  ),
  ...(["AC", "USB", "WIR", "BAT"] as const).map((source) =>
    variantTrial(
      {
        id: `alarm-source-${source.toLowerCase()}`,
        title: `An alarm of a phone on ${source} power crashes the receiver`,
        severity: "medium",
        why: "An alarm that is lost is a phone that nobody charges.",
        field: alarms,
        about: `an alarm with the power source ${source}: it must be accepted`,
      },
      { type: "alarm", changes: () => ({ powerSource: source }), refusal: "fault", keeps: () => "nothing" },
    ),
  ),
  ...(["UNK", "CHA", "DIS", "NOT", "FUL"] as const).map((status) =>
    variantTrial(
      {
        id: `alarm-status-${status.toLowerCase()}`,
        title: `An alarm of a phone in the state ${status} crashes the receiver`,
        severity: "medium",
        why: "An alarm that is lost is a phone that nobody charges.",
        field: alarms,
        about: `an alarm with the power status ${status}: it must be accepted`,
      },
      { type: "alarm", changes: () => ({ powerStatus: status }), refusal: "fault", keeps: () => "nothing" },
    ),
  ),
  ...["WIFI", "NONE", "EDGE", "LTE", "NR"].map((network) =>
    variantTrial(
      {
        id: `alarm-network-${network.toLowerCase()}`,
        title: `An alarm of a phone on ${network} crashes the receiver`,
        severity: network === "NR" ? "low" : "medium",
        why: "The network type is the phone's own word for it, and new ones appear.",
        field: alarms,
        about: `an alarm with the network type ${network}: it must be accepted`,
      },
      {
        type: "alarm",
        changes: () => ({ networkType: network }),
        refusal: network === "NR" ? "observed" : "fault",
        keeps: () => "nothing",
      },
    ),
  ),
  variantTrial(
    {
      id: "alarm-level-unknown",
      title: "An alarm with an unknown battery level crashes the receiver",
      severity: "low",
      why: "A phone that does not know its level reports -1.",
      field: "docs/reference/handset.md#status-report",
      about: "an alarm with the level -1: it must not crash the receiver",
    },
    { type: "alarm", changes: () => ({ powerLevel: -1 }), refusal: "observed", keeps: () => "nothing" },
  ),
  variantTrial(
    {
      id: "flow-empty",
      title: "A flow event without values crashes the receiver",
      severity: "medium",
      why: "A step before the first question has collected nothing: values is [].",
      field: flows,
      about: "a flow event whose values are []: it must be accepted",
    },
    { type: "flow", changes: () => ({ values: [] }), refusal: "fault", keeps: () => "nothing" },
  ),
  variantTrial(
    {
      id: "flow-huge",
      title: "A flow event with many values is not accepted",
      severity: "medium",
      why: "A survey of an hour collects hundreds of values; there is no limit of size.",
      field: "docs/reference/webhook.md#encoding",
      about: "a flow event with 300 values, of 60 KB: it must be accepted",
    },
    {
      type: "flow",
      changes: ({ nowMs }) => ({
        values: Array.from({ length: 300 }, (_, index) => ({
          label: `Question ${index}`,
          category: "Other",
          value: `answer ${index}`,
          text: "a sentence of some words",
          time: nowMs,
        })),
      }),
      refusal: "fault",
      keeps: () => "nothing",
    },
  ),
  ...(
    [
      ["flow-number", "a number", flowValue(15)],
      ["flow-null", "null", flowValue(null)],
    ] as const
  ).map(([id, what, json]) =>
    variantTrial(
      {
        id,
        title: `A flow value that is ${what} crashes the receiver`,
        severity: "low",
        why: "Values are texts in the documentation; services have sent others.",
        field: flows,
        about: `a flow event with a value that is ${what}, not a text: it must not crash the receiver`,
      },
      { type: "flow", rewrite: withFields(["values", json]), refusal: "observed", keeps: () => "nothing" },
    ),
  ),
  variantTrial(
    {
      id: "flow-nested",
      title: "A flow value whose category is an object crashes the receiver",
      severity: "low",
      why: 'Real services send the category by language: {"eng": "Yes"}.',
      field: flows,
      about: "a flow event with a category by language: it must not crash the receiver",
    },
    {
      type: "flow",
      rewrite: withFields([
        "values",
        '[{"label": "Age", "category": {"eng": "Yes"}, "value": "15.00000000", "text": "15", "time": "2026-03-02T08:15:04.250000Z"}]',
      ]),
      refusal: "observed",
      keeps: () => "nothing",
    },
  ),
];
