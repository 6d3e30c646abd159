import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime } from "./shared.js";
import { textEntry } from "./texts.js";

const { arrayOf, boolean, described, integer, mapOf, nullable, number, objectOf, oneOf, text, timestamp, uuid } =
  schema;

const reportCounts = described("Reports by type: mo_sms, call, mt_sent, mt_dlvd, mt_fail, reset", mapOf(integer));
const why = described("no-network, switched-off, quiet-time…; null: nothing", nullableText);

const outboxMessage = objectOf({
  id: integer,
  to: text,
  text: described("Empty once it is transmitted", text),
  segments: integer,
  state: oneOf(["born", "pending", "retry", "sent", "delivered", "failed"]),
  tries: described("Failed tries", integer),
  accepted_at: timestamp,
  changed_at: timestamp,
  waits_for: oneOf(["radio", "retry-wait", "blocked", "send-limit", "gap", "runner", "acknowledgement"]),
  // End of the wait; null: unknown.
  until: nullableTime,
});
export type OutboxMessage = ValueOf<typeof outboxMessage>;

const outbox = objectOf({
  pending: integer,
  retry: integer,
  // Failed tries after which a message fails.
  tries_max: integer,
  // Time of the next outbox run; null: at the next sync.
  next_pass_at: nullableTime,
  count: integer,
  // Pending, retry, then those whose outcome is not acknowledged: at most 100.
  messages: arrayOf(outboxMessage),
});
export type HandsetOutbox = ValueOf<typeof outbox>;

const waitingReport = objectOf({
  type: oneOf(["mo_sms", "call", "mt_sent", "mt_dlvd", "mt_fail", "reset"]),
  phone: nullableText,
  text: nullableText,
  // Id of the message of a report.
  message: nullable(integer),
  since: timestamp,
  tried: boolean,
  applied: described("The service has applied it, but the phone does not know", boolean),
  why,
});
export type WaitingReport = ValueOf<typeof waitingReport>;

const sync = objectOf({
  current: nullable(
    objectOf({
      requested_at: timestamp,
      timeout_at: timestamp,
      repeat: boolean,
      reports: reportCounts,
      answered: boolean,
    }),
  ),
  last: nullable(
    objectOf({
      requested_at: timestamp,
      ended_at: timestamp,
      repeat: boolean,
      reports: reportCounts,
      failed_by: why,
      // Whether the service applied the reports, even if the phone does not know.
      applied: boolean,
      acknowledged: integer,
      // Messages that the sync offered.
      offered: arrayOf(objectOf({ id: integer, to: text, text })),
      offered_count: integer,
    }),
  ),
  next_poll_at: nullableTime,
  wanted: boolean,
  pushed: boolean,
  put_off_by: why,
  losing: nullable(objectOf({ what: oneOf(["request", "response"]), times: integer })),
});
export type HandsetSync = ValueOf<typeof sync>;

