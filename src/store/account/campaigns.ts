import type { Connection } from "../sqlite/connection.js";
import type { CampaignRow, CampaignTable } from "../../account/index.js";
import { List } from "./list.js";
import { NameIndex } from "./name-index.js";
import { Counter, replaceInto, type SqlWriter } from "./sql-writer.js";
import { rowReader } from "./stored-row.js";

const columns = `campaign.id, campaign.uuid, campaign.name, campaign.contact_group AS "group",
  campaign.is_archived AS isArchived, campaign.created_at_ms AS createdAtMs`;

const campaignFrom = rowReader<CampaignRow>()({ flags: ["isArchived"] });

/** A campaign as SQLite gives it. */
type StoredCampaign = Parameters<typeof campaignFrom>[0];

/** Campaigns in SQLite. */
export function campaignTable({ database, write }: SqlWriter): CampaignTable {
  const select = `SELECT ${columns} FROM campaign`;
  const byId = database.prepare<[number], StoredCampaign>(`${select} WHERE id = ?`);
  const byUuid = database.prepare<[string], StoredCampaign>(`${select} WHERE uuid = ?`);
  const names = new NameIndex(database, "campaign");
  const all = database.prepare<[], StoredCampaign>(`${select} ORDER BY id`);
  const put = database.prepare(
    replaceInto("campaign", ["id", "uuid", "name", "contact_group", "is_archived", "created_at_ms"]),
  );
  const ids = new Counter(database, "campaign");
  return {
    get: (id) => given(byId.get(id)),
    byUuid: (uuid) => given(byUuid.get(uuid)),
    byName: (name) => given(byId.get(names.firstWith(name) ?? 0)),
    all: () => all.all().map(campaignFrom),
    nextId: () => ids.next(),
    put({ id, uuid, name, group, isArchived, createdAtMs }) {
      write(put, id, uuid, name, group, isArchived ? 1 : 0, createdAtMs);
      names.put({ id, name });
    },
  };
}

function given(stored: StoredCampaign | undefined): CampaignRow | undefined {
  return stored === undefined ? undefined : campaignFrom(stored);
}

/** A campaign as the API lists it. */
export interface ListedCampaign extends StoredCampaign {
  readonly groupUuid: string;
  readonly groupName: string;
}

/** Campaigns, newest first. */
export function campaignList(database: Connection): List<ListedCampaign> {
  return new List(database, {
    columns: `${columns}, contact_group.uuid AS groupUuid, contact_group.name AS groupName`,
    from: "campaign LEFT JOIN contact_group ON contact_group.id = campaign.contact_group",
    orders: { created: { position: "campaign.created_at_ms", tie: "campaign.id" } },
    filters: { uuid: "campaign.uuid = ?" },
    key: "campaign.id",
  });
}
