import type { FlowRow, RunCounts } from "../../account/index.js";
import type { StoredFlow } from "../../store/index.js";
import { flowTypes } from "../../wire/index.js";
import { isTrue, textFilter, timeFilters, uuidFilter } from "../filters.js";
import { recordOf, listMethod, type Resource } from "../resource.js";
import { records, schema } from "../../schema/index.js";

/** Counts of a flow that never ran. */
const none: RunCounts = { active: 0, completed: 0, interrupted: 0, expired: 0, failed: 0 };

/** Flows (docs/reference/service-api.md#flows). They come from imports; the API only reads them. */
export const flows: Resource = {
  name: "flows",
  about: "Flows: automated conversations.",
  scope: "others",
  forSurveyors: true,
  list: listMethod<StoredFlow, ReadonlyMap<number, RunCounts>>({
    about: "Lists flows, the newest first; archived ones are among them.",
    list: ({ context }) => context.lists.flows,
    order: "created",
    filters: {
      uuid: uuidFilter("uuid", "The flow with this UUID"),
      type: textFilter("type", `Flows of this type: ${flowTypes.join(", ")}`),
      archived: {
        about: "Only archived flows, or only those that are not",
        schema: schema.boolean,
        parse: (value) => ["archived", isTrue(value) ? 1 : 0],
      },
      ...timeFilters("Modified"),
    },
    record: recordOf(records.flows, {
      uuid: (flow) => flow.uuid,
      name: (flow) => flow.name,
      type: (flow) => flow.type,
      archived: (flow) => flow.isArchived === 1,
      labels: (flow) => JSON.parse(flow.labels) as FlowRow["labels"],
      expires: (flow) => flow.expiresMinutes,
      runs: ({ id }, _request, counts) => ({ ...(counts.get(id) ?? none), waiting: 0 }),
      results: ({ results }) =>
        (JSON.parse(results) as FlowRow["results"]).map(({ key, name, categories, nodeUuids }) => ({
          key,
          name,
          categories,
          node_uuids: nodeUuids,
        })),
      parent_refs: () => [],
      created_on: ({ createdAtMs }, request) => request.timestamp(createdAtMs),
      modified_on: ({ modifiedAtMs }, request) => request.timestamp(modifiedAtMs),
    }),
    lookUp: (rows, { context }) => context.tables.runs.countsOf(rows.map(({ id }) => id)),
  }),
};
