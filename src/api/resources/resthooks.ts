import type { ResthookRow } from "../../account/index.js";
import { column, listMethod, type Resource } from "../resource.js";
import { schema } from "../../schema/index.js";

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
    record: {
      resthook: column(schema.slug, (row) => row.slug),
      created_on: column(schema.timestamp, (row, request) => request.timestamp(row.createdAtMs)),
      modified_on: column(schema.timestamp, (row, request) => request.timestamp(row.modifiedAtMs)),
    },
  }),
};
