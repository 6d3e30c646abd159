import { ownValue } from "../../wire/index.js";
import { isRecord, recordsIn } from "../read/json-object.js";

/** Properties of actions that may not be empty, by type of action. */
const neededProperties: Readonly<Record<string, readonly string[]>> = {
  send_msg: ["text"],
  send_broadcast: ["text"],
  send_email: ["addresses", "subject", "body"],
  add_contact_urn: ["scheme", "path"],
  call_webhook: ["method", "url"],
  play_audio: ["audio_url"],
};

const statuses: readonly unknown[] = ["active", "blocked", "stopped", "archived"];

/** Characters of the name of a header in HTTP. */
const headerName = /^[\w!#$%&'*+\-.^`|~]+$/;

/**
 * Why the service refuses actions of a native definition that this engine could execute: an empty property, an
 * unknown status, a header that HTTP does not know (docs/reference/flows.md#actions).
 *
 * @param json - a native definition
 * @returns a text for each fault
 */
export function actionFaults(json: unknown): readonly string[] {
  return recordsIn(isRecord(json) ? json["nodes"] : undefined).flatMap((node) =>
    recordsIn(node["actions"]).flatMap((action) =>
      faultsOf(action).map((fault) => `node ${String(node["uuid"])}, action ${String(action["type"])}: ${fault}`),
    ),
  );
}

function faultsOf(action: Readonly<Record<string, unknown>>): readonly string[] {
  const type = String(action["type"]);
  const faults: string[] = [];
  for (const name of ownValue(neededProperties, type) ?? []) {
    if (isEmpty(action[name])) faults.push(`${name} is required`);
  }
  if (type === "set_contact_status" && !statuses.includes(action["status"])) {
    faults.push("status must be active, blocked, stopped or archived");
  }
  if (type === "remove_contact_groups" && action["all_groups"] === true && !isEmpty(action["groups"])) {
    faults.push("all_groups and groups exclude each other");
  }
  const { headers } = action;
  if (type === "call_webhook" && isRecord(headers)) {
    for (const name of Object.keys(headers)) {
      if (!headerName.test(name)) faults.push(`'${name}' is no name of a header`);
    }
  }
  return faults;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
