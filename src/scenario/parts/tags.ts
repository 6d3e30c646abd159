import type { Tags } from "../../measure/index.js";
import { suggest } from "../sheet/nearest.js";
import type { ReportProblem } from "../sheet/raw-value.js";

const names = ["type", "group"];

/**
 * Reads tags, which select the events of a metric: `{type: mo_sms, group: clinic}`. With `=` instead of the colon the
 * line needs no quotes in YAML.
 *
 * @param within - place of the tags in the line
 */
export function readTags(
  text: string,
  within: { readonly from: number; readonly to: number },
  report: ReportProblem,
): Tags | undefined {
  const inner = text.trim().slice(1, -1).trim();
  const tags: Record<string, string> = {};
  for (const part of inner.split(",")) {
    const [, name, value] = /^\s*([a-z]+)\s*[:=]\s*([A-Za-z0-9_.-]+)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined) {
      report({
        code: "bad-expectation",
        message: `has tags that cannot be read: '${part.trim()}'`,
        hint: "write {type=mo_sms, group=clinic}",
        within,
      });
      return undefined;
    }
    if (!names.includes(name)) {
      report({ code: "bad-expectation", message: `has no tag '${name}'`, hint: suggest(name, names), within });
      return undefined;
    }
    if (Object.hasOwn(tags, name)) {
      report({ code: "bad-expectation", message: `has the tag '${name}' twice`, within });
      return undefined;
    }
    tags[name] = value;
  }
  return tags;
}
