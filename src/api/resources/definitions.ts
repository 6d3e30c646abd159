import {
  type Brings,
  type CampaignRow,
  exportDefinitions,
  type FlowRow,
  type MixedFlows,
} from "../../account/index.js";
import type { ApiRequest } from "../api-request.js";
import { detailError } from "../error.js";
import { shorten } from "../body-fields.js";
import type { Resource } from "../resource.js";
import { type JsonSchema, schema } from "../../schema/index.js";

const uuids: JsonSchema = { ...schema.arrayOf(schema.uuid), description: "One or more, the parameter repeated" };

const campaignSchema = schema.objectOf({
  uuid: schema.uuid,
  name: schema.text,
  group: schema.reference,
  events: schema.arrayOf(
    schema.objectOf({
      uuid: schema.uuid,
      event_type: { ...schema.oneOf(["F", "M"]), description: "F starts a flow, M sends a message" },
      relative_to: schema.objectOf({ key: schema.text, label: schema.text }),
      offset: schema.integer,
      unit: { ...schema.oneOf(["M", "H", "D", "W"]), description: "Minutes, hours, days or weeks" },
      delivery_hour: schema.integer,
      message: schema.nullable(schema.translations),
      flow: schema.nullable(schema.reference),
      base_language: schema.nullable(schema.text),
      embedded_data: schema.nullable(schema.anyObject),
      start_mode: {
        ...schema.oneOf(["I", "S", "P"]),
        description: "Contacts who are in a flow: I interrupts it, S skips them, P leaves it alone",
      },
    }),
  ),
});

const triggerSchema = schema.objectOf({
  trigger_type: { ...schema.text, description: "A letter: K keyword, C catch-all, M missed request…" },
  keyword: schema.nullable(schema.text),
  match_type: { ...schema.oneOf(["F", "O"]), description: "F: first word of the message; O: its only word" },
  flow: schema.reference,
  groups: schema.arrayOf(schema.reference),
  exclude_groups: schema.arrayOf(schema.reference),
  channel: schema.nullable(schema.uuid),
});

/** Definitions of flows and campaigns (docs/reference/service-api.md#definitions), each as it was imported. */
export const definitions: Resource = {
  name: "definitions",
  about: "Definitions of flows and campaigns, to be imported elsewhere.",
  scope: "others",
  forSurveyors: true,
  single: {
    about: "Exports the flows and campaigns that are named; unknown ones are passed over.",
    parameters: {
      flow: { about: "UUIDs of flows", schema: uuids },
      campaign: { about: "UUIDs of campaigns", schema: uuids },
      dependencies: {
        about:
          "What comes along: `all` (also `true`; the default), `flows` (the flows that are reached, and their triggers), `none` (also `false`)",
        schema: { type: "string", examples: ["all", "flows", "none", "true", "false"] },
      },
      flow_uuid: { about: "Older name of `flow`; separated by commas", schema: schema.text },
      campaign_uuid: { about: "Older name of `campaign`; separated by commas", schema: schema.text },
    },
    schema: schema.objectOf({
      version: {
        type: ["integer", "string"],
        description:
          "13 of native flows; of legacy flows the lowest version among them, as a number without its minor part (`export-version`). Both in one export are refused",
      },
      site: schema.text,
      flows: schema.arrayOf(schema.anyObject),
      campaigns: schema.arrayOf(campaignSchema),
      triggers: schema.arrayOf(triggerSchema),
      fields: schema.arrayOf(schema.objectOf({ key: schema.text, name: schema.text, type: schema.text })),
      groups: schema.arrayOf(
        schema.objectOf({ uuid: schema.uuid, name: schema.text, query: schema.nullable(schema.text) }),
      ),
      links: { type: "array", description: "Always empty" },
    }),
    read(request) {
      const { account, organisation, tables } = request.context;
      const result = exportDefinitions(
        {
          flows: findNamed<FlowRow>("flow", tables.flows, request),
          campaigns: findNamed<CampaignRow>("campaign", tables.campaigns, request),
          brings: parseDependencies(request),
          language: organisation.primaryLanguage,
          context: account.fieldContext,
          channelUuid: (id) => account.channels.get(id).uuid,
        },
        tables,
      );
      if ("mixed" in result) throw detailError(400, mixedFault(result.mixed));
      const { version, ...exported } = result.exported;
      const shown = request.context.exportVersion === "text" ? version : Number.parseInt(version, 10);
      return { version: shown, site: request.site, ...exported, links: [] };
    },
  },
};

function mixedFault({ legacy, native }: MixedFlows): string {
  return (
    `"${shorten(legacy)}" is a legacy flow (before version 13) and "${shorten(native)}" a native one: one export has one version. ` +
    "Ask for the flows of one generation, with dependencies=none."
  );
}

/**
 * Finds the named objects. Only here every value of a repeated parameter counts
 * (docs/reference/service-api.md#query-parameters).
 */
function findNamed<Row>(name: string, table: { byUuid(uuid: string): Row | undefined }, { query }: ApiRequest): Row[] {
  const given = [...query.getAll(name), ...query.getAll(`${name}_uuid`)].flatMap((value) => value.split(","));
  const asked = new Set(given.map((uuid) => uuid.trim().toLowerCase()));
  return [...asked].flatMap((uuid) => (uuid.isWellFormed() && !uuid.includes("\0") ? (table.byUuid(uuid) ?? []) : []));
}

/**
 * Reads `dependencies`: a boolean in the reference, a word in real systems
 * (docs/reference/service-api.md#documentation-and-real-systems).
 */
function parseDependencies(request: ApiRequest): Brings {
  const value = (request.param("dependencies") ?? "all").toLowerCase();
  switch (value) {
    case "all":
    case "flows":
    case "none":
      return value;
    case "true":
    case "yes":
    case "y":
    case "1":
      return "all";
    case "false":
    case "no":
    case "n":
    case "0":
      return "none";
    default:
      if (request.isStrict) throw detailError(400, "dependencies must be one of none, flows, all");
      return "none";
  }
}
