import type { FlowRow, RunCounts } from "../../account/index.js";
import type { StoredFlow } from "../../store/index.js";
import { flowTypes } from "../../wire/index.js";
import { isTrue, textFilter, timeFilters, uuidFilter } from "../filters.js";
import { column, listMethod, type Resource } from "../resource.js";
import { schema } from "../../schema/index.js";

/** Counts of a flow that never ran. */
const none: RunCounts = { active: 0, completed: 0, interrupted: 0, expired: 0, failed: 0 };

const runsSchema = schema.objectOf({
  active: schema.integer,
  waiting: { ...schema.integer, description: "Always 0: runs that wait are active here" },
  completed: schema.integer,
  interrupted: schema.integer,
  expired: schema.integer,
  failed: schema.integer,
});

const resultSchema = schema.objectOf({
  key: schema.text,
  name: schema.text,
  categories: schema.arrayOf(schema.text),
  node_uuids: schema.arrayOf(schema.text),
});

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
    record: {
      uuid: column(schema.uuid, (flow) => flow.uuid),
      name: column(schema.text, (flow) => flow.name),
      type: column(schema.oneOf(flowTypes), (flow) => flow.type),
      archived: column(schema.boolean, (flow) => flow.isArchived === 1),
      labels: column(schema.arrayOf(schema.reference), (flow) => JSON.parse(flow.labels) as FlowRow["labels"]),
      expires: column(
        { ...schema.integer, description: "Minutes of silence before a run expires" },
        (flow) => flow.expiresMinutes,
      ),
      runs: column(runsSchema, ({ id }, _request, counts) => ({ ...(counts.get(id) ?? none), waiting: 0 })),
      results: column(schema.arrayOf(resultSchema), ({ results }) =>
        (JSON.parse(results) as FlowRow["results"]).map(({ key, name, categories, nodeUuids }) => ({
          key,
          name,
          categories,
          node_uuids: nodeUuids,
        })),
      ),
      parent_refs: column(schema.arrayOf(schema.uuid), () => []),
      created_on: column(schema.timestamp, ({ createdAtMs }, request) => request.timestamp(createdAtMs)),
      modified_on: column(schema.timestamp, ({ modifiedAtMs }, request) => request.timestamp(modifiedAtMs)),
    },
    lookUp: (rows, { context }) => context.tables.runs.countsOf(rows.map(({ id }) => id)),
  }),
};
