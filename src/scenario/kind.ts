import { withoutMark } from "./sheet/diagnostic.js";

/** The kinds of text files that the lab reads. */
export type FileKind = "scenario" | "account" | "export" | "exact";

/**
 * Detects the kind of a file by its keys, even if it is not sound. An export may be of an account or of one flow. A
 * file whose first key is `account` is an account; one with `handsets` or `lasts` is a scenario, one with `requests` a
 * bug file of exact requests.
 *
 * @returns undefined: none of them
 */
export function kindOfFile(written: string): FileKind | undefined {
  const text = withoutMark(written);
  const keys = /^\s*\{/.test(text) ? keysOfJson(text) : topKeys(text);
  if (keys.includes("flows") && keys.includes("version")) return "export";
  if (keys.some((key) => definitionMarks.includes(key))) return "export";
  if (keys[0] === "account") return "account";
  if (keys.includes("handsets") || keys.includes("lasts")) return "scenario";
  if (keys.includes("requests")) return "exact";
  return keys.includes("account") ? "account" : undefined;
}

/** Keys of a single flow's definition (docs/reference/flows.md#export-files). */
const definitionMarks: readonly string[] = ["nodes", "spec_version", "action_sets", "rule_sets"];

function keysOfJson(text: string): string[] {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null ? Object.keys(json) : [];
  } catch {
    // YAML in braces, or invalid JSON: guesses the keys by a regular expression, at any depth.
    return Array.from(text.matchAll(/[{,]\s*"?([A-Za-z_][\w-]*)"?\s*:/g), ([, key = ""]) => key).slice(0, 1000);
  }
}

/** The keys at the beginning of a line. */
function topKeys(text: string): string[] {
  return Array.from(text.matchAll(/^(["']?)([A-Za-z_][\w-]*)\1\s*:(?:\s|$)/gm), ([, , key = ""]) => key);
}
