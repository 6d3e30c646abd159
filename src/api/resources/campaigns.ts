import type { CampaignRow } from "../../account/index.js";
import type { ListedCampaign } from "../../store/index.js";
import type { ApiRequest } from "../api-request.js";
import { fieldError } from "../error.js";
import { required, textType } from "../body-fields.js";
import { uuidFilter } from "../filters.js";
import { groupReference } from "../value-types/references.js";
import { recordOf, type Identifier, listMethod, postMethod, type Resource } from "../resource.js";
import { records, schema } from "../../schema/index.js";

const byUuid: Identifier<CampaignRow> = {
  about: "UUID of the campaign",
  schema: schema.uuid,
  find: (value, { context }) => context.tables.campaigns.byUuid(value.toLowerCase()),
};

/** Campaigns (docs/reference/service-api.md#campaigns). There is no way to delete or archive one through the API. */
export const campaigns: Resource = {
  name: "campaigns",
  about: "Campaigns: messages and flows that follow dates in the fields of a group's contacts.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ListedCampaign>({
    about: "Lists campaigns, the newest first; archived ones are among them.",
    list: ({ context }) => context.lists.campaigns,
    order: "created",
    filters: { uuid: uuidFilter("uuid", "The campaign with this UUID") },
    record: recordOf(records.campaigns, {
      uuid: (campaign) => campaign.uuid,
      name: (campaign) => campaign.name,
      archived: (campaign) => campaign.isArchived === 1,
      group: ({ groupUuid, groupName }) => ({ uuid: groupUuid, name: groupName }),
      created_on: ({ createdAtMs }, request) => request.timestamp(createdAtMs),
    }),
  }),
  post: postMethod({
    about: "Adds a campaign, or changes the one that `uuid` names.",
    identifiers: { uuid: byUuid },
    fields: {
      name: required(textType({ max: 255 }), "Unique in any case"),
      group: required(groupReference, "The contacts that it is for"),
    },
    example: { name: "Second doses", group: "Mothers" },
    check({ name, group }, request, identified) {
      const campaign = identified?.target;
      refuseTaken(name, campaign, request);
      const { account } = request.context;
      const content = { name, group: group.id };
      if (campaign === undefined) return () => ({ status: 201, key: account.campaigns.add(content).id });
      return () => ({ status: 200, key: account.campaigns.change(campaign, content).id });
    },
  }),
};

function refuseTaken(name: string, campaign: CampaignRow | undefined, { context }: ApiRequest): void {
  const other = context.tables.campaigns.byName(name);
  if (other !== undefined && other.id !== campaign?.id) throw fieldError("name", "This field must be unique.");
}
