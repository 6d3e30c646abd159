import { parseForm } from "../../wire/index.js";

/** Characters of an answer that count. */
const ANSWER_MAX = 400;

/**
 * An answer without what differs from one run to the next: values of its event, quoted parts, UUIDs, times, numbers and
 * whatever else has a digit. Two answers to the same failure are equal then.
 *
 * @param body - of the event that was answered: form-encoded
 */
export function normalisedAnswer(answer: string, body: string): string {
  const values = parseForm(body)
    .map(([, value]) => value.trim())
    .filter((value) => value !== "")
    .sort((left, right) => right.length - left.length);
  const strip = (text: string): string => {
    let stripped = text.slice(0, 4 * ANSWER_MAX);
    for (const value of values) {
      if (value.length > 1) stripped = stripped.replaceAll(value, "#");
      else
        stripped = stripped
          .split(/(\s+)/)
          .map((word) => (word === value ? "#" : word))
          .join("");
    }
    return stripped
      .replaceAll(/'[^']*'|"[^"]*"|`[^`]*`|“[^”]*”|‘[^’]*’|«[^»]*»/g, "#")
      .replaceAll(/[\w:+.-]*\d[\w:+.-]*/g, "#")
      .replaceAll(/[^\x20-\x7e]+/g, "#")
      .replaceAll(/#(?:\s*#)+/g, "#")
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, ANSWER_MAX);
  };
  const json = jsonOf(answer);
  return json === undefined ? strip(answer) : leavesOf(json, strip).join(" ");
}

function jsonOf(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `key=value` of a JSON value's leaves, at most 40. */
function leavesOf(value: unknown, strip: (text: string) => string, path = "", depth = 0): string[] {
  if (typeof value === "string") return [`${path}=${strip(value)}`];
  if (typeof value !== "object" || value === null || depth > 4) {
    return [`${path}=${typeof value === "number" ? "#" : String(value as boolean | null)}`];
  }
  return Object.entries(value)
    .slice(0, 40)
    .flatMap(([key, inner]) =>
      leavesOf(inner, strip, Array.isArray(value) ? path : path === "" ? key : `${path}.${key}`, depth + 1),
    )
    .slice(0, 40);
}
