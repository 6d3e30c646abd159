import * as z from "zod";
import { keyed, keysOf, notTogether } from "./sheet/field.js";
import { carrierSchema } from "./parts/carriers.js";
import { timedCheckSchema } from "./parts/checks.js";
import { fieldSchema } from "./parts/field.js";
import { handsetsSchema } from "./parts/handsets.js";
import { metricField } from "./parts/metrics.js";
import { mockSchema } from "./parts/mocks.js";
import { peopleSchema } from "./parts/people.js";
import { receiverSchema } from "./parts/receiver.js";
import { topDeliverySchema } from "./parts/delivery-troubles.js";
import { serviceSchema } from "./parts/service.js";
import { stepTimes, timeKeys } from "./parts/step-times.js";
import { placeSchema } from "./parts/place.js";
import { trafficSchema } from "./parts/traffic/entry.js";
import { plainKeys } from "./top-level.js";
import { namePattern } from "./fields/values/selector.js";
import { verbs } from "./verbs/index.js";
import type { Verb } from "./verbs/verb.js";

/**
 * The JSON Schema (draft 7, which editors support best) of scenario files, derived from the parser's schemas. It
 * describes each part by itself; only the parser checks rules across parts.
 */
export function scenarioJsonSchema(): object {
  const schema = keyed({
    ...plainKeys,
    receiver: receiverSchema.describe("Where events are delivered; default: the bundled receiver.").optional(),
    service: serviceSchema.describe("How the service behaves: a preset, with or without changes.").optional(),
    carriers: named(carrierSchema.nullable()).nullable().describe("The mobile networks.").optional(),
    handsets: named(handsetsSchema).meta({
      description: "The groups of handsets; channels count from 1 in file order.",
      minProperties: 1,
    }),
    people: named(peopleSchema).nullable().describe("The groups of people.").optional(),
    place: placeSchema.describe("Where the handsets are, for the sun on their solar panels.").optional(),
    traffic: z
      .array(trafficSchema)
      .nullable()
      .describe("Continuous traffic: texts, calls and other entries with a rate.")
      .optional(),
    delivery: topDeliverySchema
      .describe("Trouble on the way to the receiver, from the start, unless it says otherwise for all handsets.")
      .optional(),
    mocks: z.array(mockSchema).nullable().describe("Scripted answers to HTTP calls of flows.").optional(),
    story: z.array(step()).nullable().describe("What happens when.").optional(),
    expect: z.array(metricField).nullable().describe("What must hold at the end.").optional(),
    checks: z
      .array(timedCheckSchema)
      .nullable()
      .describe(
        "What the receiver's side is asked, at the end or at a time: requests and commands whose answer must be right.",
      )
      .optional(),
    field: fieldSchema
      .describe("The failure of the field that the scenario plays, and what a right receiver does in it.")
      .optional(),
  });
  return { ...jsonSchemaOf(schema, "draft-7"), title: "Handset Lab scenario" };
}

/** The JSON Schema of a schema's input. */
export function jsonSchemaOf(schema: z.ZodType, target: "draft-7" | "draft-2020-12"): Record<string, unknown> {
  const json = z.toJSONSchema(schema, { target, io: "input", unrepresentable: "any" });
  for (const part of partsOf(json)) splitTypes(part);
  return json;
}

/** zod writes a union of plain types as a list of types, which strict validators reject. */
function splitTypes(part: Record<string, unknown>): void {
  const { type } = part;
  if (!Array.isArray(type)) return;
  delete part["type"];
  part["anyOf"] = type.map((one: unknown) => ({ type: one }));
}

function named(one: z.ZodType): z.ZodType {
  const nameOnly = z.string().regex(new RegExp(`^${namePattern}$`));
  return z.record(nameOnly, one);
}

function step(): z.ZodType {
  const args = Object.fromEntries(
    Object.values<Verb>(verbs).map((verb) => [verb.name, verb.args.describe(verb.about)]),
  );
  const allOf = [keysOf("anyOf", [...timeKeys, "when"]), notTogether(...timeKeys), keysOf("oneOf", Object.keys(verbs))];
  return keyed(optional({ ...stepTimes, ...args })).meta({ allOf });
}

/** A JSON Schema and all parts in it, the inner ones first. */
export function* partsOf(json: unknown): Generator<Record<string, unknown>> {
  if (typeof json !== "object" || json === null) return;
  for (const one of Object.values(json)) yield* partsOf(one);
  if (!Array.isArray(json)) yield json as Record<string, unknown>;
}

function optional(shape: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([key, one]) => [key, one.optional()]));
}
