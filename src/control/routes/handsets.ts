import { schema } from "../../api/index.js";
import { callEntry, listOf, needed, pageOf, pageParameters, textEntry } from "./phone-schemas.js";
import { type ControlRoute, readRoute } from "./route.js";

const text = schema.text;
const nullableText = schema.nullable(text);
const time = schema.timestamp;
const nullableTime = schema.nullable(time);
const counts: schema.JsonSchema = {
  type: "object",
  additionalProperties: schema.integer,
  description: "Reports by type: mo_sms, call, mt_sent, mt_dlvd, mt_fail, reset",
};
const why: schema.JsonSchema = { ...nullableText, description: "no-network, switched-off, quiet-time…; null: nothing" };

const details = schema.objectOf({
  selector: text,
  channel: schema.integer,
  phone: text,
  uuid: schema.uuid,
  profile: text,
  carrier: text,
  delivery_url: nullableText,
  at: time,
  clock: { ...time, description: "Its own clock" },
  clock_skew_ms: schema.integer,
  power: schema.objectOf({
    level: { type: "number", description: "Percent" },
    on: schema.boolean,
    charging: schema.boolean,
    restarting: schema.boolean,
    boots_at: { ...nullableTime, description: "null: it is on, or nothing starts it yet" },
    empty_at: { ...nullableTime, description: "At the present rate; null: never" },
  }),
  conditions: schema.objectOf({
    mains: schema.boolean,
    network: text,
    latency: { ...nullableText, description: "null: as the profile has it" },
    loses: { type: "number", description: "Share of syncs that the link loses" },
    coverage: schema.oneOf(["none", "ok"]),
    sms_service: text,
    airplane: schema.boolean,
    power_cut: schema.boolean,
    paused: schema.boolean,
  }),
  until: { type: "object", additionalProperties: time, description: "When temporary conditions end" },
  blocked_by: { ...why, description: "What keeps the app from relaying; null: it relays" },
  unreachable_because: { ...why, description: "Why the carrier does not reach it; null: it does" },
  opened: schema.boolean,
  outbox: schema.objectOf({
    pending: schema.integer,
    retry: schema.integer,
    tries_max: schema.integer,
    next_pass_at: nullableTime,
    count: schema.integer,
    messages: schema.arrayOf(
      schema.objectOf({
        id: schema.integer,
        to: text,
        text: { ...text, description: "Empty once it is on air" },
        segments: schema.integer,
        state: schema.oneOf(["born", "pending", "retry", "sent", "delivered", "failed"]),
        tries: { ...schema.integer, description: "Failed ones" },
        accepted_at: time,
        changed_at: time,
        waits_for: schema.oneOf(["radio", "retry-wait", "blocked", "send-limit", "gap", "runner", "acknowledgement"]),
        until: nullableTime,
      }),
    ),
  }),
  at_service: {
    ...schema.objectOf({
      count: schema.integer,
      messages: schema.arrayOf(schema.objectOf({ id: schema.integer, to: text, text, offered: schema.boolean })),
    }),
    description: "Messages that wait at the service for the phone to sync",
  },
  reports: schema.objectOf({
    count: schema.integer,
    waiting: schema.arrayOf(
      schema.objectOf({
        type: text,
        phone: nullableText,
        text: nullableText,
        message: schema.nullable(schema.integer),
        since: time,
        tried: schema.boolean,
        applied: { ...schema.boolean, description: "The service has it, and the phone does not know" },
        why,
      }),
    ),
  }),
  unread: schema.objectOf({
    count: schema.integer,
    texts: schema.arrayOf(schema.objectOf({ from: text, text, at: time, why })),
  }),
  calls: schema.objectOf({
    ongoing: schema.arrayOf(schema.objectOf({ phone: text, type: text, began_at: time, ends_at: time })),
    unread: schema.integer,
  }),
  carried: schema.objectOf({ on_the_way: schema.integer, held: schema.integer, held_because: why }),
  sync: schema.objectOf({
    current: schema.nullable(
      schema.objectOf({
        requested_at: time,
        timeout_at: time,
        repeat: schema.boolean,
        reports: counts,
        answered: schema.boolean,
      }),
    ),
    last: schema.nullable(
      schema.objectOf({
        requested_at: time,
        ended_at: time,
        repeat: schema.boolean,
        reports: counts,
        failed_by: why,
        applied: schema.boolean,
        acknowledged: schema.integer,
        offered: schema.arrayOf(schema.objectOf({ id: schema.integer, to: text, text })),
        offered_count: schema.integer,
      }),
    ),
    next_poll_at: nullableTime,
    wanted: schema.boolean,
    pushed: schema.boolean,
    put_off_by: why,
    losing: schema.nullable(schema.objectOf({ what: schema.oneOf(["request", "response"]), times: schema.integer })),
  }),
  service: schema.objectOf({
    last_seen_at: time,
    has_synced: schema.boolean,
    alarms: schema.arrayOf(schema.oneOf(["silent", "power"])),
    power_level: schema.integer,
    power_status: text,
    network_type: text,
  }),
});

const head = schema.objectOf({
  phone: text,
  name: nullableText,
  person: { ...nullableText, description: "Selector; null: no person of the lab has the number" },
  last: textEntry,
  unsynced: { ...schema.integer, description: "Texts of theirs that the service has not got" },
  waiting: { ...schema.integer, description: "Messages to them that the phone has not sent" },
});

const of = { type: "string", description: "The handset: `clinic/0`" };
const ofQuery = (query: URLSearchParams): string => needed(query, "of", "clinic/0");

/** Routes of single handsets. */
export const handsetRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/handset",
    about: "One handset as it stands: conditions, battery, clock, queues, reports that wait, syncs.",
    parameters: { of },
    answer: details,
    serve: ({ control, query }) => control.handsetReader.handset(ofQuery(query)),
  }),
  readRoute({
    path: "/handset/conversations",
    about:
      "The people whom a handset's texts are with, by the newest text. A page searches 5,000 messages, so it may have few results and still a `next`.",
    parameters: { of, ...pageParameters },
    answer: listOf(head),
    serve: ({ control, query }) => control.handsetReader.conversations(ofQuery(query), pageOf(query)),
  }),
  readRoute({
    path: "/handset/conversation",
    about: "The texts of a person that a handset shows, newest first. What the phone has not got is not there.",
    parameters: { of, with: { type: "string", description: "The person's number" }, ...pageParameters },
    answer: listOf(textEntry),
    serve: ({ control, query }) =>
      control.handsetReader.conversation(ofQuery(query), needed(query, "with", "+12065550110"), pageOf(query)),
  }),
  readRoute({
    path: "/handset/calls",
    about: "A handset's call log, newest first, with calls that ring or are talked.",
    parameters: { of, ...pageParameters },
    answer: listOf(callEntry),
    serve: ({ control, query }) => control.handsetReader.calls(ofQuery(query), pageOf(query)),
  }),
];
