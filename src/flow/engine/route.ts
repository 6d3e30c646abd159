import {
  callFunction,
  ErrorValue,
  isKnownFunction,
  jsonText,
  ObjectValue,
  toBoolean,
  toText,
  type Value,
} from "../../expression/index.js";
import { formatTimestampZoned } from "../../wire/index.js";
import type { FlowCase, FlowExit, FlowNode, FlowRouter } from "../definition.js";
import { saveResult } from "./results.js";
import type { RunningSprint } from "./running-sprint.js";

/**
 * Picks the exit of a node, saves the router's result, and marks the step as left. A router without a fitting
 * category fails the run.
 *
 * @param isTimeout - the wait has timed out: take the timeout's category
 * @returns undefined: the flow ends here, or the run has failed
 */
export function pickExit(sprint: RunningSprint, node: FlowNode, isTimeout = false): FlowExit | undefined {
  const exit = node.router === undefined ? node.exits[0] : routerExit(sprint, node, node.router, isTimeout);
  const step = sprint.run.path.at(-1);
  if (exit !== undefined && step !== undefined) step.exit = exit.uuid;
  return exit;
}

function routerExit(
  sprint: RunningSprint,
  node: FlowNode,
  router: FlowRouter,
  isTimeout: boolean,
): FlowExit | undefined {
  if (router.type === "unsupported") {
    sprint.fail(`router type '${router.name}' on node[uuid=${node.uuid}] is not supported`);
    return undefined;
  }
  const route = isTimeout ? timeoutRoute(sprint, router) : routeOf(sprint, router);
  sprint.failIfWorkIsUsedUp();
  if (sprint.run.status === "failed") return undefined;
  const category = router.categories.find(({ uuid }) => uuid === route.category);
  if (category === undefined) {
    sprint.fail(`router on node[uuid=${node.uuid}] failed to pick a category`);
    return undefined;
  }
  if (router.resultName !== "") {
    const localized = sprint.localizedText(category.uuid, "name", "");
    saveResult(sprint, "router", {
      name: router.resultName,
      value: route.value,
      category: category.name,
      ...(localized !== "" && { categoryLocalized: localized }),
      input: route.input,
      extraJson: route.extraJson,
    });
  }
  return node.exits.find(({ uuid }) => uuid === category.exit);
}

/** Uuid of the category that a router would take now; undefined when it would take none. Saves nothing. */
export function categoryOf(sprint: RunningSprint, router: FlowRouter): string | undefined {
  if (router.type === "unsupported") return undefined;
  return routeOf(sprint, router).category || undefined;
}

interface Route {
  /** UUID; empty when there is none. */
  readonly category: string;
  readonly value: string;
  readonly input: string;
  readonly extraJson?: string;
}

/** Routes a timeout. The result's value is the instant of the timeout: docs/reference/flows.md#routers-and-results. */
function timeoutRoute(sprint: RunningSprint, { wait }: FlowRouter): Route {
  const category = wait?.type === "msg" ? (wait.timeout?.category ?? "") : "";
  return { category, value: formatTimestampZoned(sprint.host.now()), input: "" };
}

function routeOf(sprint: RunningSprint, router: Exclude<FlowRouter, { type: "unsupported" }>): Route {
  if (router.type === "random") return randomRoute(sprint, router);
  const operand = sprint.evaluateValue(router.operand);
  const input = textOf(sprint, operand);
  for (const one of router.cases) {
    if (sprint.work.isUsedUp) break;
    const match = matchCase(sprint, one, operand);
    if (match !== undefined) return { category: one.category, input, ...match };
  }
  return { category: router.defaultCategory, value: input, input };
}

function randomRoute(sprint: RunningSprint, { categories }: FlowRouter): Route {
  const drawn = sprint.host.random();
  const index = Math.floor(drawn * categories.length);
  return { category: categories[index]?.uuid ?? "", value: String(index), input: String(drawn) };
}

function matchCase(
  sprint: RunningSprint,
  one: FlowCase,
  operand: Value,
): { readonly value: string; readonly extraJson?: string } | undefined {
  if (!isKnownFunction(one.type)) {
    sprint.logError(`test '${one.type}' is not supported`);
    return undefined;
  }
  const result = callFunction(sprint.environment, one.type, [operand, ...caseArguments(sprint, one)]);
  if (result instanceof ErrorValue) {
    sprint.logError(`error calling test ${one.type.toUpperCase()}: ${result.message}`);
    return undefined;
  }
  // A test that does not match may also return an object: one whose default value is false.
  if (!(result instanceof ObjectValue) || toBoolean(sprint.environment, result) !== true) return undefined;
  const match = result.get("match");
  if (match === undefined) return undefined;
  const extra = result.get("extra");
  return {
    value: textOf(sprint, match),
    ...(extra !== undefined && extra !== null && { extraJson: jsonOf(extra) }),
  };
}

/**
 * The translated arguments of a case. A translation with another number of arguments does not fit the test and is
 * ignored.
 */
function caseArguments(sprint: RunningSprint, one: FlowCase): readonly Value[] {
  const texts = sprint.localized({ uuid: one.uuid, property: "arguments", authored: one.arguments });
  const used = texts.length === one.arguments.length ? texts : one.arguments;
  return used.map((text) => (text.includes("@") ? sprint.evaluateValue(text) : text.trim()));
}

function textOf(sprint: RunningSprint, value: Value): string {
  const text = toText(sprint.environment, value);
  return text instanceof ErrorValue ? "" : text;
}

function jsonOf(value: Value): string {
  const json = jsonText(value);
  return typeof json === "string" ? json : "null";
}
