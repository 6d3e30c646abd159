import type { FlowDefinition } from "../definition.js";
import { inspectDefinition } from "../read/inspect-definition.js";
import { isRecord, recordsIn } from "../read/json-object.js";

/** What forks of the service have added: their flows are right there. */
export const ofOtherServices: ReadonlySet<string> = new Set([
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

/**
 * Whether a flow is made for another service of the family, which has other names and functions in its templates.
 *
 * @param native - the JSON of the flow
 */
export function isOfOtherService(definition: FlowDefinition, native: unknown): boolean {
  if (!isRecord(native)) return false;
  // Glific lists the flows of its variables, and calls its own functions in place of a URL.
  if (Array.isArray(native["vars"])) return true;
  const actions = recordsIn(native["nodes"]).flatMap((node) => recordsIn(node["actions"]));
  if (actions.some(({ method }) => method === "FUNCTION")) return true;
  return inspectDefinition(definition).some(({ name }) => ofOtherServices.has(name));
}
