import { toText } from "../conversions.js";
import type { Environment, LocationTree } from "../environment.js";
import { defineFunction } from "../functions/define.js";
import { findLocations, locationLevels } from "../parsing/index.js";
import { ErrorValue } from "../values/error-value.js";
import type { FunctionValue, Value } from "../values/value.js";
import { matched, noMatch } from "./result.js";

/** Tests of the places in a text (docs/reference/flows.md#has_state). */
export const locationTests: readonly FunctionValue[] = [
  defineFunction("has_state", { required: [toText] }, (environment, text) =>
    withLocations(environment, (tree) => findLocations(tree, locationLevels.state, text)[0]),
  ),
  defineFunction("has_district", { required: [toText], optional: [toText] }, (environment, text, state = "") =>
    withLocations(environment, (tree) => findDistrict(tree, text, state)),
  ),
  defineFunction(
    "has_ward",
    { required: [toText], optional: [toText, toText] },
    (environment, text, district, state) =>
      district !== undefined && state === undefined
        ? new ErrorValue("takes one or three arguments, got 2")
        : withLocations(environment, (tree) => findWard(tree, text, { district: district ?? "", state: state ?? "" })),
  ),
];

/** @param find - the path of the place; undefined: the text names none */
function withLocations({ locations }: Environment, find: (tree: LocationTree) => string | undefined): Value {
  if (locations === undefined) return new ErrorValue("no boundaries are loaded, so no text names a place");
  const path = find(locations);
  return path === undefined ? noMatch : matched(path);
}

function findDistrict(tree: LocationTree, text: string, state: string): string | undefined {
  if (state === "") return onlyOne(findLocations(tree, locationLevels.district, text));
  const inState = findLocations(tree, locationLevels.state, state)[0];
  return inState === undefined ? undefined : findLocations(tree, locationLevels.district, text, inState)[0];
}

function findWard(
  tree: LocationTree,
  text: string,
  { district, state }: { district: string; state: string },
): string | undefined {
  if (district === "") return onlyOne(findLocations(tree, locationLevels.ward, text));
  const inState = findLocations(tree, locationLevels.state, state)[0];
  const inDistrict = inState && findLocations(tree, locationLevels.district, district, inState)[0];
  return inDistrict === undefined ? undefined : findLocations(tree, locationLevels.ward, text, inDistrict)[0];
}

/** A place whose name is unique; names may occur in several states. */
function onlyOne(paths: readonly string[]): string | undefined {
  return paths.length === 1 ? paths[0] : undefined;
}
