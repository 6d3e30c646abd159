/** Answers of the control API and messages of the live stream, each declared once as a schema with a type. */
import { schema, type ValueOf } from "../../../schema/index.js";
import * as account from "./account.js";
import * as bug from "./bug.js";
import * as chain from "./chain.js";
import { fieldLog } from "./field-log.js";
import { conversationHead, handsetDetails } from "./handset.js";
import * as lab from "./lab.js";
import * as log from "./log.js";
import * as past from "./past.js";
import * as person from "./person.js";
import { done, listOf } from "./shared.js";
import { scenarioNote, story } from "./story.js";
import { callEntry, textEntry } from "./texts.js";

export * from "./account.js";
export * from "./bug.js";
export * from "./chain.js";
export * from "./field-log.js";
export * from "./fleet.js";
export * from "./handset.js";
export * from "./lab.js";
export * from "./log.js";
export * from "./past.js";
export * from "./person.js";
export * from "./shared.js";
export * from "./story.js";
export * from "./stream.js";
export * from "./texts.js";

const { anyOf, arrayOf } = schema;

/** The answer of each GET of the control API, by its path after `/lab`. */
export const reads = {
  "/": lab.labStatus,
  "/access": lab.access,
  "/bug/work": bug.bugJob,
  "/broadcast-messages": account.broadcastMessages,
  "/campaign-fires": account.campaignFires,
  "/chain": chain.chain,
  "/chain/bug": bug.chainBug,
  "/chain/bug/input": bug.bugInput,
  "/chain/scenario": chain.chainScenario,
  "/clock": lab.labClock,
  "/events": log.logPage,
  "/flow-graph": account.flowGraph,
  "/flow-run": account.flowRun,
  "/handset": handsetDetails,
  "/handset/calls": listOf(callEntry),
  "/handset/conversation": listOf(textEntry),
  "/handset/conversations": listOf(conversationHead),
  "/handsets": arrayOf(lab.handsetStatus),
  "/losses": log.losses,
  "/past": past.pastView,
  "/past/frame": past.pastFrame,
  "/past/moment": past.pastFrame,
  "/people": anyOf(arrayOf(person.foundPerson), listOf(person.foundPerson)),
  "/person": person.personDetails,
  "/person/calls": arrayOf(callEntry),
  "/person/conversation": person.personConversation,
  "/person/conversations": arrayOf(person.personConversationHead),
  "/resthook-events": account.resthookEvents,
  "/scenarios": arrayOf(scenarioNote),
  "/snapshots": arrayOf(lab.snapshot),
  "/story": story,
  "/throttle": lab.throttle,
  "/verbs": arrayOf(lab.verb),
};

/** The answer of each POST of the control API, by its path after `/lab`; `/do/…` answers `done`. */
export const writes = {
  "/account": lab.loaded,
  "/alarms": done,
  "/bug": bug.bugFile,
  "/bug/minimise": bug.bugJob,
  "/bug/play": bug.bugJob,
  "/bug/stop": bug.bugJob,
  "/calls": done,
  "/clock": lab.labClock,
  "/delivery-url": done,
  "/do-each": lab.doneEach,
  "/events/resend": chain.resent,
  "/import": fieldLog,
  "/past": past.pastView,
  "/resthooks": done,
  "/scenario": done,
  "/snapshots": done,
  "/story": done,
  "/throttle": lab.throttle,
};

export type ReadPath = keyof typeof reads;
export type WritePath = keyof typeof writes;
/** The answer of a GET of a path. */
export type ReadAnswer<P extends ReadPath> = ValueOf<(typeof reads)[P]>;
/** The answer of a POST to a path. */
export type WriteAnswer<P extends WritePath> = ValueOf<(typeof writes)[P]>;
