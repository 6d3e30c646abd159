import { Argument, Command } from "commander";
import { accountJsonSchema, scenarioJsonSchema } from "../../scenario/index.js";
import type { Io } from "../terminal/io.js";

export function schemaCommand(io: Io): Command {
  return new Command("schema")
    .description("Prints the JSON Schema of scenarios or of account files. Editors use it to complete and check YAML.")
    .addArgument(new Argument("[kind]", "which schema").choices(["scenario", "account"]).default("scenario"))
    .action((kind: "scenario" | "account") => {
      const schema = kind === "account" ? accountJsonSchema() : scenarioJsonSchema();
      io.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
    });
}
