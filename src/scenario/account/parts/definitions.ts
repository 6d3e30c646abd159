import * as z from "zod";
import { type AccountData, emptyAccount, type FlowData } from "../../../wire/index.js";
import type { ReadFile } from "../../sheet/csv.js";
import { keyed, type TextInput } from "../../sheet/field.js";
import { filledText, flag } from "../../fields/fields.js";
import { jsonOf } from "../../sheet/plain-value.js";
import type { Sheet } from "../../sheet/sheet.js";
import type { Path } from "../../sheet/written.js";
import { findNoText } from "../../sheet/yaml-faults.js";
import { listEntries } from "../entries.js";
import { dataMap, someTexts } from "../account-fields.js";
import { readJsonText } from "./json-text.js";
import type { AccountRules } from "../rules.js";

/** What it takes to read definitions. */
export interface DefinitionSources {
  readonly readFile: ReadFile | undefined;
  readonly rules: Pick<AccountRules, "readDefinitions">;
}

const file = filledText(
  "A JSON file with the flow's definition, or with an export of it alone, by its path from this file.",
);

const definitionField = dataMap("The flow's definition, as it stands in exports.");

const flow = keyed({
  file: file.optional(),
  definition: definitionField.optional(),
  labels: someTexts("Flow labels.").optional(),
  archived: flag("Whether it is archived.").prefault(false),
});

/** `flows`: a list of files or maps. */
export const flowsSchema: z.ZodType = z.array(z.union([file, flow])).nullable();

const exportFile = filledText("A JSON file with an export, by its path from this file.");

/** `definitions`: a file, or a list of files. */
export const definitionsSchema: z.ZodType<unknown, TextInput | readonly TextInput[] | null> = z
  .union([exportFile, z.array(exportFile)])
  .nullable();

/** A flow of the file's own, where it stands, and what it mentions. */
export interface ReadFlow {
  readonly path: Path;
  readonly data: FlowData;
  readonly mentioned: AccountData;
}

/** Reads `flows`. A flow that breaks the rules of loading is an error: somebody has just written it. */
export function readFlows(sheet: Sheet, sources: DefinitionSources): ReadFlow[] {
  return listEntries(sheet, ["flows"]).flatMap(({ path }) => {
    const isFile = typeof sheet.at(path) === "string";
    const given = isFile ? flow.parse({ file: sheet.read(file, path) }) : sheet.read(flow, path);
    if (given === undefined) return [];
    const account =
      given.file === undefined
        ? inlineFlow(sheet, path, sources)
        : flowOfFile(sheet, isFile ? path : [...path, "file"], given.file, sources);
    if (given.file !== undefined && given.definition !== undefined) {
      sheet.tell([...path, "definition"], {
        code: "not-together",
        message: "'file' and 'definition' cannot both be",
        whole: true,
        on: "key",
        hint: "keep one of the two",
      });
    }
    return (account?.flows ?? []).map((data) => ({
      path,
      data: { ...data, labels: given.labels ?? [], isArchived: given.archived },
      mentioned: account ?? emptyAccount,
    }));
  });
}

function inlineFlow(sheet: Sheet, path: Path, { rules }: DefinitionSources): AccountData | undefined {
  const at = [...path, "definition"];
  const tree = sheet.tree(at);
  if (tree === undefined) {
    sheet.missing([...path, "file"], "write file: flow.json, or definition: { … }");
    return undefined;
  }
  const { account, problems } = rules.readDefinitions(jsonOf(tree));
  for (const { path: inner, message } of problems) {
    sheet.tell([...at, ...inner], { code: "bad-definition", message });
  }
  return account;
}

function flowOfFile(sheet: Sheet, path: Path, name: string, sources: DefinitionSources): AccountData | undefined {
  const account = readExport(sheet, path, name, { ...sources, severity: "error" });
  if (account === undefined || account.flows.length === 1) return account;
  const hint = "whole exports go under 'definitions'";
  if (account.flows.length > 1) {
    sheet.tell(path, {
      code: "bad-definition",
      message: `'${name}' has ${account.flows.length} flows`,
      whole: true,
      hint,
    });
  }
  return undefined;
}

/** Reads `definitions`. Of exports that others have made, what cannot be loaded is left out with a warning. */
export function readExports(sheet: Sheet, sources: DefinitionSources): AccountData[] {
  const top = ["definitions"];
  const isOne = typeof sheet.at(top) === "string";
  const paths = isOne ? [top] : listEntries(sheet, top).map(({ path }) => path);
  return paths.flatMap((path) => {
    const name = sheet.read(exportFile, path);
    if (name === undefined) return [];
    return readExport(sheet, path, name, { ...sources, severity: "warning" }) ?? [];
  });
}

function readExport(
  sheet: Sheet,
  path: Path,
  name: string,
  { readFile, rules, severity }: DefinitionSources & { readonly severity: "error" | "warning" },
): AccountData | undefined {
  const json = readJson(sheet, path, name, readFile);
  if (json === undefined) return undefined;
  const { account, problems } = rules.readDefinitions(json.value);
  for (const { path: inner, message } of problems) {
    const where = inner.length === 0 ? "it" : pathText(inner);
    sheet.tell(path, { code: "bad-definition", message: `'${name}': ${where} ${message}`, whole: true, severity });
  }
  return account;
}

/** Reads a JSON file that the account names; undefined where it cannot be, and the problems say why. */
export function readJson(
  sheet: Sheet,
  path: Path,
  name: string,
  readFile: ReadFile | undefined,
): { readonly value: unknown } | undefined {
  const bad = (message: string, hint: string): undefined => {
    sheet.tell(path, { code: "bad-file", message, whole: true, hint });
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

/** A path as people read it: `flows[0].nodes[2].uuid`. */
export function pathText(path: Path): string {
  return path.map((key, place) => (typeof key === "number" ? `[${key}]` : place === 0 ? key : `.${key}`)).join("");
}
