import type { CheckSpec } from "../../scenario/index.js";
import { statusIn, type StatusSet } from "../../wire/index.js";
import { patternMatcher } from "../pattern-matcher.js";
import { holdsIn, readJson } from "./json-value.js";

/** The outcome of a check's question. */
export type CheckAnswer =
  | { readonly kind: "http"; readonly status: number; readonly body: string }
  /** There was no answer: `why` follows "no answer". */
  | { readonly kind: "none"; readonly why: string }
  | {
      readonly kind: "command";
      /** Null: a signal ended it. */
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly stdout: string;
      readonly stderr: string;
    };

/** Whether a check holds, and what was seen, as a clause. */
export interface CheckVerdict {
  readonly held: boolean;
  readonly seen: string;
}

const SUCCESS: StatusSet = { listed: [], from: 200, below: 300 };

/** Characters of a body, and of a value, that a verdict shows. */
const BODY_MAX = 200;
const VALUE_MAX = 100;

/** Lines of a command's output that a verdict shows. */
const LINES_MAX = 3;

/** Judges a check by the outcome of its question. Pure. */
export function judgeCheck(check: CheckSpec, answer: CheckAnswer): CheckVerdict {
  switch (answer.kind) {
    case "none":
      return { held: false, seen: `no answer: ${answer.why}` };
    case "command":
      return judgeCommand(answer);
    case "http":
      return judgeAnswer(check, answer);
    default:
      return answer satisfies never;
  }
}

function judgeCommand({ exitCode, signal, stdout, stderr }: Extract<CheckAnswer, { kind: "command" }>): CheckVerdict {
  const ended = exitCode === null ? `ended by ${signal ?? "a signal"}` : `exit code ${exitCode}`;
  if (exitCode === 0) return { held: true, seen: ended };
  const told = firstLines(stderr) || firstLines(stdout);
  return { held: false, seen: told === "" ? `${ended}, and it wrote nothing` : `${ended}: ${told}` };
}

function judgeAnswer(
  { status: wanted = SUCCESS, json, body: pattern }: CheckSpec,
  { status, body }: Extract<CheckAnswer, { kind: "http" }>,
): CheckVerdict {
  const isStatus = statusIn(wanted, status);
  const faults: string[] = [];
  const facts = [`status ${status}`];
  if (json !== undefined) {
    const parsed = parsedOf(body);
    if (parsed === undefined) faults.push("the body is no JSON");
    else {
      const reading = readJson(parsed.json, json.path);
      const path = pathText(json.text);
      facts.push(`${path} is ${reading.isThere ? cut(JSON.stringify(reading.value), VALUE_MAX) : "missing"}`);
      if (!holdsIn(reading, json)) faults.push("");
    }
  }
  if (pattern !== undefined) {
    if (patternMatcher(pattern, "contained")(body)) facts.push("the body matches");
    else faults.push("the body does not match");
  }
  const held = isStatus && faults.length === 0;
  const said = [...facts, ...faults.filter((fault) => fault !== "")].join(", ");
  return { held, seen: held ? said : `${said}; body: ${body === "" ? "empty" : cut(onOneLine(body), BODY_MAX)}` };
}

/** The path in a condition's text: what stands before its operator. */
function pathText(condition: string): string {
  return /^(?:"(?:[^"\\]|\\.)*"|[^\s=!<>"])+/.exec(condition)?.[0] ?? condition;
}

function parsedOf(body: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(body) as unknown };
  } catch {
    return undefined;
  }
}

function firstLines(output: string): string {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== "");
  const shown = lines.slice(0, LINES_MAX).join(" / ");
  return cut(onOneLine(lines.length > LINES_MAX ? `${shown} / …` : shown), BODY_MAX);
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  // Half of a pair of code units is no character.
  return `${head.isWellFormed() ? head : head.slice(0, -1)}…`;
}
