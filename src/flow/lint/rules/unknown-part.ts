import { inspectDefinition } from "../../read/inspect-definition.js";
import { ofOtherServices } from "../other-services.js";
import type { LintRule } from "../rule.js";

/** Actions, tests, routers and waits that no version of the service knows. */
export const unknownPart: LintRule = {
  name: "unknown-part",
  level: "error",
  summary: "an action, test, router or wait that the service does not know",
  *check({ definition }) {
    for (const { node, kind, name, isUnknown, effect } of inspectDefinition(definition)) {
      if (!isUnknown) continue;
      if (ofOtherServices.has(name)) {
        yield {
          node,
          text: `${kind} ${name} is of another service of the family; this one refuses the flow`,
          fix: "leave it if the flow is for that service",
          level: "info",
        };
        continue;
      }
      yield { node, text: `${kind} ${name} ${effect}`, fix: "correct its type" };
    }
  },
};
