import type { Pattern } from "../scenario.js";
import type { Read, Tell } from "../written.js";
import { plainText } from "./scalar.js";

/** `/regular expression/i`, or plain text that must be contained. */
export function readPattern(): Read<Pattern> {
  return (value, tell) => {
    const text = plainText(value, tell, "a text, or a /regular expression/");
    return text === undefined ? undefined : patternOf(text, tell);
  };
}

function patternOf(text: string, tell: Tell): Pattern | undefined {
  const [, source, flags] = /^\/(.+)\/([a-zA-Z]*)$/s.exec(text) ?? [];
  if (source === undefined || flags === undefined) return { kind: "contains", text };
  const wrongFlag = /[^imsu]/.exec(flags)?.[0];
  if (wrongFlag !== undefined) {
    tell({ code: "bad-pattern", message: `has no flag '${wrongFlag}'`, hint: "the flags are i, m, s and u" });
    return undefined;
  }
  try {
    new RegExp(source, flags);
    return { kind: "regexp", source, flags };
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*\/: /, "") : "it does not compile";
    tell({
      code: "bad-pattern",
      message: `is no regular expression: ${why.charAt(0).toLowerCase()}${why.slice(1)}`,
      hint: "put a backslash before ( ) [ ] { } . * + ? that stand for themselves, or write plain text",
    });
    return undefined;
  }
}
