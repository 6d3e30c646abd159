import { toNumber, toObject, toText } from "../conversions.js";
import { defineFunction } from "../functions/define.js";
import type { Decimal } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import { ArrayValue, ObjectValue, objectValue, type FunctionValue, type Value } from "../values/value.js";
import { Decimal as DecimalNumber } from "../values/decimal.js";
import { matched, matchedWith, noMatch } from "./result.js";

/** Tests of a saved result: its category, or what a classifier found (docs/reference/flows.md#tests). */
export const resultTests: readonly FunctionValue[] = [
  defineFunction("has_category", { required: [toObject], rest: toText, restAtLeast: 1 }, (_, result, ...categories) => {
    if (!isResult(result)) return notResult;
    const category = textOf(result, "category");
    return categories.includes(category) ? matched(category) : noMatch;
  }),
  defineFunction("has_intent", { required: [toObject, toText, toNumber] }, (_, result, name, confidence) =>
    hasIntent(result, { name, confidence, isTopOnly: false }),
  ),
  defineFunction("has_top_intent", { required: [toObject, toText, toNumber] }, (_, result, name, confidence) =>
    hasIntent(result, { name, confidence, isTopOnly: true }),
  ),
];

const notResult = new ErrorValue("needs a saved result, which has name and created_on");

/** Whether an object is a saved result: it has a name and the time of its saving. */
function isResult(object: ObjectValue): boolean {
  return textOf(object, "name") !== "" && (object.get("created_on") ?? null) !== null;
}

function textOf(object: ObjectValue, property: string): string {
  const value = object.get(property);
  return typeof value === "string" ? value : "";
}

function itemsOf(value: Value | undefined): readonly Value[] {
  return value instanceof ArrayValue ? value.items : [];
}

function hasIntent(
  result: ObjectValue,
  { name, confidence, isTopOnly }: { name: string; confidence: Decimal; isTopOnly: boolean },
): Value {
  if (!isResult(result)) return notResult;
  const extra = result.get("extra");
  if (!(extra instanceof ObjectValue)) return noMatch;
  const intents = itemsOf(extra.get("intents")).filter((intent) => intent instanceof ObjectValue);
  const isFound = (isTopOnly ? intents.slice(0, 1) : intents).some((intent) => {
    const itsConfidence = intent.get("confidence");
    return textOf(intent, "name") === name && itsConfidence instanceof DecimalNumber && itsConfidence.gte(confidence);
  });
  return isFound ? matchedWith(name, likelyEntities(extra)) : noMatch;
}

/** The first value of each entity that a classifier found: the most likely one. */
function likelyEntities(classification: ObjectValue): ObjectValue {
  const entities = classification.get("entities");
  const named = entities instanceof ObjectValue ? entities.entries() : [];
  const likely = named.flatMap(([name, values]): [string, string][] => {
    const first = itemsOf(values)[0];
    return first instanceof ObjectValue ? [[name, textOf(first, "value")]] : [];
  });
  return objectValue(Object.fromEntries(likely));
}
