/** What the service does: reports become events, replies become messages, silence becomes alarms. */
export * from "./journal.js";
export type { Directory, Emission, GatewayPorts } from "./ports.js";
export type { ChannelSpec } from "./channels.js";
export { Gateway, type FlowStep, type GatewayOptions, type ReplyEffect } from "./gateway.js";
