import { Command } from "commander";
import { inspectDefinition, readExportFlows, type Unsupported } from "../../../flow/index.js";
import type { ExitCode, Io } from "../../terminal/io.js";
import { forEachJsonFile } from "./json-file.js";

/** `handset flow check`: which parts of flows the engine does not execute as the service does. */
export function checkFlowsCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("check")
    .summary("what of a file's flows is not supported")
    .description(
      "Loads exports and definitions of any generation and lists, by flow, node and name, what a run would skip or fail " +
        "at. Exit codes: 0 done, 2 a file or one of its flows cannot be loaded.",
    )
    .argument("<file...>", "exports or definitions (JSON)")
    .option("--json", "a JSON line for each file")
    .action((files: string[], { json = false }: { json?: boolean }) => {
      forEachJsonFile(files, { io, end }, (file, whole) => {
        const { flows, faults } = readExportFlows(whole);
        const unsupported = flows.flatMap(inspectDefinition);
        if (json) io.stdout.write(`${JSON.stringify({ file, flows: flows.length, faults, unsupported })}\n`);
        else io.stdout.write(outline(file, flows.length, faults, unsupported));
        if (faults.length > 0) end(2);
      });
    });
}

function outline(
  file: string,
  count: number,
  faults: readonly { readonly flow: string; readonly text: string }[],
  unsupported: readonly Unsupported[],
): string {
  const lines = [`${file}: ${count} ${count === 1 ? "flow" : "flows"}, ${unsupported.length} unsupported`];
  for (const { flow, text } of faults) lines.push(`  ${flow}: cannot be loaded: ${text}`);
  for (const { flow, node, kind, name, effect } of unsupported) {
    lines.push(`  ${flow.name}, node ${node}: ${kind} ${name} ${effect}`);
  }
  return `${lines.join("\n")}\n`;
}
