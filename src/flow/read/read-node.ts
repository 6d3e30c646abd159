import type { FlowCase, FlowCategory, FlowExit, FlowNode, FlowRouter, FlowWait, WaitHint } from "../definition.js";
import type { JsonObject } from "./json-object.js";
import { readAction } from "./read-actions.js";

/** Reads a node of a definition: its actions, its router and its exits. */
export function readNode(node: JsonObject): FlowNode {
  const exits = node.objects("exits", "exit").map(readExit);
  const router = node.object("router");
  return {
    uuid: node.neededText("uuid"),
    actions: node.objects("actions", "action").map(readAction),
    router: router && readRouter(router),
    exits,
  };
}

function readExit(exit: JsonObject): FlowExit {
  return { uuid: exit.neededText("uuid"), destination: exit.text("destination_uuid") || null };
}

function readRouter(router: JsonObject): FlowRouter {
  const wait = router.object("wait");
  const common = {
    resultName: router.text("result_name"),
    wait: wait && readWait(wait),
    categories: router.objects("categories", "category").map(readCategory),
  };
  const type = router.neededText("type");
  if (type === "random") return { type, ...common };
  if (type !== "switch") return { type: "unsupported", name: type, ...common };
  return {
    type,
    ...common,
    operand: router.text("operand"),
    cases: router.objects("cases", "case").map(readCase),
    defaultCategory: router.text("default_category_uuid"),
  };
}

function readCategory(category: JsonObject): FlowCategory {
  return { uuid: category.neededText("uuid"), name: category.text("name"), exit: category.text("exit_uuid") };
}

function readCase(one: JsonObject): FlowCase {
  return {
    uuid: one.text("uuid"),
    type: one.neededText("type").toLowerCase(),
    arguments: one.texts("arguments"),
    category: one.neededText("category_uuid"),
  };
}

function readWait(wait: JsonObject): FlowWait {
  const type = wait.neededText("type");
  if (type === "dial") {
    return {
      type,
      phone: wait.text("phone"),
      dialLimitSeconds: wait.number("dial_limit_seconds", 60),
      callLimitSeconds: wait.number("call_limit_seconds", 7200),
    };
  }
  if (type !== "msg") return { type: "unsupported", name: type };
  const timeout = wait.object("timeout");
  const hint = wait.object("hint");
  return {
    type,
    timeout: timeout && { seconds: timeout.number("seconds", 0), category: timeout.neededText("category_uuid") },
    hint: hint && readHint(hint),
  };
}

function readHint(hint: JsonObject): WaitHint {
  const count = hint.number("count", 0);
  const end = hint.text("terminated_by");
  return {
    type: hint.neededText("type"),
    ...(count > 0 && { count }),
    ...(end !== "" && { terminated_by: end }),
  };
}
