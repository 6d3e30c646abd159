import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText } from "./shared.js";

const { arrayOf, anyObject, boolean, described, integer, mapOf, nullable, number, objectOf, text, timestamp, uuid } =
  schema;

/** The virtual clock. */
export const labClock = objectOf({
  now: timestamp,
  speed: described("Virtual seconds per wall second", number),
  paused: boolean,
});
export type LabClock = ValueOf<typeof labClock>;

const byCause = mapOf(integer);
const books = objectOf({
  in: integer,
  copies: byCause,
  delivered: integer,
  failed: integer,
  queued: described("Texts in transit or in a queue", integer),
  lost: byCause,
  gap: described("Missing texts without a cause: a value other than 0 is a defect of the lab", integer),
});

/** The status of the lab. */
export const labStatus = objectOf({
  name: text,
  version: text,
  seed: integer,
  clock: labClock,
  receiver: nullableText,
  database: nullableText,
  strict: boolean,
  handsets: integer,
  people: integer,
  events: integer,
  accepted: integer,
  failures: integer,
  in_flight: integer,
  retrying: integer,
  waiting_on_phones: integer,
  ledger: described(
    "Since the server started: in + copies = delivered + failed + queued + lost + gap",
    objectOf({ texts: books, calls: books, events: books, attempts: books }),
  ),
});

/** A token of the REST API. */
export const access = objectOf({ token: text });

/** A verb that the control API can perform. */
export const verb = objectOf({ name: text, about: text, args: anyObject });

/** A handset as the service knows it. */
export const handsetStatus = objectOf({
  channel: integer,
  selector: text,
  uuid,
  phone: text,
  delivery_url: nullableText,
  power_level: number,
  power_status: text,
  power_source: text,
  network_type: text,
  pending: integer,
  retry: integer,
});
export type HandsetStatus = ValueOf<typeof handsetStatus>;

/** The results of a verb for a list of selectors. */
export const doneEach = objectOf({
  at: described("Virtual time at which it was done", timestamp),
  done: described("Selectors for which it was done", integer),
  refused: described(
    "Selectors for which it was refused, with the reason",
    arrayOf(objectOf({ of: text, message: text })),
  ),
});

/** A snapshot of the account. */
export const snapshot = objectOf({ name: text, taken_at: timestamp, bytes: integer });
export type Snapshot = ValueOf<typeof snapshot>;

/** The limit of the REST API's requests. */
export const throttle = objectOf({
  limit: nullable(described("Requests an hour and scope; null: no limit", integer)),
  refusing: described("Number of next requests to the API that are answered 429", integer),
});
export type ThrottleStatus = ValueOf<typeof throttle>;

/** Numbers of added objects by kind, and one sentence for each object that could not be added. */
export const loaded = objectOf({ added: mapOf(integer), problems: arrayOf(text) });
export type Loaded = ValueOf<typeof loaded>;
