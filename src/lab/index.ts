/** One run: world, service and delivery under one clock. `Lab` joins them; `time/` has the lockstep, paced and max loops. */
export { loadFakes, prepareScenarioFakes } from "./fakes.js";
export { Gauge, joinedReading } from "./gauge.js";
export { RunHands, noteClock, performHand } from "./hands.js";
export { Lab, afloatIn, guestsIn } from "./lab.js";
export { Measuring } from "./measuring.js";
export { Outgoing } from "./outgoing.js";
export { ReplyReader } from "./reply-reader.js";
export { senderFor, senderGone, threadedSenderFor, type SenderForOptions } from "./sender-for.js";
export type { Progress, Tallies } from "./tallies.js";
export { findSwitch, type ReceiverSwitch, waitForReceiver } from "./target.js";
export { LiveClock, type ClockStatus } from "./time/clock.js";
export { drainLimitMs, drainText } from "./time/drain.js";
export { allAnswered, type Driven } from "./time/loop.js";
export { drive, type Pace } from "./time/pace.js";
export { LEAD_MS } from "./time/paced.js";
export type { Happening } from "./happening.js";
export { refuseUrl } from "./refuse-url.js";
export { FileRefusal, filesBeside, readNamedFile } from "./named-file.js";
