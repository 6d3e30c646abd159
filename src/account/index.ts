/** What clients of the REST API change, one file a resource, and the account files that fill it. */
export { IdUuids } from "./id-uuids.js";
export { type Route, Routing } from "./routing.js";
export { type ContactRow, type ContactTable } from "./contact-table.js";
export { Account } from "./account.js";
export type { AccountTables } from "./tables.js";
export {
  Boundaries,
  type BoundaryLevel,
  type BoundaryRow,
  type BoundaryTable,
  type Geometry,
  type Place,
  type PlaceQuery,
} from "./boundaries.js";
export type { BroadcastOrder, BroadcastRow, BroadcastStatus, BroadcastTable } from "./broadcast-table.js";
export { Broadcasts } from "./broadcasts.js";
export {
  type CampaignEventContent,
  type CampaignEventRow,
  CampaignEvents,
  type CampaignEventTable,
  systemDates,
} from "./campaign-events.js";
export { type CampaignContent, type CampaignRow, Campaigns, type CampaignTable } from "./campaigns.js";
export { Contacts, type ContactChanges, type NewContact } from "./contacts.js";
export { AccountEnvironment } from "./field-context.js";
export {
  type Brings,
  type DefinitionExport,
  exportDefinitions,
  type ExportedCampaign,
  type ExportedTrigger,
  type ExportOrder,
  type MixedFlows,
} from "./load/export-definitions.js";
export type { FieldRow, FieldTable } from "./field-table.js";
export { Fields } from "./fields.js";
export {
  type FlowStartRow,
  FlowStarts,
  type FlowStartTable,
  type StartOrder,
  type StartStatus,
} from "./flow-starts.js";
export { type FlowDefinition, type FlowRow, Flows, type FlowTable } from "./flows.js";
export type { GroupRow, GroupTable } from "./group-table.js";
export { Groups } from "./groups.js";
export { type LabelRow, Labels, type LabelTable } from "./labels.js";
export type { MessageTable } from "./message-table.js";
export { MessageActions } from "./message-actions.js";
export { loadAccount, type LoadReport } from "./load/load-account.js";
export type { LoadCounts, LoadedKind } from "./load/resolver.js";
export {
  type PastRun,
  type RunAnswer,
  type RunCounts,
  type RunResult,
  type RunRow,
  Runs,
  type RunStep,
  type RunTable,
} from "./runs.js";
export { type TriggerRow, Triggers, type TriggerTable } from "./triggers.js";
export {
  accountOfDefinitions,
  type DefinitionProblem,
  type FlowSummary,
  flowSummary,
  type Imported,
  pathText,
} from "./definitions/index.js";
export { Organisation, type OrganisationTable, type TokenTable } from "./organisation.js";
export {
  type PendingRow,
  type ResthookAnswer,
  type ResthookAttemptRow,
  type ResthookDelivery,
  type ResthookEventRow,
  type ResthookOutcome,
  type ResthookRow,
  Resthooks,
  type ResthookTable,
  type SubscriberRow,
} from "./resthooks.js";
export { type ContactEnvironment, type ContactView, rawFieldOf } from "./text/contact-view.js";
export { type DateEnvironment, parseDateText } from "./text/date-text.js";
export * from "./text/field-values.js";
export { evaluateTemplate } from "./text/templates.js";
export type { ContactQueryError } from "./query/fault.js";
export { formatContactQuery } from "./query/format.js";
export { matchesQuery } from "./query/match.js";
export { contactQueryLengthMax, type ContactQueryReading, parseContactQuery } from "./query/parse.js";
export type { ContactQuerySchema } from "./query/property.js";
export { type ContactAttribute, type ContactQuery, contactQueryUses, type QueryUses } from "./query/query.js";
