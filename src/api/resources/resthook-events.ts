import type { ListedResthookEvent } from "../../store/index.js";
import { resthookFilter } from "../value-types/resthook.js";
import { column, listMethod, type Resource } from "../resource.js";
import { schema } from "../../schema/index.js";

/** Events of resthooks (docs/reference/service-api.md#resthooks). A recording keeps all of them; none expires. */
export const resthookEvents: Resource = {
  name: "resthook_events",
  about: "What happened at the resthooks, and was posted to their subscribers.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ListedResthookEvent>({
    about: "Lists events of resthooks, the newest first.",
    list: ({ context }) => context.lists.resthookEvents,
    order: "created",
    filters: { resthook: resthookFilter("Events of the resthook with this slug") },
    record: {
      resthook: column(schema.slug, (row) => row.slug),
      data: column({ ...schema.anyObject, examples: [{ contact: { name: "Ada" } }] }, (row) => JSON.parse(row.data)),
      created_on: column(schema.timestamp, (row, request) => request.timestamp(row.createdAtMs)),
    },
  }),
};
