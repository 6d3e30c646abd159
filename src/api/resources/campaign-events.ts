import {
  type CampaignEventContent,
  type CampaignEventRow,
  type CampaignRow,
  EVENTS_MAX,
  systemDates,
} from "../../account/index.js";
import type { ListedCampaignEvent } from "../../store/index.js";
import { campaignUnits } from "../../wire/index.js";
import { fieldError, wholeBodyError } from "../error.js";
import { choiceType, clearable, integerType, type ValueType, optional, required } from "../body-fields.js";
import { namedFilter, uuidFilter } from "../filters.js";
import { flowDataObject } from "../value-types/flow-data.js";
import { translations } from "../value-types/translations.js";
import { campaignReference, flowReference, referenceTo } from "../value-types/references.js";
import { recordOf, type Identifier, listMethod, postMethod, deleteMethod, type Resource } from "../resource.js";
import { records, schema } from "../../schema/index.js";

const byUuid: Identifier<CampaignEventRow> = {
  about: "UUID of the event",
  schema: schema.uuid,
  find: (value, { context }) => context.tables.campaignEvents.byUuid(value.toLowerCase()),
};

/** The key of a contact field, or of a date that every contact has. */
const dateReference: ValueType<string> = referenceTo(
  "Key of a contact field, or created_on, last_seen_on",
  (text, { context }) => (context.tables.fields.byKey(text) !== undefined || systemDates.has(text) ? text : undefined),
);

/** Campaign events (docs/reference/service-api.md#campaign-events). */
export const campaignEvents: Resource = {
  name: "campaign_events",
  about: "What campaigns do: send a message or start a flow before or after a date of each contact.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ListedCampaignEvent>({
    about: "Lists campaign events, the newest first.",
    list: ({ context }) => context.lists.campaignEvents,
    order: "created",
    filters: {
      uuid: uuidFilter("uuid", "The event with this UUID"),
      campaign: namedFilter(
        "campaign",
        "Events of the campaign with this UUID or name",
        ({ context }) => context.tables.campaigns,
      ),
    },
    record: recordOf(records.campaign_events, {
      uuid: (event) => event.uuid,
      campaign: ({ campaignUuid, campaignName }) => ({
        uuid: campaignUuid,
        name: campaignName,
      }),
      relative_to: ({ relativeTo: key, fieldLabel }) => {
        const label = fieldLabel ?? systemDates.get(key) ?? key;
        return { key, label, name: label };
      },
      offset: (event) => event.offset,
      unit: (event) => event.unit,
      delivery_hour: (event) => event.deliveryHour,
      flow: ({ flowUuid, flowName }) => (flowUuid === null ? null : { uuid: flowUuid, name: flowName }),
      message: ({ message }) => fromJson<Record<string, string>>(message),
      embedded_data: ({ embeddedData }) => fromJson<Record<string, unknown>>(embeddedData),
      created_on: ({ createdAtMs }, request) => request.timestamp(createdAtMs),
    }),
  }),
  post: postMethod({
    about: "Adds an event to a campaign, or changes the one that `uuid` names. It has either a message or a flow.",
    identifiers: { uuid: byUuid },
    fields: {
      campaign: optional(campaignReference, "Needed for a new event; an event stays in its campaign"),
      relative_to: required(dateReference, "Key of the contact field that holds the date"),
      offset: required(integerType(), "Units after the date; below zero: before it"),
      unit: required(choiceType(campaignUnits), "What `offset` counts"),
      delivery_hour: required(integerType({ min: -1, max: 23 }), "Hour of the day; -1: that of the date"),
      message: clearable(translations, "What is sent"),
      flow: clearable(flowReference, "What is started"),
      embedded_data: clearable(flowDataObject, "What the flow reads as `@embed`; absent or null: nothing"),
    },
    example: {
      campaign: "5079cb96-a1d8-4f47-8c87-d8c7bb6ddab9",
      relative_to: "first_dose",
      offset: -1,
      unit: "days",
      delivery_hour: 9,
      message: "Your visit is tomorrow.",
    },
    check(values, request, identified) {
      const event = identified?.target;
      const { message = null, flow = null, embedded_data: embedded = null } = values;
      if ((message === null) === (flow === null)) throw wholeBodyError("Give either message or flow");
      const content: CampaignEventContent = {
        relativeTo: values.relative_to,
        offset: values.offset,
        unit: values.unit,
        deliveryHour: values.delivery_hour,
        message,
        flow: flow?.id ?? null,
        baseLanguage: null,
        embeddedData: flow === null ? null : embedded,
        startMode: event?.startMode ?? "interrupt",
      };
      const { account } = request.context;
      if (event !== undefined) {
        refuseOther(values.campaign, event);
        return () => ({ status: 200, key: account.campaignEvents.change(event, content).id });
      }
      const { campaign } = values;
      if (campaign === undefined) throw fieldError("campaign", "This field is required.");
      if (account.campaignEvents.isFull(campaign.group)) {
        throw wholeBodyError(`The campaigns of the group have ${EVENTS_MAX} events, which is the limit`);
      }
      return () => ({ status: 201, key: account.campaignEvents.add({ ...content, campaign: campaign.id }).id });
    },
  }),
  remove: deleteMethod({
    about: "Deletes an event; what is still to come of it does not come.",
    identifiers: { uuid: byUuid },
    check:
      (event, { context }) =>
      () =>
        context.account.campaignEvents.remove(event),
  }),
};

function refuseOther(campaign: CampaignRow | undefined, event: CampaignEventRow): void {
  if (campaign === undefined || campaign.id === event.campaign) return;
  throw fieldError("campaign", "An event cannot change its campaign.");
}

function fromJson<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}
