import type { ListedResthookEvent } from "../../store/index.js";
import { resthookFilter } from "../value-types/resthook.js";
import { recordOf, listMethod, type Resource } from "../resource.js";
import { records } from "../../schema/index.js";

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
    record: recordOf(records.resthook_events, {
      resthook: (row) => row.slug,
      data: (row) => JSON.parse(row.data),
      created_on: (row, request) => request.timestamp(row.createdAtMs),
    }),
  }),
};
