export * from "./port.js";
export { type ControlGate, serveControl } from "./server.js";
export { offerStream } from "./stream.js";
