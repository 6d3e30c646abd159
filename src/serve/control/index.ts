export * from "./phones-port.js";
export * from "./account-port.js";
export * from "./port.js";
export * from "./story-port.js";
export { type ControlGate, serveControl } from "./server.js";
export { streamUpgrade } from "./stream.js";
export { answerMoments } from "./past.js";
export type { PastGet, PastReader } from "./past-port.js";
