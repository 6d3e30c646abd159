import { LabError } from "../../base/index.js";
import { apacheDirective, type LogLine, logVariables, type SetValue } from "./log-line.js";
import { unescapeLog } from "./unescape-log.js";

interface Part {
  /** Text before the value. */
  readonly literal: string;
  /** Undefined: the value is skipped. */
  readonly set: SetValue | undefined;
}

const ignoredVariable = Symbol("a variable that is not needed");

/**
 * Reads lines of one format, given as nginx's `log_format` or Apache's `LogFormat` has it: the whole directive, or its
 * text alone.
 *
 * @returns reads one line; undefined where it has another form
 * @throws LabError `bad-options` if the format has no variable, or none for the body or the time
 */
export function formatReader(directive: string): (line: string) => LogLine | undefined {
  const { parts, tail } = partsOf(directive);
  if (parts.length === 0) {
    throw new LabError("bad-options", `--log-format: '${directive}' has no variable`, {
      hint: "copy the line of nginx.conf (log_format …) or of Apache's configuration (LogFormat …)",
    });
  }
  const probe: LogLine = {};
  for (const { set } of parts) set?.(probe, "1/1");
  const { clf, iso, seconds, body, request, path } = probe;
  if ((clf ?? iso ?? seconds) === undefined || (body ?? request ?? path) === undefined) {
    throw new LabError("bad-options", "--log-format: the format has no time or no request", {
      hint: 'it needs $time_local, $time_iso8601 or $msec, and "$request_body" (nginx); %t and "%{NAME}n" (Apache)',
    });
  }
  return (line) => {
    const found: LogLine = {};
    let at = 0;
    for (let index = 0; index < parts.length; index++) {
      const { literal, set } = parts[index] as Part;
      if (!line.startsWith(literal, at)) return undefined;
      at += literal.length;
      const next = parts[index + 1]?.literal ?? tail;
      const end = next === "" ? line.length : endOf(line, at, next);
      if (end === -1) return undefined;
      if (set !== undefined) {
        const value = line.slice(at, end);
        // "-" is how both servers write an absent value.
        if (value !== "-") set(found, unescapeLog(value));
      }
      at = end;
    }
    return found;
  };
}

/** Where a value ends: before the next literal that no backslash escapes. */
function endOf(line: string, from: number, literal: string): number {
  let at = line.indexOf(literal, from);
  while (at > from && literal.startsWith('"')) {
    let slashes = 0;
    while (line[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) break;
    at = line.indexOf(literal, at + 1);
  }
  return at;
}

function partsOf(directive: string): { readonly parts: readonly Part[]; readonly tail: string } {
  const text = formatIn(directive);
  const isApache = !text.includes("$") && text.includes("%");
  const pattern = isApache ? /%[<>!\d,]*(?:\{([^}]*)\})?\^?([a-zA-Z%])/g : /\$(?:\{(\w+)\}|(\w+))/g;
  const parts: Part[] = [];
  let literal = "";
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    literal += text.slice(at, match.index);
    at = match.index + match[0].length;
    if (isApache && match[2] === "%") {
      literal += "%";
      continue;
    }
    const set = isApache ? apacheDirective(match[1], match[2] ?? "") : variable(match[1] ?? match[2] ?? "");
    // Apache puts its own time into brackets.
    const isBracketed = isApache && match[2] === "t" && match[1] === undefined;
    parts.push({ literal: isBracketed ? `${literal}[` : literal, set: set === ignoredVariable ? undefined : set });
    literal = isBracketed ? "]" : "";
  }
  return { parts, tail: literal + text.slice(at) };
}

function variable(name: string): SetValue | typeof ignoredVariable {
  return logVariables[name] ?? ignoredVariable;
}

/** The text of the format: of `log_format NAME [escape=…] '…' '…';`, of `LogFormat "…" NAME`, or as it is. */
function formatIn(directive: string): string {
  const nginx = /^\s*log_format\s+\S+\s+(?:escape=\w+\s+)?(.*?);?\s*$/s.exec(directive);
  const apache = /^\s*(?:LogFormat|CustomLog\s+\S+)\s+"((?:[^"\\]|\\.)*)"/s.exec(directive);
  if (apache !== null) return (apache[1] ?? "").replaceAll('\\"', '"');
  const quoted = (nginx?.[1] ?? directive).trim();
  if (!/^'.*'$/s.test(quoted)) return nginx === null ? quoted.replaceAll('\\"', '"') : quoted;
  return [...quoted.matchAll(/'((?:[^'\\]|\\.)*)'/gs)].map(([, part]) => (part ?? "").replaceAll("\\'", "'")).join("");
}
