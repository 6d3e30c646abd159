import type { LatestResult, RunStep } from "../../account/index.js";
import type { ListedRun } from "../../store/index.js";
import type { ApiRequest } from "../api-request.js";
import { type Filter, integerFilter, isTrue, lookupFilter, timeFilters, uuidFilter } from "../filters.js";
import { recordOf, listMethod, type Resource } from "../resource.js";
import { type RecordOf, records, schema } from "../../schema/index.js";

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
    record: recordOf(records.runs, {
      id: (run) => run.id,
      uuid: (run) => run.uuid,
      flow: ({ flowUuid, flowName }) => ({ uuid: flowUuid, name: flowName }),
      contact: ({ contactUuid, contactName }) => ({ uuid: contactUuid, name: contactName }),
      start: ({ startUuid }) => (startUuid === null ? null : { uuid: startUuid }),
      responded: (run) => run.hasResponded === 1,
      path: (run, request) => pathOf(run, request),
      values: (run, request) => valuesOf(run, request),
      created_on: ({ createdAtMs }, request) => request.timestamp(createdAtMs),
      modified_on: ({ modifiedAtMs }, request) => request.timestamp(modifiedAtMs),
      exited_on: ({ exitedAtMs }, request) => (exitedAtMs === null ? null : request.timestamp(exitedAtMs)),
      exit_type: (run) => run.exit,
      embedded_fields: ({ embeddedData }) => (embeddedData === null ? null : JSON.parse(embeddedData)),
    }),
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
function pathOf({ path }: ListedRun, request: ApiRequest): RecordOf<"runs">["path"] {
  const asked = request.param("paths");
  if (asked !== undefined && !isTrue(asked)) return [];
  return (JSON.parse(path) as RunStep[]).map(({ node, atMs }) => ({ node, time: request.timestamp(atMs) }));
}

function valuesOf({ results }: ListedRun, request: ApiRequest): RecordOf<"runs">["values"] {
  const shown = Object.entries(JSON.parse(results) as Record<string, LatestResult>).map(([key, result]) => {
    const { name, value, category, node, atMs, input } = result;
    const time = request.timestamp(atMs);
    return [key, { name, value, category, node, time, input, input_corrected: null }] as const;
  });
  return Object.fromEntries(shown);
}
