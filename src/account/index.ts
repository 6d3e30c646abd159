/** The data that clients of the REST API change, one file per resource, and the account files that fill it. */
export { Account } from "./account.js";
export type { AccountPorts } from "./account-ports.js";
export type { AccountTables } from "./tables/account-tables.js";
export { withMethods } from "./tables/with-methods.js";
export type { BoundaryRow, BoundaryTable, Geometry } from "./boundaries.js";
export type { BroadcastOrder, BroadcastRow, BroadcastTable } from "./tables/broadcast-table.js";
export {
  type CampaignEventContent,
  type CampaignEventRow,
  type CampaignEventTable,
  EVENTS_MAX,
  systemDates,
} from "./campaign-events.js";
export type { CampaignRow, CampaignTable } from "./campaigns.js";
export type { CampaignFire, CampaignFireTable, ListedFire } from "./tables/campaign-fire-table.js";
export { type ContactRow, type ContactTable, phoneOf } from "./tables/contact-table.js";
export type { ContactChanges } from "./contacts.js";
export type { FieldRow, FieldTable } from "./fields.js";
export type { FlowCallAnswer, FlowCallOrder, FlowCallTable } from "./flow-calls.js";
export type { FlowStartRow, FlowStartTable } from "./tables/flow-start-table.js";
export type { FlowJson, FlowRow, FlowTable } from "./flows.js";
export type { GroupRow, GroupTable } from "./tables/group-table.js";
export { IdUuids } from "./id-uuids.js";
export type { LabelRow, LabelTable } from "./labels.js";
export type { MessageTable } from "./tables/message-table.js";
export type { OrganisationTable, TokenTable } from "./organisation.js";
export {
  type PendingRow,
  type ResthookAnswer,
  type ResthookAttemptRow,
  type ResthookDelivery,
  type ResthookEventRow,
  type ResthookRow,
  type ResthookTable,
  type SubscriberRow,
  SUBSCRIBERS_MAX,
} from "./resthooks.js";
export type { RunCounts, LatestResult, RunRow, RunStep, RunTable } from "./runs.js";
export type { SessionRow, SessionTable } from "./sessions/session-table.js";
export type { TriggerCondition, TriggerRow, TriggerTable } from "./triggers.js";
export { accountOfDefinitions, flowSummary, pathText, slugOf as resultKey } from "./definitions/index.js";
export { type Brings, exportDefinitions, type MixedFlows } from "./load/export-definitions.js";
export { flowProblems } from "./load/flow-problems.js";
export { missingInData } from "./load/missing-in-data.js";
export { AccountLoad, loadAccount, type LoadReport } from "./load/load-account.js";
export { formatContactQuery } from "./query/format.js";
export { matchesQuery } from "./query/match.js";
export { contactQueryLengthMax, parseContactQuery } from "./query/parse.js";
export type { ContactQuerySchema } from "./query/property.js";
export { type ContactQuery, contactQueryUses } from "./query/query.js";
export { type ContactContext, type ContactView, rawFieldOf } from "./text/contact-view.js";
export { parseDateText } from "./text/date-text.js";
export * from "./text/field-values.js";
