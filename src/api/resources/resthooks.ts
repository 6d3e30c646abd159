import type { ResthookRow } from "../../account/index.js";
import { recordOf, listMethod, type Resource } from "../resource.js";
import { records } from "../../schema/index.js";

/** Resthooks (docs/reference/service-api.md#resthooks). Flows and account files create them. */
export const resthooks: Resource = {
  name: "resthooks",
  about: "Named points at which flows tell other systems what happens.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ResthookRow>({
    about: "Lists resthooks; the one whose subscribers changed last comes first.",
    list: ({ context }) => context.lists.resthooks,
    order: "modified",
    filters: {},
    record: recordOf(records.resthooks, {
      resthook: (row) => row.slug,
      created_on: (row, request) => request.timestamp(row.createdAtMs),
      modified_on: (row, request) => request.timestamp(row.modifiedAtMs),
    }),
  }),
};
