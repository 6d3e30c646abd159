import { bodyFault } from "./event-body.js";
import { type LogLine, logVariables } from "./log-line.js";
import { unescapeLog } from "./unescape-log.js";

const formStart = /^[\w%.+*[\]-]+=/;

/**
 * Reads a line of an access log by what its values look like, in any order: the combined format of nginx and Apache
 * with further values, bare, in quotes, in brackets, or as `name=value`.
 *
 * @returns undefined: it has no request or no time
 */
export function guessLogLine(text: string): LogLine | undefined {
  const found: LogLine = {};
  let weakBody: string | undefined;
  for (let at = 0; at < text.length;) {
    const sign = text[at];
    if (sign === " " || sign === "\t") {
      at++;
      continue;
    }
    let value: string;
    let name: string | undefined;
    const isQuoted = sign === '"';
    if (isQuoted || sign === "[") {
      const end = isQuoted ? closingQuote(text, at + 1) : text.indexOf("]", at);
      if (end === -1) return undefined;
      value = text.slice(at + 1, end);
      at = end + 1;
    } else {
      let end = text.indexOf(" ", at);
      if (end === -1) end = text.length;
      value = text.slice(at, end);
      const keyed = /^([a-z_]+)=(")?/i.exec(value);
      if (keyed !== null && logVariables[(keyed[1] ?? "").toLowerCase()] !== undefined && !value.includes("&")) {
        name = keyed[1]?.toLowerCase();
        const from = at + keyed[0].length;
        if (keyed[2] !== undefined) {
          end = closingQuote(text, from);
          if (end === -1) return undefined;
        }
        value = text.slice(from, end);
        at = keyed[2] === undefined ? end : end + 1;
      } else at = end;
    }
    if (value === "-" || value === "") continue;
    if (name !== undefined) logVariables[name]?.(found, unescapeLog(value));
    else if (isQuoted && found.request === undefined && /^[A-Z]+ \S+ HTTP\/\d/.test(value))
      found.request = unescapeLog(value);
    else if (sign === "[") setTime(found, value);
    else if (formStart.test(value)) {
      const body = unescapeLog(value);
      if (found.body === undefined && bodyFault(body) === undefined) found.body = body;
      else if (isQuoted) weakBody ??= body;
    } else if (isQuoted) {
      if (value.startsWith("{") || value.startsWith("[")) weakBody ??= unescapeLog(value);
      else if (/^\d+\.\d{3}$/.test(value)) setNumber(found, value);
    } else setBare(found, value);
  }
  if (found.body === undefined && weakBody !== undefined) found.body = weakBody;
  const hasTime = (found.clf ?? found.iso ?? found.seconds) !== undefined;
  return hasTime && (found.request ?? found.method ?? found.path ?? found.body) !== undefined ? found : undefined;
}

function setBare(found: LogLine, value: string): void {
  if (found.status === undefined && found.request !== undefined && /^[1-5]\d\d$/.test(value)) found.status = value;
  else if (/^\d+\.\d{3}$/.test(value)) setNumber(found, value);
  else if (/^\d{4}-\d\d-\d\dT/.test(value)) found.iso ??= value;
}

/** Ten digits before the point are `$msec`; fewer are `$request_time`, the first of them. */
function setNumber(found: LogLine, value: string): void {
  if (value.length >= 14) found.seconds ??= value;
  else found.tookMs ??= Number(value) * 1000;
}

function setTime(found: LogLine, value: string): void {
  if (/^\d\d\/[A-Z][a-z]{2}\/\d{4}:/.test(value)) found.clf ??= value;
  else if (/^\d{4}-\d\d-\d\d/.test(value)) found.iso ??= value;
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at > from && text[at - 1] === "\\") {
    let slashes = 1;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) break;
    at = text.indexOf('"', at + 1);
  }
  return at;
}
