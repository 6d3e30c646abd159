import { functionNames, templateFaults, type TemplateFault } from "../../../expression/index.js";
import type { Problem } from "../finding.js";
import type { Nearest } from "../linted-flow.js";
import type { LintRule } from "../rule.js";

/** Roots of the context in any version of the service (docs/reference/flows.md#context-roots). */
const roots: ReadonlySet<string> = new Set([
  "child",
  "contact",
  "embed",
  "fields",
  "globals",
  "input",
  "legacy_extra",
  "locals",
  "node",
  "parent",
  "results",
  "resume",
  "run",
  "ticket",
  "trigger",
  "urns",
  "webhook",
]);

/** Templates with a mistake of syntax, an unknown function or an unknown name. */
export const badTemplate: LintRule = {
  name: "bad-template",
  level: "error",
  isOfService: true,
  summary: "a template with a mistake of syntax, an unknown function or name",
  *check(flow) {
    for (const { node, at, path, text } of flow.templates) {
      for (const fault of templateFaults(text, roots)) {
        const source = flow.asWritten(node, fault.source);
        const fix =
          flow.isMigrated && fault.kind === "root" && legacyRoots.has(fault.detail) ? { fix: noCounterpart } : {};
        yield { node, at, path, ...said({ ...fault, source }, flow.file.nearest), ...fix };
      }
    }
  },
};

/** Roots of legacy templates without a native root of the same name. */
const legacyRoots: ReadonlySet<string> = new Set(["channel", "date", "extra", "flow", "step"]);

const noCounterpart =
  "choose another value: this one has no counterpart in native flows, to which the service migrates it";

/** Characters of an expression that a text shows. */
const SHOWN_MAX = 60;

function said({ kind, source, detail }: TemplateFault, nearest: Nearest): Pick<Problem, "text" | "fix" | "level"> {
  const shown = shortened(source);
  switch (kind) {
    case "syntax":
      return {
        text: `${shown}: ${detail.trim() === "syntax error at" ? "the expression is not complete" : detail}`,
        fix: /[“”„«»]/u.test(source)
          ? 'write straight quotes (")'
          : "correct the expression; until then contacts see nothing in its place",
      };
    case "unclosed":
      return {
        text: `${shown}: its last ')' is missing, so contacts see the expression itself`,
        fix: "add the ')'",
        level: "warning",
      };
    case "function": {
      const close = nearest(detail, functionNames());
      const fix =
        close === undefined
          ? "choose another function; expressions have none with this name"
          : `did you mean ${close}()?`;
      return { text: `${shown}: there is no function ${detail}()`, fix };
    }
    case "root": {
      const close = nearest(detail, roots);
      return {
        text: `${shown}: there is no '${detail}'`,
        fix: close === undefined ? `if it is a word, put it in quotes: "${detail}"` : `did you mean '${close}'?`,
      };
    }
  }
}

function shortened(source: string): string {
  const line = source.replaceAll(/\s+/g, " ");
  return line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX - 1)}…` : line;
}
