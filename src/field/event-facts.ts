import { formField } from "../wire/index.js";

/** What an event says about its place in the field; undefined: it does not say. */
export interface EventFacts {
  readonly type: string;
  /** The handset as the service names it: the channel's id, else its UUID or number. */
  readonly handset: string | undefined;
  readonly handsetPhone: string | undefined;
  /** The person's number. */
  readonly phone: string | undefined;
}

/** Reads what tells events apart, without decoding the whole body. */
export function factsOf(body: string): EventFacts {
  const type = formField(body, "event") ?? "flow";
  const handsetPhone = given(formField(body, "relayer_phone") ?? formField(body, "channel_phone"));
  const id = given(formField(body, "relayer") ?? formField(body, "channel"));
  // A flow without a channel has the id -1.
  const handset = (id === "-1" ? undefined : id) ?? given(formField(body, "channel_uuid")) ?? handsetPhone;
  return { type, handset, handsetPhone, phone: given(formField(body, "phone")) };
}

function given(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
