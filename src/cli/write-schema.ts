import { mkdirSync, writeFileSync } from "node:fs";
import { scenarioJsonSchema } from "../lab/index.js";

// Part of the build: the schema that scenarios name in their first line, so that editors complete them.
const folder = new URL("../scenario/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("scenario.schema.json", folder), `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
