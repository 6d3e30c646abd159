import { compilePattern } from "../../wire/index.js";
import type { ComparisonOp, JsonCondition } from "../scenario.js";

/** Why a condition is rejected, and the range of its text at fault. */
export interface JsonConditionFault {
  readonly message: string;
  readonly hint: string;
  readonly from: number;
  readonly to: number;
}

/** A step of a path: `.name`, `."any name"`, `[3]`, `["any name"]`. */
const pathStep = /\.([\p{L}_$][\p{L}\p{N}_$-]*)|\.?("(?:[^"\\]|\\.)*")|\.?\[\s*(-?\d{1,9}|"(?:[^"\\]|\\.)*")\s*\]/uy;
const operator = /\s*(==|!=|<=|>=|<|>)\s*/y;
const misspelledOperator = /\s*(===|!==|=~|=<|=>|<>|=(?!=)|~)/y;

const wantedPath = "write a path such as .ok, .items[0].state or .items.length";

/**
 * Reads a condition on a JSON text: `.ok == true`, `.items[0].state != "lost"`, `.count >= 3`, `.name == /^a/i`, `.ok`.
 *
 * @returns the condition, or why it is none
 */
export function parseJsonCondition(text: string): JsonCondition | JsonConditionFault {
  const path: (string | number)[] = [];
  let at = 0;
  for (let step = match(pathStep, text, at); step !== undefined; step = match(pathStep, text, at)) {
    const [whole, name, quoted, bracketed = ""] = step;
    const part = name ?? unquoted(quoted ?? bracketed);
    if (part === undefined) {
      return { message: `has a key that is no JSON text: ${whole}`, hint: wantedPath, from: at, to: at + whole.length };
    }
    path.push(part);
    at += whole.length;
  }
  if (at === 0 && text.startsWith(".")) at = 1;
  if (at === 0) {
    const isName = /^[A-Za-z_]/.test(text);
    const message = "must begin with the path of a value in the answer";
    return { message, hint: isName ? `write .${text}` : wantedPath, from: 0, to: Math.max(1, text.length) };
  }
  if (text.slice(at).trim() === "") return { text, path };
  const [written, op] = match(operator, text, at) ?? [];
  const [, wrong] = match(misspelledOperator, text, at) ?? [];
  if (written === undefined || wrong !== undefined) return badOperator(text, at, wrong);
  at += written.length;
  return withValue({ text, path, op: op as ComparisonOp }, at);
}

/** Whether reading a condition failed. */
export function isConditionFault(read: JsonCondition | JsonConditionFault): read is JsonConditionFault {
  return "message" in read;
}

function withValue(
  condition: JsonCondition & Required<Pick<JsonCondition, "op">>,
  at: number,
): JsonCondition | JsonConditionFault {
  const { text, op } = condition;
  const rest = text.slice(at).trim();
  const range = { from: Math.min(at, Math.max(0, text.length - 1)), to: text.length };
  if (rest === "") return { message: `has nothing to compare with`, hint: `write ${text.trim()} true`, ...range };
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(rest) ?? [];
  if (source !== undefined && flags !== undefined) {
    if (op !== "==" && op !== "!=") {
      return { message: `cannot compare by '${op}' with a pattern`, hint: `write == ${rest}, or != ${rest}`, ...range };
    }
    if (/[^imsu]/.test(flags)) {
      return { message: `has a pattern with other flags than i, m, s and u`, hint: "remove them", ...range };
    }
    const compiled = compilePattern({ source, flags });
    if (typeof compiled !== "function") return { message: compiled.message, hint: compiled.hint, ...range };
    return { ...condition, pattern: { kind: "regexp", source, flags } };
  }
  try {
    const value: unknown = JSON.parse(rest);
    const isOrdered = typeof value === "number" || typeof value === "string";
    if (isOrdered || op === "==" || op === "!=") return { ...condition, value };
    return { message: `cannot compare by '${op}' with ${rest}`, hint: "write == or !=, or a number", ...range };
  } catch {
    const hint = `write ${text.slice(0, at)}${JSON.stringify(rest.replaceAll(/^["']|["']$/g, ""))} for a text`;
    return { message: `compares with '${rest}', which is no JSON value and no /pattern/`, hint, ...range };
  }
}

function badOperator(text: string, at: number, wrong: string | undefined): JsonConditionFault {
  const rest = text.slice(at).trim();
  const range = { from: text.length - text.slice(at).trimStart().length, to: text.length };
  if (wrong === undefined) {
    return { message: `is not understood from '${rest}' on`, hint: `write ${text.slice(0, at)} == …`, ...range };
  }
  const right = wrong === "!==" || wrong === "<>" ? "!=" : wrong === "=<" ? "<=" : wrong === "=>" ? ">=" : "==";
  const hint = `write ${text.slice(0, at)} ${right} ${rest.slice(wrong.length).trim()}`.trimEnd();
  return { message: `has no operator '${wrong}'`, hint, ...range };
}

function unquoted(written: string): string | number | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === "string" || typeof value === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The match of a sticky expression at an offset. */
function match(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
}
