import { Command } from "commander";
import {
  exportsHave,
  inspectDefinition,
  isOfAccount,
  type MissingReference,
  missingReferences,
  outsideReferences,
  readExportFlows,
  type Unsupported,
} from "../../../flow/index.js";
import type { ExitCode, Io } from "../../terminal/io.js";
import { missingText } from "../../printing/missing-text.js";
import { forEachJsonFile } from "./json-file.js";

/** What is said about one file. */
interface CheckedFile {
  readonly file: string;
  /** Number of flows that can be loaded. */
  readonly flows: number;
  readonly faults: readonly { readonly flow: string; readonly text: string }[];
  readonly unsupported: readonly Unsupported[];
  readonly missing: readonly MissingReference[];
  /** What no export can have. */
  readonly needs: readonly MissingReference[];
}

/** `handset flow check`: which parts of flows the engine does not execute as the service does, and what they lack. */
export function checkFlowsCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("check")
    .summary("list what the flows of a file need and is unsupported or missing")
    .description(
      "Loads exports and definitions of any version. Lists by flow, node and name which parts a run would skip or fail " +
        "at, and which names none of the files defines. Exit codes: 0 done, 2 a file or one of its flows cannot be loaded.",
    )
    .argument("<file...>", "exports or definitions (JSON)")
    .option("--json", "a JSON line for each file")
    .action((files: string[], { json = false }: { json?: boolean }) => {
      const read: ({ readonly file: string } & ReturnType<typeof readExportFlows>)[] = [];
      forEachJsonFile(files, { io, end }, (file, whole) => read.push({ file, ...readExportFlows(whole) }));
      const has = exportsHave(read);
      for (const { file, flows, faults, json: native } of read) {
        const unsupported = flows.flatMap(inspectDefinition);
        const lacked = missingReferences(flows, has, outsideReferences(native));
        const missing = lacked.filter((one) => !isOfAccount(one));
        const needs = lacked.filter(isOfAccount);
        const checked = { file, flows: flows.length, faults, unsupported, missing, needs };
        io.stdout.write(json ? `${JSON.stringify(checked)}\n` : outline(checked));
        if (faults.length > 0) end(2);
      }
    });
}

function outline({ file, flows, faults, unsupported, missing, needs }: CheckedFile): string {
  const lacks = missing.length === 0 ? "" : `, ${missing.length} missing`;
  const lines = [`${file}: ${flows} ${flows === 1 ? "flow" : "flows"}, ${unsupported.length} unsupported${lacks}`];
  for (const { flow, text } of faults) lines.push(`  ${flow}: cannot be loaded: ${text}`);
  for (const { flow, node, kind, name, effect } of unsupported) {
    lines.push(`  ${flow.name}, node ${node}: ${kind} ${name} ${effect}`);
  }
  return `${lines.join("\n")}\n${missingText([...missing, ...needs])}`;
}