/** The state of a handset. Names and timestamps are those of the REST API: `…_at` is virtual time in ISO 8601. */
export const handsetDetails = objectOf({
  selector: text,
  channel: integer,
  phone: text,
  uuid,
  profile: text,
  carrier: text,
  // Null: its events are not delivered.
  delivery_url: nullableText,
  at: timestamp,
  clock: described("Time of the phone's clock", timestamp),
  clock_skew_ms: integer,
  credit: described(
    "Units left on the SIM for texts, one for each segment that is sent; null: no limit",
    nullable(integer),
  ),
  sims: described(
    "The SIMs in its slots",
    arrayOf(
      objectOf({
        slot: integer,
        number: text,
        carrier: text,
        credit: nullable(integer),
        in: described("False: it was taken out for a time", boolean),
        sends: described("Texts go out from it", boolean),
      }),
    ),
  ),
  power: objectOf({
    // One decimal.
    level: described("Percent", number),
    on: boolean,
    charging: boolean,
    solar_per_hour: described("What a solar panel gives now, percentage points an hour", number),
    restarting: boolean,
    boots_at: described("When it starts; null: it is on, or its start is not planned", nullableTime),
    empty_at: described("When the battery is empty at the current rate; null: never", nullableTime),
  }),
  data_link: described("The data link in use, of one or two that the conditions allow; none: no data", text),
  conditions: objectOf({
    mains: boolean,
    plug: described("What it charges from while there are mains", oneOf(["ac", "usb", "wireless"])),
    battery_reports: described(
      "What it reports of its battery; unknown: the status UNK; none: level -1",
      oneOf(["ok", "unknown", "none"]),
    ),
    solar: described("What a solar panel gives under a sun at the zenith, percentage points an hour; 0: none", number),
    clouds: described("Cover of the sky above the panel, drawn for each day", text),
    network: text,
    // One-way latency to the service, in words.
    latency: described("null: from the profile", nullableText),
    loses: described("Share of syncs that the link loses", number),
    portal: described("A captive portal answers in place of every server", boolean),
    second_network: described("A second data link; none: there is one only", text),
    coverage: oneOf(["none", "ok"]),
    sim_out: described("The SIM of slot 1 is taken out", boolean),
    second_sim_out: described("The SIM of slot 2 is taken out", boolean),
    sms_service: text,
    sms_fails: described("Share of segments that the radio refuses", number),
    sms_fails_on: described("These shares by data link, if they depend on it", mapOf(number)),
    sms_fails_with: text,
    airplane: boolean,
    // No mains and no network. `mains` and `network` apply again after the power cut.
    power_cut: boolean,
    // Neither mobile data nor coverage. `network` and `coverage` apply again when the mast is back.
    mast_down: boolean,
    paused: boolean,
    dozing: described("Doze or a battery saver: the app works only now and then", boolean),
    sms_permission: boolean,
    call_permission: boolean,
  }),
  // By the names of `conditions`.
  until: described("When temporary conditions end", mapOf(timestamp)),
  blocked_by: described("Reason why the app does not relay; null: it relays", why),
  unreachable_because: described("Reason why the carrier does not reach it; null: the carrier reaches it", why),
  // What the phone knows: its id (null: it is not registered), and whether somebody has claimed it.
  registration: objectOf({ relayer: nullable(integer), claimed: boolean }),
  // False: the app was not opened since the phone started, as it needs to be.
  opened: boolean,
  // False: its process was killed, has crashed, or is being upgraded.
  running: boolean,
  outbox,
  at_service: described(
    "Messages that wait at the service for the phone to sync",
    objectOf({
      count: integer,
      // `offered`: a sync has offered the message to the phone.
      messages: arrayOf(objectOf({ id: integer, to: text, text, offered: boolean })),
    }),
  ),
  // Reports that the phone has not delivered, oldest first.
  reports: objectOf({ count: integer, waiting: arrayOf(waitingReport) }),
  // Texts on the phone that the app has not read.
  unread: objectOf({ count: integer, texts: arrayOf(objectOf({ from: text, text, at: timestamp, why })) }),
  // Calls in progress, and the number of calls in the log that the app has not read.
  calls: objectOf({
    // `waiting`: the call waits for the end of another.
    ongoing: arrayOf(objectOf({ phone: text, type: text, began_at: timestamp, ends_at: timestamp, waiting: boolean })),
    unread: integer,
    observers: described("Observers of the call log, each of which reports each call", integer),
  }),
  // Texts that the carrier has not delivered to it.
  carried: objectOf({ on_the_way: integer, held: integer, held_because: why }),
  sync,
  // The service's record; `alarms` have not cleared.
  service: objectOf({
    // Id and number of the channel that was claimed last.
    relayer: integer,
    number: described("null: the channel has no number", nullableText),
    active: described("False: the channel is released, or belongs to another organisation", boolean),
    last_seen_at: timestamp,
    has_synced: boolean,
    alarms: arrayOf(oneOf(["silent", "power"])),
    faults: described("Faults of the service towards this phone (verb service), in words", arrayOf(text)),
    power_level: integer,
    power_status: text,
    network_type: text,
  }),
});
export type HandsetDetails = ValueOf<typeof handsetDetails>;

/** One conversation in a handset's list. */
export const conversationHead = objectOf({
  phone: text,
  name: nullableText,
  person: described("Selector; null: no person of the lab has the number", nullableText),
  last: textEntry,
  unsynced: described("Texts from the person that the service does not have", integer),
  waiting: described("Messages to the person that the phone has not sent", integer),
});
export type ConversationHead = ValueOf<typeof conversationHead>;
