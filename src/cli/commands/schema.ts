import { Command } from "commander";
import { scenarioJsonSchema } from "../../lab/index.js";
import type { Io } from "../io.js";

export function schemaCommand(io: Io): Command {
  return new Command("schema")
    .summary("print the JSON Schema of scenarios, for editors")
    .action(() => io.stdout.write(`${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`));
}
