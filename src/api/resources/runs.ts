import type { LatestResult, RunStep } from "../../account/index.js";
import type { ListedRun } from "../../store/index.js";
import { exitTypes } from "../../wire/index.js";
import type { ApiRequest } from "../api-request.js";
import { type Filter, integerFilter, isTrue, lookupFilter, timeFilters, uuidFilter } from "../filters.js";
import { column, listMethod, type Resource } from "../resource.js";
import { schema } from "../../schema/index.js";

const stepSchema = schema.objectOf({ node: schema.text, time: schema.timestamp });

const valueSchema = schema.objectOf({
  name: schema.text,
  value: schema.text,
  category: schema.nullable(schema.text),
  node: schema.text,
  time: schema.timestamp,
  input: schema.nullable(schema.text),
  input_corrected: { type: "null" },
});

/** Runs of flows (docs/reference/service-api.md#runs). */
export const runs: Resource = {
  name: "runs",
  about: "Runs: each is one contact's passage through a flow.",
  scope: "runs",
  forSurveyors: true,
  list: listMethod<ListedRun>({
    about: "Lists runs, the last modified first.",
    list: ({ context }) => context.lists.runs,
    order: "modified",
    canReverse: true,
    filters: {
      id: integerFilter("id", "The run with this id"),
      uuid: uuidFilter("uuid", "The run with this UUID"),
      flow: lookupFilter("flow", "Runs of the flow with this UUID", findFlow),
      contact: lookupFilter("contact", "Runs of the contact with this UUID", findContact),
      responded: {
        about: "Only runs that the contact has answered",
        schema: schema.boolean,
        parse: (value) => (isTrue(value) ? ["responded"] : "all"),
      },
      ...timeFilters("Modified"),
      reverse: displayParameter("The first modified first"),
      paths: displayParameter("Whether records have their path; false: it is empty. Default: true"),
    },
    exclusive: ["flow", "contact"],
    record: {
      id: column(schema.integer, (run) => run.id),
      uuid: column(schema.uuid, (run) => run.uuid),
      flow: column(schema.reference, ({ flowUuid, flowName }) => ({ uuid: flowUuid, name: flowName })),
      contact: column(schema.reference, ({ contactUuid, contactName }) => ({ uuid: contactUuid, name: contactName })),
      start: column(schema.nullable(schema.objectOf({ uuid: schema.uuid })), ({ startUuid }) =>
        startUuid === null ? null : { uuid: startUuid },
      ),
      responded: column(schema.boolean, (run) => run.hasResponded === 1),
      path: column(schema.arrayOf(stepSchema), (run, request) => pathOf(run, request)),
      values: column({ type: "object", additionalProperties: valueSchema }, (run, request) => valuesOf(run, request)),
      created_on: column(schema.timestamp, ({ createdAtMs }, request) => request.timestamp(createdAtMs)),
      modified_on: column(schema.timestamp, ({ modifiedAtMs }, request) => request.timestamp(modifiedAtMs)),
      exited_on: column(schema.nullable(schema.timestamp), ({ exitedAtMs }, request) =>
        exitedAtMs === null ? null : request.timestamp(exitedAtMs),
      ),
      exit_type: column(schema.nullable(schema.oneOf(exitTypes)), (run) => run.exit),
      embedded_fields: column({ description: "The `@embed` data of its start; null: none" }, ({ embeddedData }) =>
        embeddedData === null ? null : JSON.parse(embeddedData),
      ),
    },
  }),
};

function findFlow(value: string, { context }: ApiRequest): number | undefined {
  return context.tables.flows.byUuid(value.toLowerCase())?.id;
}

function findContact(value: string, { context }: ApiRequest): number | undefined {
  const contact = context.tables.contacts.byUuid(value.toLowerCase());
  return contact?.state === "deleted" ? undefined : contact?.row;
}

/** A parameter that changes how records are shown and does not filter them. */
function displayParameter(about: string): Filter {
  return { about, schema: schema.boolean, parse: () => "all" };
}

/** The path, empty with `paths=false`. Newer systems then answer null, which their own client cannot parse. */
function pathOf({ path }: ListedRun, request: ApiRequest): unknown[] {
  const asked = request.param("paths");
  if (asked !== undefined && !isTrue(asked)) return [];
  return (JSON.parse(path) as RunStep[]).map(({ node, atMs }) => ({ node, time: request.timestamp(atMs) }));
}

function valuesOf({ results }: ListedRun, request: ApiRequest): Record<string, unknown> {
  const shown = Object.entries(JSON.parse(results) as Record<string, LatestResult>).map(([key, result]) => {
    const { name, value, category, node, atMs, input } = result;
    return [key, { name, value, category, node, time: request.timestamp(atMs), input, input_corrected: null }];
  });
  return Object.fromEntries(shown) as Record<string, unknown>;
}
