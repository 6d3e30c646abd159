import type { ListedLabel } from "../../store/index.js";
import type { ApiRequest } from "../api-request.js";
import { recordOf, listMethod, type Resource } from "../resource.js";
import { records } from "../../schema/index.js";
import { namedThing } from "./named-thing.js";

const { filters, post, remove, refuseMore } = namedThing({
  noun: "label",
  countMax: 250, // docs/reference/service-api.md#limits
  table: ({ context }) => context.tables.labels,
  registry: ({ context }) => context.account.labels,
  aboutPost: "Adds a label, or renames the one that `uuid` names.",
  aboutRemove: "Deletes a label; it goes from all messages.",
  exampleName: "To answer",
});

/** Message labels (docs/reference/service-api.md#labels). */
export const labels: Resource = {
  name: "labels",
  about: "Labels that sort incoming messages.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ListedLabel>({
    about: "Lists labels, the newest first.",
    list: ({ context }) => context.lists.labels,
    order: "created",
    filters,
    exclusive: ["uuid", "name"],
    record: recordOf(records.labels, {
      uuid: (label) => label.uuid,
      name: (label) => label.name,
      count: (label) => label.messages,
    }),
  }),
  post,
  remove,
};

/** @throws ApiError 400 when the account has the maximum number of labels */
export const refuseMoreLabels: (request: ApiRequest) => void = refuseMore;
