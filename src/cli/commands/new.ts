import { writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { compiledModule } from "../../base/index.js";
import { Command } from "commander";
import { newScenarioText } from "../../scenario/index.js";
import { UsageError } from "../failures.js";
import type { Io } from "../terminal/io.js";

export function newCommand(io: Io): Command {
  return new Command("new")
    .description("Writes a commented scenario to start from.")
    .argument("[file]", "file to write (default: stdout)")
    .action((file: string | undefined) => {
      if (file === undefined) {
        io.stdout.write(newScenarioText());
        return;
      }
      try {
        writeFileSync(file, newScenarioText(schemaFrom(dirname(resolve(file)))), { flag: "wx" });
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
        if (code === "EEXIST")
          throw new UsageError(`${file} exists already`, "choose another name; nothing was written");
        throw new UsageError(`cannot write ${file} (${code})`);
      }
      io.stderr.write(`Wrote ${file}. Play it with: handset run ${file}\n`);
    });
}

/** Relative path from the new scenario's folder to this installation's schema, so editors need no network. */
function schemaFrom(folder: string): string {
  const schema = compiledModule("scenario/scenario.schema.json");
  return relative(folder, schema).replaceAll("\\", "/");
}
