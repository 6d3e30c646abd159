import { type Pattern, readCheck, suggest } from "../../scenario/index.js";
import { compilePattern, eventTypes } from "../../wire/index.js";
import type { FailureCondition, FailureTerm, StatusOp } from "./failure-condition.js";

/** Why a condition is rejected: a message that follows its text, and the column at fault, counted from 1. */
export interface ConditionFault {
  /** The condition at fault, as it was written. */
  readonly text: string;
  readonly message: string;
  readonly hint: string;
  readonly column: number;
}

/** Beginnings of conditions, for suggestions. */
const beginnings = [
  "status",
  "timeout",
  "closed",
  "reply",
  "no reply",
  "hears-twice",
  "broken",
  "check",
  "reconcile",
  "auto",
];

const howToWrite =
  'write status 500, status >= 500, timeout, closed, reply /pattern/, no reply, hears-twice, broken "never-twice", check { http: GET /health, status: 200 }, reconcile FILE, or auto';

/** A term with the place where it ended, or why it is none. */
type ReadTerm = { readonly term: FailureTerm; readonly end: number } | Fault;
interface Fault {
  readonly message: string;
  readonly hint: string;
  readonly at: number;
}

/**
 * Reads the conditions of a failure, as `--while` spells them: `status 500`, `reply /sorry/i of mo_sms`. Several must hold
 * together.
 *
 * @returns the condition; `auto` where the source is to say what is wrong; or the first fault
 */
export function readFailureCondition(
  texts: readonly string[],
):
  | { readonly condition: FailureCondition }
  | { readonly auto: { readonly type?: string } }
  | { readonly fault: ConditionFault } {
  const terms: FailureTerm[] = [];
  let type: string | undefined;
  let isAuto = texts.length === 0;
  for (const text of texts) {
    const fault = ({ message, hint, at }: Fault): { readonly fault: ConditionFault } => ({
      fault: { text, message, hint, column: at + 1 },
    });
    const from = text.length - text.trimStart().length;
    const word = /^auto(?=\s|$)/.exec(text.trimStart())?.[0];
    const read: ReadTerm | { readonly end: number } = word === undefined ? readTerm(text, from) : { end: from + 4 };
    if ("message" in read) return fault(read);
    if ("term" in read) terms.push(read.term);
    else isAuto = true;
    const of = readType(text, read.end);
    if (typeof of === "object") return fault(of);
    if (of !== undefined && type !== undefined && of !== type) {
      return fault({
        message: `is about ${of}, and another about ${type}: no event is of both types`,
        hint: "leave out one",
        at: read.end,
      });
    }
    type ??= of;
  }
  if (isAuto && terms.length > 0) {
    return {
      fault: {
        text: texts.join(" and "),
        message: "has 'auto' beside a condition",
        hint: "auto stands alone",
        column: 1,
      },
    };
  }
  if (isAuto) return { auto: type === undefined ? {} : { type } };
  const text = texts.map((one) => one.trim()).join(" and ");
  return { condition: { text, terms, ...(type !== undefined && { type }) } };
}

