export * from "./port.js";
export { type ControlGate, serveControl } from "./server.js";
export { streamUpgrade } from "./stream.js";
