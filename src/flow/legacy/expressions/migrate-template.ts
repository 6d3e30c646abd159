import { parseExpression } from "./parse-expression.js";
import { migratePath } from "./paths.js";
import { scanTemplate } from "./scan-template.js";
import { writeExpression } from "./write-expression.js";

/** How a template is used, where that changes its native form. */
export interface TemplateOptions {
  /**
   * An expression with an error evaluates to its legacy text: for operands of rule sets that split by an expression.
   */
  readonly defaultsToSelf?: boolean;
  /** Values are encoded for a URL. */
  readonly isUrl?: boolean;
  /** Days stay dates instead of text in the date format: the arguments of date tests. */
  readonly keepsDates?: boolean;
}

/** First names of native paths (docs/reference/flows.md#context-roots). */
const nativeRoots: ReadonlySet<string> = new Set([
  "child",
  "contact",
  "embed",
  "fields",
  "globals",
  "input",
  "legacy_extra",
  "node",
  "parent",
  "results",
  "resume",
  "run",
  "trigger",
  "urns",
  "webhook",
]);

/**
 * Rewrites a template of versions 8 to 12 in the native language (docs/reference/flows.md#legacy-expressions). Total: a
 * malformed expression stays as it was.
 */
export function migrateTemplate(template: string, options: TemplateOptions = {}): string {
  if (!template.includes("@")) return template;
  return scanTemplate(template)
    .map(({ kind, text }) => {
      if (kind === "text") return text;
      if (kind === "name") return inTemplate(migratePath(text, options.keepsDates === true), `@${text}`, options);
      return migrateInParentheses(text, options);
    })
    .join("");
}

function migrateInParentheses(text: string, options: TemplateOptions): string {
  // Authors wrote @("") where the old editor refused an empty text.
  if (text === '""') return "";
  const legacy = `@(${text})`;
  const expression = parseExpression(text);
  const native = expression && writeExpression(expression, options.keepsDates === true);
  return native === undefined ? legacy : inTemplate(native, legacy, options);
}

/** A native expression as a part of a template. */
function inTemplate(
  native: string,
  legacy: string,
  { defaultsToSelf = false, isUrl = false }: TemplateOptions,
): string {
  let expression = native;
  if (defaultsToSelf) expression = `if(is_error(${expression}), ${quoted(legacy)}, ${expression})`;
  if (isUrl) expression = `url_encode(${expression})`;
  return isPath(expression) ? `@${expression}` : `@(${expression})`;
}

/** Whether an expression can follow `@` without parentheses. */
function isPath(expression: string): boolean {
  if (!/^\p{L}[\p{L}\p{N}_.]*$/u.test(expression)) return false;
  const [root = ""] = expression.split(".", 1);
  return nativeRoots.has(root);
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text as a native literal. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"\n\r\t]/g, (character) => escapes[character] ?? character)}"`;
}