function readTerm(text: string, from: number): ReadTerm {
  const rest = text.slice(from);
  const begins = (words: RegExp): number => words.exec(rest)?.[0].length ?? 0;
  const plain = begins(/^timeout(?=\s|$)/) || begins(/^closed(?=\s|$)/) || begins(/^hears-twice(?=\s|$)/);
  if (plain > 0) {
    return { term: { kind: rest.slice(0, plain) as "timeout" | "closed" | "hears-twice" }, end: from + plain };
  }
  const noReply = begins(/^no[\s-]+reply(?=\s|$)/);
  if (noReply > 0) return { term: { kind: "no-reply" }, end: from + noReply };
  if (/^status(?![\w-])/.test(rest)) return readStatus(text, from + "status".length);
  if (/^reply(?![\w-])/.test(rest)) return readReply(text, from + "reply".length);
  if (/^broken(?![\w-])/.test(rest)) return readBroken(text, from + "broken".length);
  if (/^check(?![\w-])/.test(rest)) return readCheckTerm(text, from + "check".length);
  if (/^reconcile(?![\w-])/.test(rest)) return readReconcile(text, from + "reconcile".length);
  const word = /^[^\s{/"=<>!\d]+/.exec(rest)?.[0] ?? "";
  const number = /^\d{3}\b/.exec(rest)?.[0];
  if (number !== undefined) return { message: `begins with '${number}'`, hint: `write status ${number}`, at: from };
  if (word === "") return { message: "is no condition of a failure", hint: howToWrite, at: from };
  const close = suggest(word, beginnings);
  const hint = close.startsWith("did you mean") ? close : howToWrite;
  return { message: `begins with '${word}', which is no condition of a failure`, hint, at: from };
}

function readStatus(text: string, from: number): ReadTerm {
  const [, blanks = "", op = "", space = "", number = ""] = /^(\s*)([=!<>]*)(\s*)([^\s]*)/.exec(text.slice(from)) ?? [];
  const at = from + blanks.length;
  const known: readonly string[] = ["", "=", "==", "!=", "<", "<=", ">", ">="];
  if (!known.includes(op)) {
    return { message: `has no operator '${op}'`, hint: "write status >= 500, or !=, <, <=, >", at };
  }
  const numberAt = at + op.length + space.length;
  if (!/^\d+$/.test(number)) {
    const many = /^(\d)xx$/i.exec(number);
    const hint = many === null ? "write status 500, or status >= 500" : `write status >= ${many[1]}00`;
    return { message: number === "" ? "needs a status" : `has '${number}', which is no status`, hint, at: numberAt };
  }
  const status = Number(number);
  if (status < 100 || status > 599) {
    return { message: `has the status ${number}`, hint: "statuses are 100 to 599", at: numberAt };
  }
  const written: StatusOp = op === "" || op === "=" ? "==" : (op as StatusOp);
  return { term: { kind: "status", op: written, status }, end: numberAt + number.length };
}

function readReply(text: string, from: number): ReadTerm {
  const rest = text.slice(from);
  const [whole, blanks = "", source, flags = ""] = /^(\s*)\/((?:[^/\\]|\\.)+)\/([a-z]*)/.exec(rest) ?? [];
  if (whole === undefined || source === undefined) {
    const at = from + rest.length - rest.trimStart().length;
    const words = rest.trim().replace(/\s+of\s+\w+$/, "");
    const hint = words === "" || words.startsWith("/") ? "write reply /sorry/, or no reply" : `write reply /${words}/`;
    return { message: "needs a /pattern/", hint, at };
  }
  const at = from + blanks.length;
  if (/[^imsu]/.test(flags)) {
    return {
      message: `has a pattern with other flags than i, m, s and u`,
      hint: "remove them",
      at: at + source.length + 2,
    };
  }
  const compiled = compilePattern({ source, flags });
  if (typeof compiled !== "function") {
    return { message: compiled.message, hint: compiled.hint, at: at + 1 + compiled.from };
  }
  const pattern: Pattern = { kind: "regexp", source, flags };
  return { term: { kind: "reply", pattern, matches: compiled }, end: from + whole.length };
}

function readBroken(text: string, from: number): ReadTerm {
  const rest = text.slice(from);
  const at = from + rest.length - rest.trimStart().length;
  const [whole, blanks = "", double, single] = /^(\s*)(?:"([^"]*)"|'([^']*)')/.exec(rest) ?? [];
  if (whole !== undefined) {
    const expectation = (double ?? single ?? "").trim();
    if (expectation === "") {
      return { message: "names no expectation", hint: 'write broken "never-twice"', at: from + blanks.length };
    }
    return { term: { kind: "broken", expectation }, end: from + whole.length };
  }
  const bare = rest.trim();
  if (bare === "") return { message: "names no expectation", hint: 'write broken "never-twice"', at };
  // A shell takes the quotes away from broken "failures == 0".
  return { term: { kind: "broken", expectation: bare }, end: text.length };
}

function readCheckTerm(text: string, from: number): ReadTerm {
  const rest = text.slice(from);
  const at = from + rest.length - rest.trimStart().length;
  const isBraced = text[at] === "{";
  const end = isBraced ? endOfBraces(text, at) : text.length;
  const written = text.slice(at, end);
  if (written.trim() === "") {
    return { message: "names no check", hint: "write check { http: GET /health, status: 200 }", at };
  }
  const { check, diagnostics } = readCheck(isBraced ? written : `{ ${written} }`, "--while");
  if (check !== undefined) return { term: { kind: "check", check }, end };
  const [first] = diagnostics;
  const column = (first?.column ?? 1) - 1 - (isBraced ? 0 : 2);
  return {
    message: first?.message ?? "is no check",
    hint: first?.hint ?? "write check { http: GET /health, status: 200 }",
    at: at + Math.max(0, column),
  };
}

function readReconcile(text: string, from: number): ReadTerm {
  const rest = text.slice(from);
  const [whole = "", blanks = "", file] = /^(\s*)("[^"]*"|'[^']*'|\S+)?/.exec(rest) ?? [];
  if (file === undefined)
    return { message: "names no file", hint: "write reconcile texts.csv", at: from + blanks.length };
  // A shell takes the quotes away from --query "SELECT …": it is the rest, but for the type.
  const unquoted = String.raw`(?:(?!\s+of\s+\S+\s*$).)+`;
  const asked = new RegExp(String.raw`^\s+--query[\s=]+("[^"]*"|'[^']*'|${unquoted})`, "s");
  const [option = "", query] = asked.exec(rest.slice(whole.length)) ?? [];
  const bare = (quoted: string): string => quoted.replace(/^(["'])(.*)\1$/s, "$2");
  const term = { kind: "reconcile", file: bare(file), query: query === undefined ? undefined : bare(query) } as const;
  return { term, end: from + whole.length + option.length };
}

/** The type after `of`; undefined: there is nothing; else why not. */
function readType(text: string, from: number): string | undefined | Fault {
  const rest = text.slice(from);
  if (rest.trim() === "") return undefined;
  const at = from + rest.length - rest.trimStart().length;
  const [, of, blanks = "", type = ""] = /^\s*(of)(\s+)(\S+)\s*$/.exec(rest) ?? [];
  if (of === undefined) {
    return {
      message: `is not understood from '${rest.trim()}' on`,
      hint: "after a condition stands nothing, or of EVENTTYPE; give --while again for a further condition",
      at,
    };
  }
  if (/^[a-z][a-z0-9_-]*$/.test(type) && (eventTypes as readonly string[]).includes(type)) return type;
  // Receivers meet types that the reference does not list; a misspelled known one is more likely.
  const hint = suggest(type, eventTypes);
  if (hint.startsWith("did you mean") || !/^[A-Za-z][\w-]*$/.test(type)) {
    return { message: `has '${type}', which is no type of event`, hint, at: at + 2 + blanks.length };
  }
  return type;
}

/** The index after the brace that closes the one at `from`; the text's length if none does. */
function endOfBraces(text: string, from: number): number {
  let depth = 0;
  let quote = "";
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
      continue;
    }
    if ((char === '"' || char === "'") && /[\s:,{[]/.test(text[at - 1] ?? "")) quote = char;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
  }
  return text.length;
}
