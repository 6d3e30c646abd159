import { Command, Option } from "commander";
import { generationOf, migrateDefinition, migrateExport, MigrationError } from "../../../flow/index.js";
import { UsageError } from "../../failures.js";
import { readText } from "../../scenario-file.js";
import type { Io } from "../../terminal/io.js";

/** `handset flow migrate`: an export or a definition of any generation in native form. */
export function migrateCommand(io: Io): Command {
  return new Command("migrate")
    .summary("convert an export of any version to native form")
    .description(
      "Prints an export, or a single definition, in native form (13). Legacy flows (versions 3 to 12) are migrated, native " +
        "ones are unchanged. The same file always gives the same UUIDs.",
    )
    .argument("<file>", "export or definition (JSON); - reads stdin")
    .addOption(
      new Option("--media-base <url>", "URL to which relative paths of media are joined").default(undefined, "site"),
    )
    .action(async (file: string, { mediaBase }: { mediaBase?: string }) => {
      const text = file === "-" ? await readStdin(io) : readText(file);
      const migrated = migrateText(text, file === "-" ? "stdin" : file, mediaBase);
      const output = `${JSON.stringify(migrated, undefined, 2)}\n`;
      if (io.stdout.document === undefined) io.stdout.write(output);
      else io.stdout.document(output);
    });
}

async function readStdin(io: Io): Promise<string> {
  const lines: string[] = [];
  for await (const line of io.lines?.() ?? []) lines.push(line);
  return lines.join("\n");
}

/** @throws UsageError when the text is no JSON, no export, or has a part without a native form */
function migrateText(text: string, name: string, mediaBase: string | undefined): unknown {
  const json = parsed(text, name);
  const options = mediaBase === undefined ? {} : { mediaBase };
  try {
    return generationOf(json) === undefined ? migrateExport(json, options) : migrateDefinition(json, options);
  } catch (error) {
    if (error instanceof MigrationError) throw new UsageError(`${name}: ${error.message}`);
    throw error;
  }
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new UsageError(`${name}: not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
