import {
  flowValues,
  oneOf,
  powerSource,
  powerStatus,
  text,
  time,
  whole,
  zonedTime,
  type Codec,
} from "./field-codecs.js";
import type { CallEvent, EventOf, EventType, KnownEvent, MessageEvent } from "./event.js";
import type { Spelling } from "../presets/preset.js";

/** The name of a field in each spelling; absent: that spelling lacks the field (docs/events.md#spellings). */
interface Row<T> {
  readonly table?: string;
  readonly sample?: string;
  /** A list: the field is written under several names. */
  readonly historic?: string | readonly string[];
  /** Names that are read and never written. */
  readonly alias?: readonly string[];
  /** Carried by the sample spelling only when `sampleStatus` asks for it (docs/reference/webhook.md#message-events). */
  readonly isOptionalSample?: true;
  readonly codec: Codec<T>;
}

/** One row for each property of an event: a property without a row does not compile. */
type Rows<E> = { readonly [P in keyof Required<E>]: Row<NonNullable<E[P]>> };

/** The rows of each event type. */
type RowsByType = { readonly [T in EventType]: Rows<EventOf<T>> };

/** A row of the table. Its codec is untyped, which is safe: it only receives values of its own property. */
export interface EventField extends Row<unknown> {
  /** Name in `KnownEvent`. */
  readonly property: string;
}

/** Fields of every event. Aliases are the channel's names in some samples; they are read in all spellings. */
const channelRows = {
  relayer: { table: "relayer", sample: "relayer", historic: ["relayer", "channel"], codec: whole },
  relayerPhone: {
    table: "relayer_phone",
    sample: "relayer_phone",
    historic: "relayer_phone",
    alias: ["channel_phone"],
    codec: text,
  },
} as const;

const contactRows = {
  contact: { historic: "contact", codec: text },
  contactName: { historic: "contact_name", codec: text },
  urn: { historic: "urn", codec: text },
} as const;

function eventRow<T extends EventType>(type: T): Row<T> {
  return { table: "event", sample: "event", historic: "event", codec: oneOf([type]) };
}

const messageRows: Rows<Omit<MessageEvent, "event">> = {
  ...channelRows,
  sms: { table: "sms", sample: "id", historic: "sms", codec: whole },
  phone: { table: "phone", sample: "phone", historic: "phone", codec: text },
  text: { table: "text", sample: "text", historic: "text", codec: text },
  status: { table: "status", sample: "status", historic: "status", isOptionalSample: true, codec: text },
  direction: {
    table: "direction",
    sample: "direction",
    historic: "direction",
    isOptionalSample: true,
    codec: oneOf(["I", "O"]),
  },
  time: { table: "time", sample: "time", historic: "time", codec: time },
  ...contactRows,
};

const callRows: Rows<Omit<CallEvent, "event">> = {
  ...channelRows,
  call: { table: "call", sample: "id", historic: "call", codec: whole },
  phone: { table: "phone", sample: "phone", historic: "phone", codec: text },
  // From 2017-09 on the historic name was occurred_on (docs/reference/webhook.md#call-events).
  time: { table: "time", sample: "time", historic: "time", alias: ["occurred_on"], codec: time },
  duration: { table: "duration", sample: "duration", historic: "duration", codec: whole },
  ...contactRows,
};

const rows: RowsByType = {
  mo_sms: {
    event: eventRow("mo_sms"),
    ...messageRows,
    relayer: { ...channelRows.relayer, sample: "channel" },
    relayerPhone: { ...channelRows.relayerPhone, sample: "channel_phone" },
  },
  mt_sent: { event: eventRow("mt_sent"), ...messageRows },
  mt_dlvd: { event: eventRow("mt_dlvd"), ...messageRows },
  mt_fail: { event: eventRow("mt_fail"), ...messageRows },
  mo_miss: { event: eventRow("mo_miss"), ...callRows },
  mo_call: { event: eventRow("mo_call"), ...callRows },
  mt_call: { event: eventRow("mt_call"), ...callRows },
  mt_miss: { event: eventRow("mt_miss"), ...callRows },
  alarm: {
    event: eventRow("alarm"),
    ...channelRows,
    powerLevel: { table: "power_level", sample: "battery", historic: "power_level", codec: whole },
    powerStatus: { table: "power_status", historic: "power_status", codec: powerStatus },
    powerSource: { table: "power_source", historic: "power_source", codec: powerSource },
    networkType: { table: "network_type", historic: "network_type", codec: text },
    pendingMessageCount: {
      table: "pending_message_count",
      sample: "unsent",
      historic: "pending_message_count",
      codec: whole,
    },
    retryMessageCount: { table: "retry_message_count", historic: "retry_message_count", codec: whole },
    lastSeen: { table: "last_seen", sample: "last_seen", historic: "last_seen", codec: time },
    channelUuid: { historic: "channel_uuid", codec: text },
  },
  flow: {
    // The historic post had no event name: its URL identified it (docs/reference/webhook.md#flow-fields).
    event: { table: "event", sample: "event", codec: oneOf(["flow"]) },
    relayer: channelRows.relayer,
    relayerPhone: { table: "relayer_phone", sample: "relayer_phone", alias: ["channel_phone"], codec: text },
    phone: { table: "phone", sample: "phone", historic: "phone", codec: text },
    flow: { table: "flow", sample: "flow", historic: "flow", codec: whole },
    flowName: { table: "flow_name", historic: "flow_name", codec: text },
    flowBaseLanguage: { table: "flow_base_language", historic: "flow_base_language", codec: text },
    step: { table: "step", sample: "step", historic: "step", codec: text },
    values: { table: "values", sample: "values", historic: "values", codec: flowValues },
    channelUuid: { historic: "channel_uuid", codec: text },
    flowUuid: { historic: "flow_uuid", codec: text },
    run: { historic: "run", codec: whole },
    text: { historic: "text", codec: text },
    ...contactRows,
    steps: { historic: "steps", codec: text },
    time: { historic: "time", codec: zonedTime },
  },
};

/**
 * The fields of each event type, in the order of the reference's tables. All encoding and decoding derives from here.
 */
export const eventFields: Readonly<Record<EventType, readonly EventField[]>> = {
  mo_sms: fieldsOf(rows.mo_sms),
  mt_sent: fieldsOf(rows.mt_sent),
  mt_dlvd: fieldsOf(rows.mt_dlvd),
  mt_fail: fieldsOf(rows.mt_fail),
  mo_miss: fieldsOf(rows.mo_miss),
  mo_call: fieldsOf(rows.mo_call),
  mt_call: fieldsOf(rows.mt_call),
  mt_miss: fieldsOf(rows.mt_miss),
  alarm: fieldsOf(rows.alarm),
  flow: fieldsOf(rows.flow),
};

function fieldsOf(rows: Readonly<Record<string, Row<unknown>>>): EventField[] {
  return Object.entries(rows).map(([property, row]) => ({ ...row, property }));
}

/** The keys of a field in a spelling; empty if the spelling lacks it. `both`: table and sample names. */
export function namesIn(field: EventField, spelling: Spelling): readonly string[] {
  const { table, sample, historic } = field;
  if (spelling === "historic") return typeof historic === "string" ? [historic] : (historic ?? []);
  const names = spelling === "table" ? [table] : spelling === "sample" ? [sample] : [table, sample];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The function that writes a field's value in a spelling. */
export function writerOf({ codec }: EventField, spelling: Spelling): (value: unknown, event: KnownEvent) => string {
  return (spelling === "historic" ? codec.writeHistoric : undefined) ?? codec.write;
}
