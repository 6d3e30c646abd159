import type { EventType, KnownEvent } from "./event.js";
import { eventFields, namesIn, writerOf, type EventField } from "./event-fields.js";
import { escapeForm } from "../text/form.js";
import type { Spelling } from "../presets/preset.js";

/** A spelling; `sample` exists with and without `status` and `direction` (docs/reference/webhook.md#message-events). */
export type BodyForm = Spelling | "sample-with-status";

/** One key of a body, and how its value is written. */
export interface BodyStep {
  readonly key: string;
  /** `&key=`, encoded. */
  readonly prefix: string;
  readonly property: string;
  readonly write: (value: unknown, event: KnownEvent) => string;
  /** As `write`, form-encoded. */
  readonly writeInForm: (value: unknown, event: KnownEvent) => string;
}

/** A property of an event, written under one key or under consecutive keys. */
export interface BodyField {
  readonly property: string;
  /** `&key=`, encoded. */
  readonly prefixes: readonly string[];
  /** Writes the value, form-encoded. */
  readonly write: (value: unknown, event: KnownEvent) => string;
  /** One-entry cache: the last text, and its encoded pairs once the text has repeated; see `encodeEvent`. */
  lastText: string | undefined;
  lastPairs: string | undefined;
}

/** A cached head: the encoded pairs that all events of one type and channel begin with. */
export interface BodyHead {
  readonly relayer: number;
  readonly relayerPhone: string;
  readonly text: string;
}

/**
 * Size of the direct-mapped cache of encoded heads, indexed by `relayer & (size - 1)`; a power of two. One per plan.
 */
export const HEAD_CACHE_SIZE = 4096;

/** How the bodies of one event type are written in one form. */
export interface BodyPlan {
  /** All keys, in writing order. */
  readonly steps: readonly BodyStep[];
  /** The leading steps, which depend on type and channel only. */
  readonly head: readonly BodyStep[];
  /** Direct-mapped cache of encoded heads. */
  readonly heads: (BodyHead | undefined)[];
  /** The remaining steps, grouped by property. */
  readonly fields: readonly BodyField[];
}

const plans: Readonly<Record<BodyForm, Map<EventType, BodyPlan>>> = {
  table: new Map(),
  sample: new Map(),
  "sample-with-status": new Map(),
  both: new Map(),
  historic: new Map(),
};

/** The plan of an event type and form; memoised, because every event needs it. */
export function bodyPlan(type: EventType, form: BodyForm): BodyPlan {
  const made = plans[form].get(type);
  if (made !== undefined) return made;
  const plan = buildPlan(stepsOf(type, form));
  plans[form].set(type, plan);
  return plan;
}

function buildPlan(steps: readonly BodyStep[]): BodyPlan {
  const rest = steps.findIndex(({ property }) => !isInHead(property));
  const fields: (BodyField & { prefixes: string[] })[] = [];
  for (const { property, prefix, writeInForm } of steps.slice(rest)) {
    const last = fields.at(-1);
    if (last?.property === property) last.prefixes.push(prefix);
    else fields.push({ property, prefixes: [prefix], write: writeInForm, lastText: undefined, lastPairs: undefined });
  }
  // Allocated in full: V8 would turn a sparsely filled array into a dictionary-mode one.
  const heads = Array.from<BodyHead | undefined>({ length: HEAD_CACHE_SIZE });
  return { steps, head: steps.slice(0, rest), heads, fields };
}

function isInHead(property: string): boolean {
  return property === "event" || property === "relayer" || property === "relayerPhone";
}

function stepsOf(type: EventType, form: BodyForm): BodyStep[] {
  const spelling = form === "sample-with-status" ? "sample" : form;
  const steps = eventFields[type]
    .filter((field) => form !== "sample" || field.isOptionalSample !== true)
    .flatMap((field) => namesIn(field, spelling).map((key) => buildStep(key, field, spelling)));
  const order = (spelling === "sample" || spelling === "historic" ? keyOrders[type][spelling] : undefined)?.split(" ");
  if (order === undefined) return steps;
  const place = ({ key }: BodyStep): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return steps.sort((a, b) => place(a) - place(b));
}

function buildStep(key: string, field: EventField, spelling: Spelling): BodyStep {
  const { property, codec } = field;
  const write = writerOf(field, spelling);
  const codecWriter = write === codec.write ? codec.writeInForm : undefined;
  const escaped = (value: unknown, event: KnownEvent): string => escapeForm(write(value, event));
  const writeInForm = codec.isPlain === true ? write : (codecWriter ?? escaped);
  return { key, prefix: `&${escapeForm(key)}=`, property, write, writeInForm };
}

const messageOrder = {
  sample: "event id channel channel_phone relayer relayer_phone phone text status direction time",
  historic: "event relayer channel relayer_phone sms phone contact contact_name urn text time status direction",
};
const callOrder = {
  sample: "event id",
  historic: "event relayer channel relayer_phone call phone contact contact_name urn duration time",
};
/**
 * Keys in the order of the sample bodies (docs/reference/webhook.md#key-order) where that is not the order of the rows.
 * Keys that are not listed follow in the order of their rows.
 */
const keyOrders: Readonly<Record<EventType, { readonly sample?: string; readonly historic?: string }>> = {
  mo_sms: messageOrder,
  mt_sent: messageOrder,
  mt_dlvd: messageOrder,
  mt_fail: messageOrder,
  mo_miss: callOrder,
  mo_call: callOrder,
  mt_call: callOrder,
  mt_miss: callOrder,
  alarm: {
    sample: "event relayer relayer_phone battery last_seen unsent",
    historic: "event relayer channel relayer_phone power_source power_status power_level",
  },
  flow: {
    historic:
      "channel relayer channel_uuid flow flow_uuid flow_name flow_base_language run text step phone contact contact_name urn values",
  },
};
