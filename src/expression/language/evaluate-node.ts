import { toInteger } from "../conversions.js";
import type { Environment } from "../environment.js";
import { findFunction } from "../functions/registry.js";
import { describe } from "../values/describe.js";
import { ErrorValue } from "../values/error-value.js";
import { depthExceeded, enter, leave, spend, spendStep, workExceeded } from "../values/meter.js";
import { textOf } from "../values/text-form.js";
import { ArrayValue, FunctionValue, ObjectValue, type Value } from "../values/value.js";
import type { Leaf, Node, NodeStep } from "./node.js";
import { applyOperator, negate } from "./operators.js";

/** Where names are looked up: the arguments of anonymous functions, then the context, then the functions. */
export interface Scope {
  readonly environment: Environment;
  readonly context: ObjectValue;
  readonly args?: ReadonlyMap<string, Value>;
  readonly outer?: Scope;
}

/** Value of an expression; failures are error values. The work is bounded by the meter of the evaluation. */
export function evaluateNode(node: Node, scope: Scope): Value {
  if (isLeaf(node)) return evaluateLeaf(node, scope);
  if (!enter()) return depthExceeded;
  const steps: NodeStep[] = [];
  let at: Node = node;
  while (!isLeaf(at)) {
    steps.push(at);
    at = at.of;
  }
  let value = evaluateFirst(at, steps.at(-1), scope);
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index];
    if (step === undefined || value instanceof ErrorValue) break;
    value = spendStep() ? applyStep(step, value, scope) : workExceeded;
  }
  leave();
  return value;
}

function isLeaf(node: Node): node is Leaf {
  return node.kind === "literal" || node.kind === "reference" || node.kind === "lambda";
}

/** The leaf of a chain. An unknown name that is called is no function, rather than no property of the context. */
function evaluateFirst(leaf: Leaf, step: NodeStep | undefined, scope: Scope): Value {
  if (leaf.kind === "reference" && step?.kind === "call" && lookUp(leaf.name, scope) === undefined) {
    return new ErrorValue(`${leaf.name} is not a function`);
  }
  return evaluateLeaf(leaf, scope);
}

function evaluateLeaf(leaf: Leaf, scope: Scope): Value {
  switch (leaf.kind) {
    case "literal":
      return leaf.value;
    case "reference": {
      const value = lookUp(leaf.name, scope);
      return value === undefined ? new ErrorValue(`context has no property '${leaf.name}'`) : value;
    }
    case "lambda":
      return makeFunction(leaf.parameters, leaf.body, scope);
  }
}

/** Units of work to look a name up among the arguments of one function. */
const unitsOfScope = 0.05;

function lookUp(name: string, scope: Scope): Value | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    spend(unitsOfScope);
    const value = at.args?.get(name);
    if (value !== undefined) return value;
  }
  const value = scope.context.get(name);
  return value === undefined ? findFunction(name) : value;
}

function makeFunction(parameters: readonly string[], body: Node, outer: Scope): FunctionValue {
  const { context } = outer;
  return new FunctionValue("", (environment, given) => {
    if (given.length !== parameters.length) {
      return new ErrorValue(`need ${parameters.length} argument(s), got ${given.length}`);
    }
    const args = new Map(parameters.map((parameter, index) => [parameter, given[index] ?? null]));
    return evaluateNode(body, { environment, context, args, outer });
  });
}

function applyStep(step: NodeStep, value: Value, scope: Scope): Value {
  switch (step.kind) {
    case "property":
      return propertyOf(scope.environment, value, step.name);
    case "item": {
      const key = evaluateNode(step.key, scope);
      return key instanceof ErrorValue ? key : itemOf(scope.environment, value, key);
    }
    case "call": {
      if (!(value instanceof FunctionValue)) return new ErrorValue(`${step.source} is not a function`);
      const args = step.args.map((arg) => evaluateNode(arg, scope));
      return value.call(scope.environment, args);
    }
    case "negation":
      return negate(scope.environment, value);
    case "binary":
      return applyOperator(scope.environment, step.operator, value, evaluateNode(step.right, scope));
  }
}

/** `container.name`: a missing property is an error. */
export function propertyOf(environment: Environment, container: Value, name: string): Value {
  if (container instanceof ObjectValue) {
    const value = container.get(name);
    return value === undefined ? new ErrorValue(`${describe(container)} has no property '${name}'`) : value;
  }
  return itemOf(environment, container, name);
}

/** `container[key]`: a missing property is null. */
function itemOf(environment: Environment, container: Value, key: Value): Value {
  if (container instanceof ErrorValue) return container;
  if (container instanceof ArrayValue) {
    const index = toInteger(environment, key);
    if (index instanceof ErrorValue) return index;
    const item = container.items.at(index);
    return item === undefined
      ? new ErrorValue(`index ${index} out of range for ${container.items.length} items`)
      : item;
  }
  if (!(container instanceof ObjectValue)) return new ErrorValue(`${describe(container)} doesn't support lookups`);
  const name = textOf(key);
  return name instanceof ErrorValue ? name : (container.get(name) ?? null);
}
