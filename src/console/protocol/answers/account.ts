import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime } from "./shared.js";

const { anyObject, arrayOf, described, integer, nullable, number, objectOf, reference, slug, text, timestamp, uuid } =
  schema;

/** Most runs of a flow whose steps are counted, last changed first. */
export const COUNTED_RUNS_MAX = 2000;

const count = described("null: unknown, several exits lead to one place", nullable(integer));

const nodeCounts = objectOf({
  uuid: text,
  visits: integer,
  waiting: described("Contacts at this node now", integer),
  exits: arrayOf(objectOf({ uuid: text, taken: count })),
  categories: arrayOf(objectOf({ uuid: text, chosen: count })),
});
/** Counts of runs at a node and its exits. */
export type NodeCounts = ValueOf<typeof nodeCounts>;

/** A flow with counts of its latest runs. */
export const flowGraph = objectOf({
  uuid,
  name: text,
  type: text,
  definition: described("In native form, of a legacy flow too; null: it cannot be read", nullable(anyObject)),
  problem: described("Reason why it cannot be read", nullableText),
  counted_runs: described(`Its last changed runs, at most ${COUNTED_RUNS_MAX}`, integer),
  all_runs: integer,
  nodes: arrayOf(nodeCounts),
});
export type FlowGraph = ValueOf<typeof flowGraph>;

/** One contact's path through a flow. */
export const flowRun = objectOf({
  id: integer,
  uuid,
  flow: reference,
  contact: objectOf({ uuid, name: nullableText, phone: nullableText }),
  exit_type: described("null: it is active", nullableText),
  created_on: timestamp,
  modified_on: timestamp,
  exited_on: nullableTime,
  path: arrayOf(objectOf({ node: text, time: timestamp, exit: nullableText })),
  answers: arrayOf(objectOf({ label: text, category: text, value: text, text, time: timestamp })),
});
export type FlowRun = ValueOf<typeof flowRun>;

const fires = objectOf({
  count: integer,
  results: arrayOf(
    objectOf({
      // Null: it was deleted.
      event: nullable(uuid),
      campaign: nullable(reference),
      contact: reference,
      due_on: timestamp,
      fired_on: nullableTime,
    }),
  ),
});
export type FireList = ValueOf<typeof fires>;

/** Due fires of campaign events, earliest first, and past fires, latest first. */
export const campaignFires = objectOf({ to_come: fires, done: fires });

/** What became of the messages of broadcasts. A broadcast without messages is not listed. */
export const broadcastMessages = objectOf({
  results: arrayOf(
    objectOf({
      broadcast: integer,
      messages: integer,
      sent: described("Sent by a handset, delivered ones included", integer),
      delivered: integer,
      failed: described("Given up", integer),
    }),
  ),
});

const resthookEvent = objectOf({
  id: integer,
  resthook: slug,
  data: anyObject,
  created_on: timestamp,
  attempts: arrayOf(
    objectOf({
      url: text,
      try: integer,
      time: timestamp,
      duration_ms: number,
      status: nullable(integer),
      error: nullableText,
      outcome: described("accepted, retried, failed or gone", text),
    }),
  ),
  // Subscribers that have not received it yet.
  pending: arrayOf(objectOf({ url: text, try: integer, due_on: timestamp })),
});
export type ResthookEvent = ValueOf<typeof resthookEvent>;

/** A page of resthook events with their deliveries, the newest first. */
export const resthookEvents = objectOf({ next: nullable(integer), results: arrayOf(resthookEvent) });
export type ResthookEvents = ValueOf<typeof resthookEvents>;
