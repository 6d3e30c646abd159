import * as z from "zod";
import { keyed, unhide } from "./fields.js";
import { carrierSchema } from "./parts/carriers.js";
import { handsetsSchema } from "./parts/handsets.js";
import { metricField } from "./parts/metrics.js";
import { peopleSchema } from "./parts/people.js";
import { receiverSchema } from "./parts/receiver.js";
import { serviceSchema } from "./parts/service.js";
import { stepTimes } from "./parts/story.js";
import { trafficSchema } from "./parts/traffic.js";
import { topLevel } from "./top-level.js";
import { namePattern } from "./values/selector.js";
import { verbs } from "./verbs/index.js";

/**
 * The JSON Schema (draft 7, which editors know best) of scenario files, made of the schemas that the parser reads them
 * with. It knows what a file looks like; what hangs together across it, only the parser knows.
 */
export function scenarioJsonSchema(): object {
  const { lasts, ...plain } = topLevel.plain;
  const schema = keyed({
    ...optional(plain),
    ...(lasts !== undefined && { lasts }),
    receiver: receiverSchema.describe("Where events are delivered; default: the bundled receiver.").optional(),
    service: serviceSchema.describe("How the service behaves: a preset, with or without changes.").optional(),
    carriers: named(carrierSchema.nullable(), "The mobile networks.").optional(),
    handsets: named(handsetsSchema, "The groups of handsets; channels count from 1 in file order."),
    people: named(peopleSchema, "The groups of people.").optional(),
    traffic: z.array(trafficSchema).describe("What goes on all the time.").optional(),
    story: z.array(step()).describe("What happens when.").optional(),
    expect: z.array(metricField).describe("What must hold at the end.").optional(),
  });
  const json = z.toJSONSchema(schema, { target: "draft-7", io: "input", unrepresentable: "any", override: complete });
  return { ...json, title: "Handset Lab scenario" };
}

function named(one: z.ZodType, about: string): z.ZodType {
  const nameOnly = z.string().regex(new RegExp(`^${namePattern}$`));
  return z.record(nameOnly, one).describe(about);
}

const stepTitle = "step of the story";

function step(): z.ZodType {
  const args = Object.fromEntries(
    Object.values(verbs).map((verb) => [verb.name, (verb.args as z.ZodType).describe(verb.about)]),
  );
  return keyed(optional({ ...stepTimes, ...args })).meta({ title: stepTitle });
}

/** JSON Schema can say what zod cannot: one of the times, one of the verbs. */
function complete({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  unhide(jsonSchema);
  if (jsonSchema["title"] !== stepTitle) return;
  const oneOf = (keys: readonly string[]): object => ({ oneOf: keys.map((key) => ({ required: [key] })) });
  jsonSchema["allOf"] = [oneOf(Object.keys(stepTimes)), oneOf(Object.keys(verbs))];
}

function optional(shape: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([key, one]) => [key, one.optional()]));
}
