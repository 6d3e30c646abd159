import { setOwnValue } from "../../wire/index.js";
import type { HttpAnswer } from "../../flow/index.js";
import type { FlowCallAnswer } from "../flow-calls.js";

/**
 * The answer to a flow's HTTP call in the runner's form. Wall times are left out, because a run must not depend on
 * them.
 */
export function httpAnswer({ status, headers, body }: FlowCallAnswer): HttpAnswer {
  return {
    status: status ?? 0,
    headers: headerRecord(headers ?? ""),
    ...(body !== null && { body: new TextDecoder().decode(body) }),
  };
}

/** Headers by name, from `name: value` lines. */
function headerRecord(lines: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) setOwnValue(headers, line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}
