import type { Problem } from "./raw-value.js";

/** A fault as the `yaml` library reports it. */
export interface YamlFault {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [start: number, end: number];
}

/** A fault in the author's terms, with its place in the text. */
type Explained = Pick<Problem, "code" | "message" | "hint"> & { readonly start: number; readonly end: number };

/** The offset of the first sign that a file is not UTF-8 text (NUL or U+FFFD); -1: none. */
export function findNoText(text: string): number {
  // eslint-disable-next-line no-control-regex -- NUL marks a binary file
  return text.search(/[\u0000\uFFFD]/);
}

/** A character that is in no valid file: it is not UTF-8, or its lines end with carriage returns alone. */
export function strayCharacter(
  text: string,
): (Pick<Problem, "message" | "hint"> & { readonly at: number }) | undefined {
  const at = findNoText(text);
  if (at >= 0) {
    const hint = 'save it as UTF-8; if the character is meant, write "\\uFFFD"';
    return { at, message: "this is not UTF-8 text", hint };
  }
  const lone = text.search(/\r(?!\n)/);
  if (lone < 0 || text.includes("\n")) return undefined;
  return {
    at: lone,
    message: "lines end with carriage returns alone",
    hint: "save the file with Unix or Windows line ends",
  };
}

/** Translates a fault of the `yaml` library into a message about what the author wrote. */
export function explainFault(fault: YamlFault, others: readonly YamlFault[], text: string): Explained {
  const found = tooFarIn(fault, others, text) ?? wellKnown(fault, text);
  if (found !== undefined) return { ...found, message: `not well-formed YAML: ${found.message}` };
  const [start, end] = fault.pos;
  return {
    code: fault.code === "BAD_ALIAS" ? "bad-alias" : "yaml-syntax",
    start,
    end,
    message: `not well-formed YAML: ${whatIsWrong(fault, text)}`,
    hint: hints[fault.code] ?? "check indentation, quotes and brackets here and on the line before",
  };
}

/** A key that is indented deeper than the line above, which already has a value: YAML joins both into one key. */
function tooFarIn(fault: YamlFault, others: readonly YamlFault[], text: string): Explained | undefined {
  const [start] = fault.pos;
  const long = [fault, ...others].find(
    (one) => one.code === "MULTILINE_IMPLICIT_KEY" && one.pos[0] === start && text.slice(...one.pos).includes("\n"),
  );
  const above = lineAt(text, start);
  if (long === undefined || !/^\s*(- +)*[^\s:#]+:\s/.test(above.text)) return undefined;
  const [key] = text.slice(start, long.pos[1]).split("\n").slice(-1);
  const line = lineAt(text, long.pos[1]);
  const indent = line.text.length - line.text.trimStart().length;
  if (key === undefined || indent <= indentOf(above.text)) return undefined;
  return {
    code: "yaml-syntax",
    start: line.start + indent,
    end: Math.max(long.pos[1], line.start + indent + 1),
    message: `this line is indented deeper than line ${above.number}, whose key has its value already`,
    hint: `${indentation(indentOf(above.text))}, like '${
      above.text
        .trim()
        .replace(/^(- +)+/, "")
        .split(":", 1)[0] ?? ""
    }'`,
  };
}

function indentation(spaces: number): string {
  return spaces === 0 ? "do not indent it" : `indent it by ${spaces} ${spaces === 1 ? "space" : "spaces"}`;
}

/** The column of a line's first key, after the dashes of a list. */
function indentOf(line: string): number {
  return /^\s*(- +)*/.exec(line)?.[0].length ?? 0;
}

/** Common mistakes that the line itself shows. */
function wellKnown(fault: YamlFault, text: string): Explained | undefined {
  if (fault.code !== "MULTILINE_IMPLICIT_KEY" && fault.code !== "MISSING_CHAR") return undefined;
  const line = lineAt(text, fault.pos[0]);
  const trimmed = line.text.trim();
  const start = line.start + line.text.length - line.text.trimStart().length;
  const say = (message: string, hint: string): Explained => ({
    code: "yaml-syntax",
    start,
    end: start + trimmed.length,
    message,
    hint,
  });
  if (/^(<{7}|={7}|>{7})( |$)/.test(trimmed)) {
    return say("a conflict of a merge was left in the file", "keep one of the two sides, and remove the markers");
  }
  if (trimmed.startsWith("//")) return say("'//' begins no comment", "begin comments with #");
  const dash = /^-([A-Za-z].*)$/.exec(trimmed)?.[1];
  if (dash !== undefined) return say("a space is missing after the '-'", `write - ${dash}`);
  const glued = /^(- )?([A-Za-z][\w-]*)[:：](\S.*)$/.exec(trimmed);
  if (glued !== null)
    return say("a space is missing after the ':'", `write ${glued[1] ?? ""}${glued[2] ?? ""}: ${glued[3] ?? ""}`);
  return undefined;
}

function lineAt(text: string, offset: number): { text: string; start: number; number: number } {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", start);
  const number = text.slice(0, start).split("\n").length;
  return { text: text.slice(start, end < 0 ? text.length : end), start, number };
}

const hints: Readonly<Record<string, string>> = {
  BAD_ALIAS: "an anchor (&name) must be before its aliases (*name)",
  BAD_DQ_ESCAPE: "write a backslash in double quotes as \\\\, or use single quotes",
  BAD_INDENT: "indent like the lines around it, and close every { and [ that was opened",
  BAD_SCALAR_START: "put the value in quotes",
  BLOCK_AS_IMPLICIT_KEY: "put a value that contains ': ' in quotes",
  BLOCK_IN_FLOW: "inside { } and [ ] separate by commas, and put a value that contains ': ' in quotes",
  MISSING_CHAR: "close what was opened, or put the value in quotes",
  MULTILINE_IMPLICIT_KEY: "a ':' is missing, or a quote was not closed",
  MULTIPLE_DOCS: "a file is one document: remove the '---'",
  TAB_AS_INDENT: "indent with spaces",
  TAG_RESOLVE_FAILED: "remove the tag (!…), or put the value in quotes",
  UNEXPECTED_TOKEN: "put the value in quotes if it begins with or contains a special character",
};

function whatIsWrong(fault: YamlFault, text: string): string {
  switch (fault.code) {
    case "UNEXPECTED_TOKEN":
      return `'${text.slice(fault.pos[0]).split(/\s/, 1)[0]?.slice(0, 20) ?? ""}' is not allowed here`;
    case "BLOCK_AS_IMPLICIT_KEY":
      return "a second ': ' on this line";
    case "MULTIPLE_DOCS":
      return "a second document begins here";
    case "BLOCK_IN_FLOW":
      return "a ': ' in a value, or a block inside { } or [ ]";
    default: {
      const first = (fault.message.split("\n", 1)[0] ?? "").replace(/[.:]$/, "");
      return first.charAt(0).toLowerCase() + first.slice(1);
    }
  }
}
