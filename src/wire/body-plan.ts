import type { EventType, KnownEvent } from "./event.js";
import { eventFields, namesIn, writerOf, type EventField } from "./fields.js";
import { escapeForm } from "./form.js";
import type { Spelling } from "./preset.js";

/** The `sample` spelling comes with and without `status` and `direction` (webhook.md 2). */
export type BodyForm = Spelling | "sample-with-status";

/** One key of a body, and how its value is written. */
export interface BodyStep {
  readonly key: string;
  /** `&key=`, encoded. */
  readonly prefix: string;
  readonly property: string;
  readonly isPlain: boolean;
  readonly write: (value: unknown, event: KnownEvent) => string;
}

const plans: Readonly<Record<BodyForm, Map<EventType, readonly BodyStep[]>>> = {
  table: new Map(),
  sample: new Map(),
  "sample-with-status": new Map(),
  both: new Map(),
  historic: new Map(),
};

/** Every key of an event type's body, in the order in which they are written. Made once, because every event asks. */
export function bodyPlan(type: EventType, form: BodyForm): readonly BodyStep[] {
  const made = plans[form].get(type);
  if (made !== undefined) return made;
  const plan = makePlan(type, form);
  plans[form].set(type, plan);
  return plan;
}

function makePlan(type: EventType, form: BodyForm): BodyStep[] {
  const spelling = form === "sample-with-status" ? "sample" : form;
  const steps = eventFields[type]
    .filter((field) => form !== "sample" || field.isOptionalSample !== true)
    .flatMap((field) => namesIn(field, spelling).map((key) => makeStep(key, field, spelling)));
  const order = (spelling === "sample" || spelling === "historic" ? keyOrders[type][spelling] : undefined)?.split(" ");
  if (order === undefined) return steps;
  const place = ({ key }: BodyStep): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return steps.sort((a, b) => place(a) - place(b));
}

function makeStep(key: string, field: EventField, spelling: Spelling): BodyStep {
  return {
    key,
    prefix: `&${escapeForm(key)}=`,
    property: field.property,
    isPlain: field.codec.isPlain === true,
    write: writerOf(field, spelling),
  };
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
 * Keys in the order of the sample bodies (webhook.md 7) where that is not the order of the rows. Keys that are not
 * listed follow in the order of their rows.
 */
const keyOrders: Readonly<Record<EventType, { readonly sample?: string; readonly historic?: string }>> = {
  mo_sms: messageOrder,
  mt_sent: messageOrder,
  mt_dlvd: messageOrder,
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
