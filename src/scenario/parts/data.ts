import type { Field, TextInput } from "../sheet/field.js";
import { textList } from "../account/account-fields.js";
import { kindOfFile } from "../kind.js";
import type { ReadFile } from "../sheet/csv.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { isList, type Path } from "../sheet/raw-value.js";

/** `data`: account files and exports. */
export const dataField: Field<readonly string[], TextInput | readonly TextInput[]> = textList(
  "Account files and exports that the account begins with, by their paths from the scenario's folder.",
);

/**
 * Reports each file of `data` that cannot be read or is no account. The content is checked by `readAccount`, because
 * its problems name places in that file.
 *
 * @param files - the value of `data`
 * @param readFile - undefined: files are not checked
 */
export function checkDataFiles(
  reader: DocumentReader,
  files: readonly string[] | undefined,
  readFile: ReadFile | undefined,
): void {
  if (readFile === undefined) return;
  files?.forEach((file, place) => {
    const path: Path = isList(reader.at(["data"])) ? ["data", place] : ["data"];
    const why = whyNoAccount(file, readFile);
    if (why === undefined) return;
    reader.reportProblem(path, {
      code: "bad-file",
      message: why,
      whole: true,
      hint: "name account files (YAML) or exports (JSON); paths count from the scenario's folder",
    });
  });
}

function whyNoAccount(file: string, readFile: ReadFile): string | undefined {
  let text: string;
  try {
    text = readFile(file);
  } catch (error) {
    const [why = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
    return `'${file}' cannot be read: ${why}`;
  }
  const kind = kindOfFile(text);
  if (kind === "account" || kind === "export") return undefined;
  return kind === "scenario" ? `'${file}' is a scenario, not an account` : `'${file}' is no account file`;
}
