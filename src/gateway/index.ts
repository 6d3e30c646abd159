/** What the service does: reports become events, replies become messages, silence becomes alarms. */
export * from "./journal.js";
export type { ResumedChannel, ResumeState } from "./resume.js";
export type { Directory, Emission, GatewayPorts, QueuedText, ResthookDelivery } from "./ports.js";
export type { Channel, ChannelSpec } from "./channels.js";
export { IdUuids } from "./id-uuids.js";
export { type Route, Routing } from "./routing.js";
export { Gateway, type FlowStep, type GatewayOptions, type ReplyEffect } from "./gateway.js";
export { type ContactRow, type ContactTable } from "./contacts.js";
export { Account } from "./account/account.js";
export type { AccountTables } from "./account/tables.js";
export {
  Boundaries,
  type BoundaryLevel,
  type BoundaryRow,
  type BoundaryTable,
  type Geometry,
  type Place,
  type PlaceQuery,
} from "./account/boundaries.js";
export type { BroadcastOrder, BroadcastRow, BroadcastStatus, BroadcastTable } from "./account/broadcast-table.js";
export { Broadcasts } from "./account/broadcasts.js";
export {
  type CampaignEventContent,
  type CampaignEventRow,
  CampaignEvents,
  type CampaignEventTable,
  systemDates,
} from "./account/campaign-events.js";
export { type CampaignContent, type CampaignRow, Campaigns, type CampaignTable } from "./account/campaigns.js";
export { AccountContacts, type ContactChanges, type NewContact } from "./account/contacts.js";
export { AccountEnvironment } from "./account/environment.js";
export {
  type Brings,
  type DefinitionExport,
  exportDefinitions,
  type ExportedCampaign,
  type ExportedTrigger,
  type ExportOrder,
  type MixedFlows,
} from "./account/export.js";
export type { FieldRow, FieldTable } from "./account/field-table.js";
export { Fields } from "./account/fields.js";
export {
  type FlowStartRow,
  FlowStarts,
  type FlowStartTable,
  type StartOrder,
  type StartStatus,
} from "./account/flow-starts.js";
export { type FlowDefinition, type FlowRow, Flows, type FlowTable } from "./account/flows.js";
export type { GroupRow, GroupTable } from "./account/group-table.js";
export { Groups } from "./account/groups.js";
export { type LabelRow, Labels, type LabelTable } from "./account/labels.js";
export type { KnownMessage, MessageTable } from "./account/message-table.js";
export { AccountMessages } from "./account/messages.js";
export { loadAccount, type LoadReport } from "./account/load.js";
export type { LoadCounts, LoadedKind } from "./account/load-resolver.js";
export {
  type PastRun,
  type RunAnswer,
  type RunCounts,
  type RunResult,
  type RunRow,
  Runs,
  type RunStep,
  type RunTable,
} from "./account/runs.js";
export { type TriggerRow, Triggers, type TriggerTable } from "./account/triggers.js";
export {
  accountOfDefinitions,
  type DefinitionProblem,
  type FlowSummary,
  flowSummary,
  type Imported,
  pathText,
} from "./definitions/index.js";
export { Organisation, type OrganisationTable, type TokenTable } from "./account/organisation.js";
export {
  type PendingRow,
  type ResthookAnswer,
  type ResthookAttemptRow,
  type ResthookEventRow,
  type ResthookOutcome,
  type ResthookRow,
  Resthooks,
  type ResthookTable,
  type SubscriberRow,
} from "./account/resthooks.js";
export { type ContactEnvironment, type ContactView, rawFieldOf } from "./contact-view.js";
export { type DateEnvironment, parseDateText } from "./date-text.js";
export * from "./field-values.js";
export { evaluateTemplate } from "./templates.js";
export type { ContactQueryError } from "./contact-query/fault.js";
export { formatContactQuery } from "./contact-query/format.js";
export { matchesQuery } from "./contact-query/match.js";
export { contactQueryLengthMax, type ContactQueryReading, parseContactQuery } from "./contact-query/parse.js";
export type { ContactQuerySchema } from "./contact-query/property.js";
export { type ContactAttribute, type ContactQuery, contactQueryUses, type QueryUses } from "./contact-query/query.js";
