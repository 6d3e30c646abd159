import { mkdirSync, writeFileSync } from "node:fs";
import { accountJsonSchema, scenarioJsonSchema } from "../scenario/index.js";

// Build step: writes the JSON Schemas that scenario and account files name in their first line, for editors.
const folder = new URL("../scenario/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, schema] of [
  ["scenario", scenarioJsonSchema()],
  ["account", accountJsonSchema()],
] as const) {
  writeFileSync(new URL(`${name}.schema.json`, folder), `${JSON.stringify(schema, null, 2)}\n`);
}
