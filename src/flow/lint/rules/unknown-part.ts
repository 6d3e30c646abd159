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

/** What forks of the service have added: their flows are right there. */
const ofOtherServices: ReadonlySet<string> = new Set([
  // Glific
  "has_file",
  "has_location",
  "has_media",
  "has_multiple",
  "link_google_sheet",
  "send_interactive_msg",
  "set_contact_profile",
  "set_wa_group_field",
  "start_contact_flow",
  "wait_for_result",
  "wait_for_time",
  // Weni
  "call_brain",
  "call_external_service",
  "call_wenigpt",
  "call_whatsapp_flow",
  "send_msg_catalog",
  "send_whatsapp_msg",
]);
