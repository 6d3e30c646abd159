import { type Diagnostic, withoutMark } from "../sheet/diagnostic.js";
import { readYaml, sourceOf } from "../sheet/document.js";
import { Problems } from "../sheet/problems.js";
import { scenarioLanguage } from "../language.js";
import { DocumentReader } from "../sheet/document-reader.js";
import { checkTextSize } from "../size-bounds.js";
import type { AccountFile } from "./account-file.js";
import { pathText } from "./parts/definitions.js";
import { readJsonText } from "./parts/json-text.js";
import type { AccountRules } from "./rules.js";

/**
 * Reads an export of an account (JSON). Parts that cannot be loaded are omitted with a warning, because a program
 * wrote them and not the user. An export without any part left is an error.
 */
export function parseExport(
  written: string,
  { file, rules }: { readonly file: string; readonly rules: Pick<AccountRules, "readDefinitions"> },
): { readonly account?: AccountFile; readonly diagnostics: Diagnostic[] } {
  const text = withoutMark(written);
  const source = sourceOf(file, text);
  const problems = new Problems();
  if (!checkTextSize(source, "JSON", problems)) return { diagnostics: problems.inFileOrder() };
  const json = readJsonText(text);
  if (!("value" in json)) {
    const start = Math.min(json.offset, text.length - 1);
    const hint = "export it anew";
    problems.add(
      { source, start, end: start + 1 },
      { code: "bad-definition", message: "this is no JSON from here on", hint },
    );
    return { diagnostics: problems.inFileOrder() };
  }
  const { account, problems: found } = rules.readDefinitions(json.value);
  const isNothing = account.flows.length + account.groups.length + account.fields.length === 0;
  const severity = isNothing ? "error" : "warning";
  const tree = found.length === 0 ? undefined : readYaml(source, new Problems());
  const reader =
    tree === undefined ? undefined : new DocumentReader(tree, problems, { ...scenarioLanguage, noun: "export" });
  for (const { path, message } of found) {
    const whole = {
      code: "bad-definition",
      message: `${path.length === 0 ? "the export" : pathText(path)} ${message}`,
    } as const;
    if (reader === undefined) problems.add({ source, start: 0, end: 1 }, { ...whole, severity });
    else reader.reportProblem(path, { ...whole, whole: true, severity });
  }
  const diagnostics = problems.inFileOrder();
  return problems.hasErrors ? { diagnostics } : { account: { ...account, isAddition: true, people: [] }, diagnostics };
}
