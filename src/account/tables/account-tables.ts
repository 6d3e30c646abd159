import type { ContactTable } from "./contact-table.js";
import type { BoundaryTable } from "../boundaries.js";
import type { BroadcastTable } from "./broadcast-table.js";
import type { CampaignEventTable } from "../campaign-events.js";
import type { CampaignFireTable } from "./campaign-fire-table.js";
import type { CampaignTable } from "../campaigns.js";
import type { FieldTable } from "../fields.js";
import type { FlowCallTable } from "../flow-calls.js";
import type { SessionTable } from "../sessions/session-table.js";
import type { FlowStartTable } from "./flow-start-table.js";
import type { FlowTable } from "../flows.js";
import type { GroupTable } from "./group-table.js";
import type { LabelTable } from "../labels.js";
import type { MessageTable } from "./message-table.js";
import type { OrganisationTable, TokenTable } from "../organisation.js";
import type { ResthookTable } from "../resthooks.js";
import type { RunTable } from "../runs.js";
import type { TriggerTable } from "../triggers.js";

/** The tables of the account. The store implements them; all methods are synchronous. */
export interface AccountTables {
  readonly boundaries: BoundaryTable;
  readonly broadcasts: BroadcastTable;
  readonly campaignEvents: CampaignEventTable;
  readonly campaignFires: CampaignFireTable;
  readonly campaigns: CampaignTable;
  readonly contacts: ContactTable;
  readonly fields: FieldTable;
  readonly flowCalls: FlowCallTable;
  readonly flows: FlowTable;
  readonly flowSessions: SessionTable;
  readonly flowStarts: FlowStartTable;
  readonly groups: GroupTable;
  readonly labels: LabelTable;
  readonly messages: MessageTable;
  readonly organisation: OrganisationTable;
  readonly resthooks: ResthookTable;
  readonly runs: RunTable;
  readonly tokens: TokenTable;
  readonly triggers: TriggerTable;
}
