import { LabError } from "../../base/index.js";
import { patternReplacer } from "../../wire/index.js";

/** What of two answers is not compared. */
export interface IgnoredParts {
  /** Whether a kind of difference is left out. */
  ignores(what: string): boolean;
  /** A text with ids and times replaced by `…`, and without what matches a pattern. */
  mask(text: string): string;
}

/** Ids that differ from build to build: UUIDs, `#12`, and words of four characters or more with a digit in them. */
const ids = [
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
  /#[A-Za-z0-9_-]+/g,
  /\b(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{4,}\b/g,
];

/** Instants, dates, and times of day. */
const times = [
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b/g,
  /\b\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\b/gi,
  /\b1\d{9}(?:\d{3})?\b/g,
];

const kinds = ["status", "reply", "recipient", "latency"];

/**
 * Reads `--ignore`: lists of `id`, `time`, `/pattern/flags`, and of kinds of differences (`latency`), separated by commas.
 *
 * @throws LabError `bad-options`
 */
export function readIgnoredParts(lists: readonly string[]): IgnoredParts {
  const masks: ((text: string) => string)[] = [];
  const ignored = new Set<string>();
  for (const part of lists.flatMap(partsOf)) {
    if (kinds.includes(part)) ignored.add(part);
    else if (part === "time") masks.unshift(...times.map(maskOf));
    else if (part === "id") masks.push(...ids.map(maskOf));
    else masks.unshift(patternMask(part));
  }
  return {
    ignores: (what) => ignored.has(what),
    mask: (text) => masks.reduce((masked, mask) => mask(masked), text),
  };
}

function maskOf(pattern: RegExp): (text: string) => string {
  return (text) => text.replaceAll(pattern, "…");
}

/** The parts of a list; a comma inside a pattern does not end it. */
function partsOf(list: string): string[] {
  const parts = list.match(/\s*\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/[a-z]*\s*(?=,|$)|[^,]+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function patternMask(part: string): (text: string) => string {
  const written = /^\/(.+)\/([imsu]*)$/s.exec(part);
  if (written === null) {
    throw new LabError("bad-options", `--ignore: '${part}' is unknown`, {
      hint: `write id, time, a pattern such as /ticket \\d+/, or ${kinds.join(", ")}`,
    });
  }
  const replace = patternReplacer({ source: written[1] ?? "", flags: written[2] ?? "" });
  if (typeof replace === "function") return (text) => replace(text, "");
  throw new LabError("bad-options", `--ignore: ${part} ${replace.message}`, { hint: replace.hint });
}
