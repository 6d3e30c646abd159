import type { ListedFlowStart } from "../../store/index.js";
import { wholeBodyError } from "../error.js";
import { booleanType, clearable, listType, optional, required } from "../body-fields.js";
import { integerFilter, timeFilters, uuidFilter } from "../filters.js";
import { flowData } from "../value-types/flow-data.js";
import { urnListType } from "../value-types/urn.js";
import { contactReference, flowReference, groupReference } from "../value-types/references.js";
import { recordOf, listMethod, postMethod, type Resource } from "../resource.js";
import { records, type Reference } from "../../schema/index.js";

/** Flow starts (docs/reference/service-api.md#flow-starts). */
export const flowStarts: Resource = {
  name: "flow_starts",
  about:
    "Flow starts: each names contacts for a flow. Their runs begin within seconds of virtual time; poll the start, or runs.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ListedFlowStart>({
    about: "Lists flow starts, the last modified first.",
    list: ({ context }) => context.lists.flowStarts,
    order: "modified",
    filters: {
      id: integerFilter("id", "The start with this id"),
      uuid: uuidFilter("uuid", "The start with this UUID"),
      ...timeFilters("Modified"),
    },
    record: recordOf(records.flow_starts, {
      id: (start) => start.id,
      uuid: (start) => start.uuid,
      flow: ({ flowUuid, flowName }) => ({ uuid: flowUuid, name: flowName }),
      status: (start) => start.status,
      groups: (start) => JSON.parse(start.groups) as Reference[],
      contacts: (start) => JSON.parse(start.contacts) as Reference[],
      restart_participants: (start) => start.restartsParticipants === 1,
      exclude_active: (start) => start.excludesActive === 1,
      extra: ({ extra }) => fromJson(extra),
      params: ({ extra }) => fromJson(extra),
      embedded_data: ({ embeddedData }) => fromJson(embeddedData),
      progress: ({ total, started }) => ({ total: total ?? -1, started }),
      created_on: ({ createdAtMs }, request) => request.timestamp(createdAtMs),
      modified_on: ({ modifiedAtMs }, request) => request.timestamp(modifiedAtMs),
    }),
  }),
  post: postMethod({
    about:
      "Starts contacts in a flow: the answer is `pending`, the runs begin at once in virtual time. A URN without a contact gets one. A contact in another flow is interrupted.",
    fields: {
      flow: required(flowReference, "May be archived"),
      groups: optional(listType(groupReference), "Their members are started"),
      contacts: optional(listType(contactReference), "They are started"),
      urns: optional(urnListType, "The contacts with these addresses are started"),
      restart_participants: optional(
        booleanType,
        "False: contacts that ever were in this flow are left out. Default: true",
      ),
      exclude_active: optional(booleanType, "True: contacts that are in a flow now are left out. Default: false"),
      extra: clearable(flowData, "What the flow reads as `@extra`"),
      params: clearable(flowData, "The newer name of `extra`; it wins over it"),
      embedded_data: clearable(flowData, "What the flow reads as `@embed`"),
    },
    example: {
      flow: "1c593af5-14aa-4e71-ad3c-7dec00a61f93",
      urns: ["tel:+12065550110"],
      restart_participants: true,
      extra: { place: "Old Harbour" },
    },
    check(values, request) {
      const { groups = [], contacts = [], urns = [] } = values;
      if (request.isStrict && groups.length + contacts.length + urns.length === 0) {
        throw wholeBodyError("Give at least one of groups, contacts or urns");
      }
      const { account } = request.context;
      return () => {
        const reached = urns.map((urn) => account.contacts.withUrn(urn));
        const start = account.flowStarts.add({
          flow: values.flow.id,
          groups: groups.map(({ id }) => id),
          contacts: [...contacts, ...reached].map(({ row }) => row),
          restartsParticipants: values.restart_participants ?? true,
          excludesActive: values.exclude_active ?? false,
          extra: values.params ?? values.extra ?? null,
          embeddedData: values.embedded_data ?? null,
        });
        return { status: 201, key: start.id };
      };
    },
  }),
};

function fromJson(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
