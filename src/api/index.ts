/** The REST API v2 of the emulated service, its documentation and its explorer. */
export { Access } from "./access.js";
export { type Desk, type RecordedCall } from "./call.js";
export { type Gate } from "./routes.js";
export { type ApiOptions, apiServer } from "./server.js";
export { Throttle } from "./throttle.js";
export {
  type CallType,
  type ClockChange,
  type ClockStatus,
  type Control,
  type ControlGate,
  ControlRefusal,
  type Happening,
  type HandsetStatus,
  type LabStatus,
  type LoadStatus,
  streamUpgrade,
  type PersonStatus,
  serveControl,
  type SnapshotStatus,
  type ThrottleStatus,
  type ExampleNames,
  type VerbEntry,
} from "./control/index.js";
