import type { FlowJson } from "../flows.js";

/**
 * A definition that refers to the account's own groups and labels (docs/reference/flows.md#import-order).
 *
 * @param uuids - the account's UUIDs by those of the file, in lower case
 * @returns the same object when it mentions none of them
 */
export function withLocalUuids(definition: FlowJson, uuids: ReadonlyMap<string, string>): FlowJson {
  if (uuids.size === 0) return definition;
  let isRewritten = false;
  const rewritten = rewrite(definition, (text) => {
    const own = uuids.get(text) ?? uuids.get(text.toLowerCase());
    if (own === undefined) return text;
    isRewritten = true;
    return own;
  });
  return isRewritten ? (rewritten as FlowJson) : definition;
}

/** The same JSON with some texts replaced. */
function rewrite(json: unknown, replace: (text: string) => string): unknown {
  if (typeof json === "string") return replace(json);
  if (Array.isArray(json)) return json.map((item) => rewrite(item, replace));
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, rewrite(value, replace)]));
}
