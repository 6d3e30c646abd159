import { DocumentReader } from "../sheet/document-reader.js";
import type { Diagnostic } from "../sheet/diagnostic.js";
import { readYaml, sourceOf } from "../sheet/document.js";
import { keyed } from "../sheet/field.js";
import { Problems } from "../sheet/problems.js";
import { scenarioLanguage } from "../language.js";
import { formatOnOneLine } from "../parts/read-verb.js";
import type { CheckSpec } from "../scenario.js";
import { checkOf, checkShape } from "../verbs/check.js";

/** A check that was read from a text; absent if it is not sound. */
export interface ReadCheck {
  readonly check?: CheckSpec;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a check by itself, as an option has it: `{ http: GET http://127.0.0.1:8080/health, status: 200 }`.
 *
 * @param file - what the diagnostics call the text
 */
export function readCheck(text: string, file: string): ReadCheck {
  const problems = new Problems();
  const tree = readYaml(sourceOf(file, text), problems);
  if (tree === undefined) return { diagnostics: problems.inFileOrder() };
  const reader = new DocumentReader(tree, problems, { ...scenarioLanguage, noun: "check" });
  const given = reader.read(keyed(checkShape), []);
  const check =
    given &&
    checkOf(given, {
      reportProblem: (path, problem) => reader.reportProblem(path, problem),
      spellingOf: (...path) => formatOnOneLine(reader.at(path)),
    });
  return { check: problems.hasErrors ? undefined : check, diagnostics: problems.inFileOrder() };
}
