import * as z from "zod";
import { type AccountData, emptyAccount, type FlowData } from "../../../wire/index.js";
import type { ReadFile } from "../../sheet/csv.js";
import { keyed, type TextInput } from "../../sheet/field.js";
import { filledText, flag } from "../../fields/fields.js";
import { plainValueOf } from "../../sheet/plain-value.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { keyConflict, type Path } from "../../sheet/raw-value.js";
import { findNoText } from "../../sheet/yaml-faults.js";
import { listEntries } from "../entries.js";
import { dataMap, textList } from "../account-fields.js";
import { readJsonText } from "./json-text.js";
import type { AccountRules } from "../rules.js";

/** Context for reading definitions. */
export interface DefinitionSources {
  readonly readFile: ReadFile | undefined;
  readonly rules: Pick<AccountRules, "readDefinitions">;
}

const file = filledText(
  "A JSON file with the flow's definition, or with an export of it alone, by its path from this file.",
);

const definitionField = dataMap("The flow's definition, as in exports.");

const flow = keyed({
  file: file.optional(),
  definition: definitionField.optional(),
  labels: textList("Flow labels.").optional(),
  archived: flag("Whether it is archived.").prefault(false),
});

/** `flows`: a list of files or maps. */
export const flowsSchema: z.ZodType = z.array(z.union([file, flow])).nullable();

const exportFile = filledText("A JSON file with an export, by its path from this file.");

/** `definitions`: a file, or a list of files. */
export const definitionsSchema: z.ZodType<unknown, TextInput | readonly TextInput[] | null> = z
  .union([exportFile, z.array(exportFile)])
  .nullable();

/** A flow that the file defines, its path, and the parts of an account that it mentions. */
export interface WrittenFlow {
  readonly path: Path;
  readonly data: FlowData;
  readonly mentioned: AccountData;
}

/** Reads `flows`. A flow that cannot be loaded is an error, because the author of the file chose it. */
export function readFlows(reader: DocumentReader, sources: DefinitionSources): WrittenFlow[] {
  return listEntries(reader, ["flows"]).flatMap(({ path }) => {
    const isFile = typeof reader.at(path) === "string";
    const given = isFile ? flow.parse({ file: reader.read(file, path) }) : reader.read(flow, path);
    if (given === undefined) return [];
    const account =
      given.file === undefined
        ? inlineFlow(reader, path, sources)
        : flowOfFile(reader, isFile ? path : [...path, "file"], given.file, sources);
    if (given.file !== undefined && given.definition !== undefined) {
      reader.reportProblem(
        [...path, "definition"],
        keyConflict("'file' and 'definition' cannot both be", "keep one of the two"),
      );
    }
    return (account?.flows ?? []).map((data) => ({
      path,
      data: { ...data, labels: given.labels ?? [], isArchived: given.archived },
      mentioned: account ?? emptyAccount,
    }));
  });
}

function inlineFlow(reader: DocumentReader, path: Path, { rules }: DefinitionSources): AccountData | undefined {
  const at = [...path, "definition"];
  const tree = reader.tree(at);
  if (tree === undefined) {
    reader.reportMissing([...path, "file"], "write file: flow.json, or definition: { … }");
    return undefined;
  }
  const { account, problems } = rules.readDefinitions(plainValueOf(tree));
  for (const { path: inner, message } of problems) {
    reader.reportProblem([...at, ...inner], { code: "bad-definition", message });
  }
  return account;
}

function flowOfFile(
  reader: DocumentReader,
  path: Path,
  name: string,
  sources: DefinitionSources,
): AccountData | undefined {
  const account = readExport(reader, path, name, { ...sources, severity: "error" });
  if (account === undefined || account.flows.length === 1) return account;
  const hint = "whole exports go under 'definitions'";
  if (account.flows.length > 1) {
    reader.reportProblem(path, {
      code: "bad-definition",
      message: `'${name}' has ${account.flows.length} flows`,
      whole: true,
      hint,
    });
  }
  return undefined;
}

/** Reads `definitions`. Parts that cannot be loaded are omitted with a warning, because others made the exports. */
export function readExports(reader: DocumentReader, sources: DefinitionSources): AccountData[] {
  const top = ["definitions"];
  const isOne = typeof reader.at(top) === "string";
  const paths = isOne ? [top] : listEntries(reader, top).map(({ path }) => path);
  return paths.flatMap((path) => {
    const name = reader.read(exportFile, path);
    if (name === undefined) return [];
    return readExport(reader, path, name, { ...sources, severity: "warning" }) ?? [];
  });
}

function readExport(
  reader: DocumentReader,
  path: Path,
  name: string,
  { readFile, rules, severity }: DefinitionSources & { readonly severity: "error" | "warning" },
): AccountData | undefined {
  const json = readJson(reader, path, name, readFile);
  if (json === undefined) return undefined;
  const { account, problems } = rules.readDefinitions(json.value);
  for (const { path: inner, message } of problems) {
    const where = inner.length === 0 ? "it" : pathText(inner);
    reader.reportProblem(path, {
      code: "bad-definition",
      message: `'${name}': ${where} ${message}`,
      whole: true,
      severity,
    });
  }
  return account;
}

/** Reads a JSON file that the account names; undefined if it cannot be read, which is then reported. */
export function readJson(
  reader: DocumentReader,
  path: Path,
  name: string,
  readFile: ReadFile | undefined,
): { readonly value: unknown } | undefined {
  const bad = (message: string, hint: string): undefined => {
    reader.reportProblem(path, { code: "bad-file", message, whole: true, hint });
    return undefined;
  };
  if (readFile === undefined) return bad("files cannot be read here", "write the content into the file");
  let text: string;
  try {
    text = readFile(name).replace(/^\uFEFF/, "");
  } catch (error) {
    return bad(`'${name}' cannot be read: ${firstLine(error)}`, "paths count from the folder of this file");
  }
  if (findNoText(text) >= 0) return bad(`'${name}' is not UTF-8 text`, "save it as UTF-8");
  const json = readJsonText(text);
  if ("value" in json) return json;
  return bad(`'${name}' is not well-formed JSON: see its line ${json.line}, column ${json.column}`, "export it anew");
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
}

/** A path for messages: `flows[0].nodes[2].uuid`. */
export function pathText(path: Path): string {
  return path.map((key, place) => (typeof key === "number" ? `[${key}]` : place === 0 ? key : `.${key}`)).join("");
}
