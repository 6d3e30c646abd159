import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime } from "./shared.js";

const { described, integer, nullable, objectOf, oneOf, text, timestamp } = schema;

/** States of a message of a handset. */
const handsetTextStates = ["at-service", "pending", "retry", "sent", "delivered", "failed", "lost"] as const;
export type HandsetTextState = (typeof handsetTextStates)[number];

/** A text between a person and a handset. */
export const textEntry = objectOf({
  id: described("null: the service does not have it", nullable(integer)),
  from: oneOf(["person", "handset"]),
  text,
  state: oneOf(["on-the-way", "held", "on-phone", "reported", ...handsetTextStates]),
  note: described("Reason why it is held or waits; for retry: the failed tries; for lost: the cause", nullableText),
  // The handset received or accepted it; the person sent or read it.
  at: described("Time that this phone shows", timestamp),
  sent_at: nullableTime,
  phone_at: described("The handset had it", nullableTime),
  service_at: described("The service stored it", nullableTime),
  heard_at: described("The person's phone showed it", nullableTime),
  event: described("channel/number of its event", nullableText),
});
export type TextEntry = ValueOf<typeof textEntry>;

/** A call in a log. `lost`: no phone logged it. */
export const callEntry = objectOf({
  id: described("null: the service does not have it", nullable(integer)),
  phone: text,
  name: nullableText,
  type: oneOf(["mo_call", "mo_miss", "mt_call", "mt_miss", "unk", "lost"]),
  at: timestamp,
  duration_s: integer,
  state: oneOf(["ongoing", "on-phone", "reported", "lost"]),
  cause: described("Cause of the loss in the ledger", nullableText),
});
export type CallEntry = ValueOf<typeof callEntry>;
