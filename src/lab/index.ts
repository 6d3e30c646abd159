/**
 * One run: world, service and delivery under one clock. `Lab` plays it; `wiring.ts` connects the rooms; a loop of
 * `time/` steps the kernel. Events pass the `Pipeline`: counted, sent when durable, measured, recorded, judged; replies
 * go back to the gateway.
 */
export { loadFakes, prepareScenarioFakes } from "./fakes.js";
export { joinedReading } from "./gauge.js";
export { resendEvent } from "./resend.js";
export { RunHands, recordClockChange, performHand } from "./hands.js";
export { Lab } from "./lab.js";
export { askChecks } from "./checks/ask-at-end.js";
export { askCheck } from "./checks/ask-check.js";
export type { Continuation, Hearing } from "./lab-options.js";
export { BACKLOG, readUnfinishedLoad } from "./account-work.js";
export { type CommittedPosition, readCommittedPosition, recordPosition } from "./resume/committed-position.js";
export { GUESTS, IN_TRANSIT, readGuests, readInTransit } from "./served-state.js";
export { RunMeasurements } from "./run-measurements.js";
export { Pipeline } from "./pipeline.js";
export type { ApplyInput } from "./resume/resumption.js";
export { readWorldEnd, type WorldEnd } from "./resume/world-end.js";
export type { Reexecution } from "./resume/reexecution.js";
export { RunPosition } from "./resume/run-position.js";
export { ReplyReader } from "./replies/reply-reader.js";
export { senderFor, senderEndedError, threadedSenderFor } from "./sender-for.js";
export type { Progress, RunTotals } from "./run-totals.js";
export { findReceiverSwitch, isListening, type ReceiverSwitch, waitForReceiver } from "./receiver-switch.js";
export { HostWatch } from "./host/host-watch.js";
export { LiveClock, type ClockStatus } from "./time/clock.js";
export { drainLimitMs, drainText } from "./time/drain.js";
export { allAnswered } from "./time/simulation.js";
export { refuseCrossings } from "./part/crossings.js";
export { playToEnd, type Pace } from "./time/pace.js";
export { StepGate } from "./time/step-gate.js";
export { PLAY_AHEAD_MS } from "./time/paced.js";
export type { Happening } from "./happening.js";
export { refuseUrl } from "./refuse-url.js";
export { FileRefusal, filesBeside, readNamedFile } from "./named-file.js";
export { applyDeliveryTrouble } from "./delivery-trouble.js";
