import type { CampaignRow } from "../../account/index.js";
import type { ListedCampaign } from "../../store/index.js";
import type { Call } from "../call.js";
import { fieldError } from "../error.js";
import { required, text } from "../fields.js";
import { uuidFilter } from "../filters.js";
import { groupReference } from "../references.js";
import { column, type Identifier, listed, post, type Resource } from "../resource.js";
import * as schema from "../schema.js";

const byUuid: Identifier<CampaignRow> = {
  about: "UUID of the campaign",
  schema: schema.uuid,
  find: (value, { desk }) => desk.tables.campaigns.byUuid(value.toLowerCase()),
};

/** Campaigns (service-api.md 2.3). There is no way to delete or archive one through the API. */
export const campaigns: Resource = {
  name: "campaigns",
  about: "Campaigns: messages and flows that follow dates in the fields of a group's contacts.",
  scope: "others",
  forSurveyors: false,
  list: listed<ListedCampaign>({
    about: "Lists campaigns, the newest first; archived ones are among them.",
    list: ({ desk }) => desk.lists.campaigns,
    order: "created",
    filters: { uuid: uuidFilter("uuid", "The campaign with this UUID") },
    record: {
      uuid: column(schema.uuid, (campaign) => campaign.uuid),
      name: column(schema.text, (campaign) => campaign.name),
      archived: column(schema.boolean, (campaign) => campaign.isArchived === 1),
      group: column(schema.reference, ({ groupUuid, groupName }) => ({ uuid: groupUuid, name: groupName })),
      created_on: column(schema.timestamp, ({ createdAtMs }, call) => call.timestamp(createdAtMs)),
    },
  }),
  post: post({
    about: "Adds a campaign, or changes the one that `uuid` names.",
    identifiers: { uuid: byUuid },
    fields: {
      name: required(text({ max: 255 }), "Unique in any case"),
      group: required(groupReference, "The contacts that it is for"),
    },
    example: { name: "Second doses", group: "Mothers" },
    check({ name, group }, call, identified) {
      const campaign = identified?.target;
      refuseTaken(name, campaign, call);
      const { account } = call.desk;
      const content = { name, group: group.id };
      if (campaign === undefined) return () => ({ status: 201, key: account.campaigns.add(content).id });
      return () => ({ status: 200, key: account.campaigns.change(campaign, content).id });
    },
  }),
};

function refuseTaken(name: string, campaign: CampaignRow | undefined, { desk }: Call): void {
  const other = desk.tables.campaigns.byName(name);
  if (other !== undefined && other.id !== campaign?.id) throw fieldError("name", "This field must be unique.");
}
