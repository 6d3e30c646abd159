import type { Connection } from "../sqlite/connection.js";
import type { CampaignEventRow, CampaignEventTable } from "../../account/index.js";
import { List } from "./list.js";
import { Counter, rowPutter, type SqlWriter } from "./sql-writer.js";

const columns = `campaign_event.id, campaign_event.uuid, campaign_event.campaign, campaign_event.relative_to AS relativeTo,
  campaign_event.offset, campaign_event.unit, campaign_event.delivery_hour AS deliveryHour, campaign_event.message,
  campaign_event.base_language AS baseLanguage, campaign_event.flow, campaign_event.embedded_data AS embeddedData,
  campaign_event.start_mode AS startMode, campaign_event.created_at_ms AS createdAtMs`;

/** A campaign event as SQLite gives it: `message` and `embeddedData` are JSON. */
type StoredEvent = Omit<CampaignEventRow, "message" | "embeddedData" | "startMode"> & {
  readonly message: string | null;
  readonly embeddedData: string | null;
  readonly startMode: "I" | "S" | "P";
};

const startModes = { I: "interrupt", S: "skip", P: "passive" } as const;
const startModeLetters = { interrupt: "I", skip: "S", passive: "P" } as const;

/** Campaign events in SQLite. Removed ones stay in the table, so that their ids are not given out again. */
export function campaignEventTable(writer: SqlWriter): CampaignEventTable {
  const { database, write } = writer;
  const select = `SELECT ${columns} FROM campaign_event WHERE is_active = 1`;
  const byId = database.prepare<[number], StoredEvent>(`${select} AND id = ?`);
  const byUuid = database.prepare<[string], StoredEvent>(`${select} AND uuid = ?`);
  const ofCampaign = database.prepare<[number], StoredEvent>(`${select} AND campaign = ? ORDER BY id`);
  const campaignsWithFlow = database.prepare<[number], number>(
    "SELECT DISTINCT campaign FROM campaign_event WHERE is_active = 1 AND flow = ? ORDER BY campaign",
    "value",
  );
  const put = rowPutter(writer, "campaign_event", (row: CampaignEventRow) => ({
    id: row.id,
    uuid: row.uuid,
    campaign: row.campaign,
    relative_to: row.relativeTo,
    offset: row.offset,
    unit: row.unit,
    delivery_hour: row.deliveryHour,
    message: row.message === null ? null : JSON.stringify(row.message),
    base_language: row.baseLanguage,
    flow: row.flow,
    embedded_data: row.embeddedData === null ? null : JSON.stringify(row.embeddedData),
    start_mode: startModeLetters[row.startMode],
    created_at_ms: row.createdAtMs,
    is_active: 1,
  }));
  const remove = database.prepare("UPDATE campaign_event SET is_active = 0 WHERE id = ?");
  const ids = new Counter(database, "campaign_event");
  return {
    get: (id) => given(byId.get(id)),
    byUuid: (uuid) => given(byUuid.get(uuid)),
    ofCampaign: (campaign) => ofCampaign.all(campaign).map(eventFrom),
    campaignsWithFlow: (flow) => campaignsWithFlow.all(flow),
    nextId: () => ids.next(),
    put,
    remove: (id) => write(remove, id),
  };
}

function eventFrom(stored: StoredEvent): CampaignEventRow {
  return {
    ...stored,
    message: stored.message === null ? null : (JSON.parse(stored.message) as CampaignEventRow["message"]),
    embeddedData: stored.embeddedData === null ? null : (JSON.parse(stored.embeddedData) as unknown),
    startMode: startModes[stored.startMode],
  };
}

function given(stored: StoredEvent | undefined): CampaignEventRow | undefined {
  return stored === undefined ? undefined : eventFrom(stored);
}

/** A campaign event as the API lists it. */
export interface ListedCampaignEvent extends StoredEvent {
  readonly campaignUuid: string;
  readonly campaignName: string;
  /** Null for a date that is not a contact field. */
  readonly fieldLabel: string | null;
  readonly flowUuid: string | null;
  readonly flowName: string | null;
}

/** Campaign events that are not removed, newest first. */
export function campaignEventList(database: Connection): List<ListedCampaignEvent> {
  return new List(database, {
    columns: `${columns}, campaign.uuid AS campaignUuid, campaign.name AS campaignName,
      contact_field.label AS fieldLabel, flow.uuid AS flowUuid, flow.name AS flowName`,
    from: `campaign_event
      LEFT JOIN campaign ON campaign.id = campaign_event.campaign
      LEFT JOIN contact_field ON contact_field.key = campaign_event.relative_to
      LEFT JOIN flow ON flow.id = campaign_event.flow`,
    where: "campaign_event.is_active = 1",
    orders: { created: { position: "campaign_event.created_at_ms", tie: "campaign_event.id" } },
    filters: { uuid: "campaign_event.uuid = ?", campaign: "campaign_event.campaign = ?" },
    key: "campaign_event.id",
  });
}
