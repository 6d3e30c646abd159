/** What the service does: reports become events, replies become messages, silence becomes alarms. */
export * from "./journal.js";
export type { Directory, Emission, GatewayPorts } from "./ports.js";
export type { ChannelSpec } from "./channels.js";
export { Gateway, type FlowStep, type GatewayOptions, type ReplyEffect } from "./gateway.js";
export { type ContactRow, type ContactTable } from "./contacts.js";
export { Account } from "./account/account.js";
export type { AccountTables } from "./account/tables.js";
export { type LabelRow, Labels, type LabelTable } from "./account/labels.js";
