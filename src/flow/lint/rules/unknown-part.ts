import { inspectDefinition } from "../../read/inspect-definition.js";
import type { LintRule } from "../rule.js";

/** Actions, tests, routers and waits that no version of the service knows. */
export const unknownPart: LintRule = {
  name: "unknown-part",
  level: "error",
  summary: "an action, test, router or wait that the service does not know",
  *check({ definition }) {
    for (const { node, kind, name, isUnknown, effect } of inspectDefinition(definition)) {
      if (!isUnknown) continue;
      yield { node, text: `${kind} ${name} ${effect}`, fix: "correct its type" };
    }
  },
};
