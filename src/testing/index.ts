/**
 * The second public face of the package, `handset-lab/testing`: labs in other people's tests, and what tests say of them.
 * `startLab` makes a `TestLab`, which plays one `LabRun` after the other: a `Lab` in lockstep with the receiver, whose time
 * passes only while a call of the test waits for it.
 */
export { startLab } from "./start-lab.js";
export type { StartLabOptions } from "./options.js";
export type { LabReceiver, TestLab } from "./lab/test-lab.js";
export type { HearsOptions, TextPattern } from "./lab/lab-face.js";
export type { Person } from "./lab/person.js";
export type { Handset } from "./lab/handset.js";
export type { Heard, LabAttempt, LabEvent } from "./lab/log.js";
export type { LabSnapshot } from "./lab/snapshot.js";
export type { Span } from "./lab/spans.js";
export type { HandsetVerbs, LabVerbs } from "./verbs.js";
export type { FastifyLike, FetchHandler, NodeHandler, TestReceiver } from "./receiver/kinds.js";
export { assertBalance, assertDelivered, assertHears, assertHearsNot } from "./assertions/assertions.js";
export { type LabMatchers, type MatcherResult, matchers } from "./assertions/matchers.js";
export type { DeliveredWanted } from "./assertions/delivered.js";
export type { BalanceWanted } from "./assertions/balance.js";
export { expectAudit } from "./assertions/audit.js";
export { expectReplay, type ReplayWanted } from "./assertions/replay.js";
