import { mkdirSync, writeFileSync } from "node:fs";
import { accountJsonSchema, scenarioJsonSchema } from "../scenario/index.js";

// Part of the build: the schemas that scenarios and accounts name in their first line, so that editors complete them.
const folder = new URL("../scenario/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, schema] of [
  ["scenario", scenarioJsonSchema()],
  ["account", accountJsonSchema()],
] as const) {
  writeFileSync(new URL(`${name}.schema.json`, folder), `${JSON.stringify(schema, null, 2)}\n`);
}
