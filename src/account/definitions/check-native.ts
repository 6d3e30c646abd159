import { testNames } from "../../expression/index.js";
import { mapOf, type JsonCursor, describeJson } from "./json-cursor.js";
import { actionForm, limits, nativeTypes } from "./vocabulary.js";

/**
 * Checks a native definition against the rules of loading (docs/reference/flows.md#native-definitions). Problems carry
 * the path of the offending value.
 */
export function checkNative(flow: JsonCursor): void {
  flow.at("name").neededText();
  checkVersion(flow.at("spec_version"));
  const type = flow.at("type").oneOf(Object.keys(nativeTypes)) ?? "messaging";
  const nodes = flow.at("nodes").items();
  if (nodes.length > limits.nodes)
    flow.at("nodes").addProblem(`must hold at most ${limits.nodes} nodes, got ${nodes.length}`);
  const scope: FlowScope = { type, seen: new Map(), nodes: new Set(nodes.flatMap((node) => uuidsOf([node]))) };
  for (const node of nodes.slice(0, limits.nodes)) checkNode(node, scope);
}

interface FlowScope {
  /** Type of the flow. */
  readonly type: string;
  /** Nouns (node, action, exit) by the UUIDs found so far. */
  readonly seen: Map<string, string>;
  readonly nodes: ReadonlySet<string>;
}

/**
 * 13.0 to 14.x. A definition without a version comes from other tools and counts as 13.0
 * (docs/reference/flows.md#export-files).
 */
function checkVersion(version: JsonCursor): void {
  if (version.isAbsent) return;
  const text = typeof version.value === "number" ? String(version.value) : version.text();
  if (text !== undefined && !/^1[34](\.\d+)*$/.test(text))
    version.addProblem(`must be 13.0 to 14.x, got ${describeJson(text)}`);
}

function checkNode(node: JsonCursor, scope: FlowScope): void {
  if (node.neededMap() === undefined) return;
  checkUuid(node, "node", scope);
  const actions = limited(node.at("actions"));
  const exits = limited(node.at("exits"));
  if (exits.length === 0 && (node.at("exits").isAbsent || Array.isArray(node.at("exits").value))) {
    node.at("exits").addProblem("must hold at least one exit, got none");
  }
  for (const action of actions) checkAction(action, scope);
  for (const exit of exits) {
    if (exit.neededMap() === undefined) continue;
    checkUuid(exit, "exit", scope);
    const destination = exit.at("destination_uuid");
    const uuid = destination.text();
    if (uuid !== undefined && uuid !== "" && !scope.nodes.has(uuid)) {
      destination.addProblem(`names no node of the flow: ${describeJson(uuid)}`);
    }
  }
  if (!node.at("router").isAbsent) checkRouter(node.at("router"), uuidsOf(exits), scope);
}

function checkAction(action: JsonCursor, scope: FlowScope): void {
  if (action.neededMap() === undefined) return;
  checkUuid(action, "action", scope);
  const type = action.at("type");
  const name = type.neededText();
  if (name === undefined) return;
  const form = actionForm(name);
  if (form === undefined) return type.addProblem(`is no action: ${describeJson(name)}`);
  if (form.voice === true && scope.type !== "voice")
    type.addProblem(`is allowed in voice flows only: ${describeJson(name)}`);
  if (scope.type === "messaging_background" && (form.foreground ?? form.voice) === true) {
    type.addProblem(`is not allowed in a background flow: ${describeJson(name)}`);
  }
  for (const need of form.needs ?? [])
    need
      .split(".")
      .reduce((part, key) => part.at(key), action)
      .neededText();
  action.at("text").text();
  atMost(action.at("attachments"), limits.attachments);
  atMost(action.at("quick_replies"), limits.quickReplies);
  for (const key of ["groups", "labels", "contacts", "addresses"]) action.at(key).items();
}

function checkRouter(router: JsonCursor, exits: readonly string[], scope: FlowScope): void {
  if (router.neededMap() === undefined) return;
  const type = router.at("type");
  const kind = type.oneOf(["switch", "random"]);
  if (type.isAbsent) type.neededText();
  router.at("result_name").text();
  const categories = limited(router.at("categories"));
  if (categories.length === 0) router.at("categories").addProblem("must hold at least one category, got none");
  for (const category of categories) {
    if (category.neededMap() === undefined) continue;
    category.at("uuid").neededText();
    category.at("name").text();
    checkReference(category.at("exit_uuid"), exits, "exit of the node", { needed: true });
  }
  const known = uuidsOf(categories);
  if (kind === "switch") {
    router.at("operand").neededText();
    for (const one of limited(router.at("cases"))) checkCase(one, known);
    checkReference(router.at("default_category_uuid"), known, "category of the router");
  }
  if (!router.at("wait").isAbsent) checkWait(router.at("wait"), known, scope);
}

function checkCase(one: JsonCursor, categories: readonly string[]): void {
  if (one.neededMap() === undefined) return;
  const test = one.at("type").neededText();
  if (test !== undefined && !testNames.has(test))
    one.at("type").addProblem(`must be a known type of test, got ${describeJson(test)}`);
  for (const argument of one.at("arguments").items()) argument.text();
  checkReference(one.at("category_uuid"), categories, "category of the router", { needed: true });
}

function checkWait(wait: JsonCursor, categories: readonly string[], scope: FlowScope): void {
  if (wait.neededMap() === undefined) return;
  const type = wait.at("type");
  const kind = type.oneOf(["msg", "dial"]);
  if (type.isAbsent) type.neededText();
  if (scope.type === "messaging_background") wait.addProblem("is not allowed in a background flow");
  else if (kind === "dial" && scope.type !== "voice") type.addProblem("is allowed in voice flows only: 'dial'");
  const timeout = wait.at("timeout");
  if (mapOf(timeout.value) === undefined) return; // early versions: a number of seconds, or nothing
  timeout.at("seconds").neededInteger({ min: 0, max: 2_147_483_647 });
  checkReference(timeout.at("category_uuid"), categories, "category of the router", { needed: true });
}

/** Checks that a UUID is unique in the flow. */
function checkUuid(part: JsonCursor, noun: string, { seen }: FlowScope): void {
  const uuid = part.at("uuid").neededText();
  if (uuid === undefined) return;
  const other = seen.get(uuid);
  if (other !== undefined) part.at("uuid").addProblem(`is also the UUID of another ${other}: ${describeJson(uuid)}`);
  seen.set(uuid, noun);
}

/** Checks that a UUID refers to a known one. */
function checkReference(part: JsonCursor, known: readonly string[], what: string, { needed = false } = {}): void {
  const uuid = needed ? part.neededText() : part.text();
  if (uuid !== undefined && uuid !== "" && !known.includes(uuid))
    part.addProblem(`names no ${what}: ${describeJson(uuid)}`);
}

function uuidsOf(parts: readonly JsonCursor[]): string[] {
  return parts.flatMap((part) => {
    const uuid = part.at("uuid").value;
    return typeof uuid === "string" ? [uuid] : [];
  });
}

function limited(list: JsonCursor): JsonCursor[] {
  return atMost(list, limits.perNode);
}

function atMost(list: JsonCursor, most: number): JsonCursor[] {
  const items = list.items();
  if (items.length > most) list.addProblem(`must hold at most ${most}, got ${items.length}`);
  return items.slice(0, most);
}
