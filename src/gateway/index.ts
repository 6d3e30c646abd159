/**
 * The emulated service on the path of texts and calls: reports become events, replies become messages, and a silent
 * channel raises an alarm.
 */
export * from "./journal.js";
export { type Channel, Channels, type ChannelSpec } from "./channels.js";
export type { Contact, ContactBook } from "./contacts.js";
export type { ContinuedChannel, ContinuedState } from "./continued-state.js";
export type { FlowHandler, HandledText, TextHandling } from "./flow-handler.js";
export { type ChannelView, type FlowStep, Gateway, type ReplyEffect } from "./gateway.js";
export { type KnownMessage, Messages, type RecordedMessages } from "./messages.js";
export type { ServiceFault } from "./service-faults.js";
export type { RefusedSends } from "./refused-sends.js";
export type { Registration, RegistrationRow } from "./registration.js";
export type { Emission, GatewayPorts, QueuedText } from "./ports.js";
