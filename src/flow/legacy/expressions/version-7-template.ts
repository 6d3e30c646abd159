import { closingParenthesis, legacyRoots } from "./scan-template.js";

/**
 * Rewrites a template of versions before 8 to version 8: filters (`@contact.name|upper_case`) and expressions after an
 * equals sign (`=UPPER(contact.name)`) become `@(UPPER(contact.name))`. Total.
 *
 * @see docs/reference/flows.md#legacy-versions
 */
export function migrateVersion7Template(template: string): string {
  const migrated = template.includes("=") ? replaceEqualsSigns(template) : template;
  return migrated.includes("@") && migrated.includes("|") ? replaceFilters(migrated) : migrated;
}

/** The functions of the filters; `time_delta` adds its parameter. */
const filterFunctions: Readonly<Record<string, string>> = {
  lower_case: "LOWER",
  upper_case: "UPPER",
  capitalize: "PROPER",
  title_case: "PROPER",
  first_word: "FIRST_WORD",
  remove_first_word: "REMOVE_FIRST_WORD",
  read_digits: "READ_DIGITS",
};

const roots = [...legacyRoots].join("|");

/** A path with filters; the last one can have a parameter in quotes. A word before the `@` makes it an address. */
const filtered = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])@([\p{L}\p{N}_]+\.[\p{L}\p{N}_.|]*[\p{L}\p{N}_](?::(["']).*?\2)?|(?:${roots})[|\p{L}\p{N}_]*)`,
  "gu",
);

function replaceFilters(template: string): string {
  return template.replaceAll(filtered, (match, expression: string) =>
    expression.includes("|") ? `@(${applyFilters(expression)})` : match,
  );
}

/** `contact.name|upper_case` as `UPPER(contact.name)`. Unknown filters are dropped. */
function applyFilters(expression: string): string {
  const [path = "", ...filters] = expression.split("|");
  const applied = filters.reduce((operand, filter) => {
    const [name = "", parameter = ""] = filter.split(":");
    const key = name.toLowerCase();
    if (key === "time_delta") return `${operand} + ${parameter.replaceAll(/^["']|["']$/g, "")}`;
    return Object.hasOwn(filterFunctions, key) ? `${filterFunctions[key]}(${operand})` : operand;
  }, path);
  return applied.replaceAll("+ -", "- ");
}

/** A path or the name of a function; a dot belongs to it only before another name. */
const identifier = /[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*/uy;

function replaceEqualsSigns(template: string): string {
  let output = "";
  let at = 0;
  for (;;) {
    const sign = template.indexOf("=", at);
    if (sign === -1) return output + template.slice(at);
    output += template.slice(at, sign);
    const end = endOfExpression(template, sign + 1);
    output += convertExpression(template.slice(sign + 1, end)) ?? template.slice(sign, end);
    at = end;
  }
}

/** Index after the expression that begins at `start`; `start` itself when no expression does. */
function endOfExpression(template: string, start: number): number {
  identifier.lastIndex = start;
  const end = start + (identifier.exec(template)?.[0].length ?? 0);
  if (template[end] !== "(") return end;
  const close = closingParenthesis(template, end);
  return close === -1 ? end : close + 1;
}

/** Paths with `@` inside an expression, with or without quotes: the old service evaluated such templates twice. */
const embedded = new RegExp(String.raw`(")?@((?:${roots})[.|\p{L}\p{N}_]*)(\1)?`, "gu");

/** @returns undefined when the text is no expression: `1=Yes, 2=No` */
function convertExpression(text: string): string | undefined {
  if (!text.endsWith(")")) {
    const [root = ""] = text.split(".", 1);
    return legacyRoots.has(root.toLowerCase()) ? `@${text}` : undefined;
  }
  const body = text.replaceAll(embedded, (_match, _quote, path: string) => applyFilters(path));
  return body.startsWith("(") ? `@${body}` : `@(${body})`;
}
