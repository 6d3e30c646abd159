import type { Resource } from "../resource.js";
import { type JsonSchema, schema } from "../../schema/index.js";

/**
 * A resource of newer versions of the service (docs/reference/service-api.md#documentation-and-real-systems). Its list
 * is always empty. Newer clients request it at their start and fail on a 404.
 */
function emptyList(name: string, about: string, record: Readonly<Record<string, JsonSchema>>): Resource {
  return {
    name,
    about,
    scope: "others",
    forSurveyors: false,
    isExtension: true,
    single: {
      about: "Lists none: there are none here. Younger than the reference; with `--strict` it is not there.",
      parameters: {},
      schema: schema.objectOf({
        next: { type: "null" },
        previous: { type: "null" },
        results: { ...schema.arrayOf(schema.objectOf(record)), maxItems: 0, examples: [[]] },
      }),
      read: () => ({ next: null, previous: null, results: [] }),
    },
  };
}

const named = { uuid: schema.uuid, name: schema.text };

/** Resources that newer clients request, in the order of the documentation. */
export const newerResources: readonly Resource[] = [
  emptyList("archives", "Files of messages and runs that were moved out of the account.", {
    type: schema.oneOf(["message", "run"]),
    start_date: schema.text,
    period: schema.oneOf(["daily", "monthly"]),
    record_count: schema.integer,
    size: schema.integer,
    hash: schema.text,
    download_url: schema.text,
  }),
  emptyList("classifiers", "Services that recognise what a text means.", {
    ...named,
    type: schema.text,
    intents: schema.arrayOf(schema.text),
    created_on: schema.timestamp,
  }),
  emptyList("globals", "Values that all flows share.", {
    key: schema.text,
    name: schema.text,
    value: schema.text,
    modified_on: schema.timestamp,
  }),
  emptyList("ticketers", "Systems that tickets are opened in.", {
    ...named,
    type: schema.text,
    created_on: schema.timestamp,
  }),
  emptyList("topics", "What tickets are about.", { ...named, created_on: schema.timestamp }),
];
