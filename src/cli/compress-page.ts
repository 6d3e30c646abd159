import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { compiledModule } from "../base/index.js";

// Build step: writes compressed copies of the console's page beside its files, so that the server compresses nothing.
const root = compiledModule("console/page");
/** Below this size a copy saves less than its headers cost. */
const LEAST_BYTES = 512;
for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
  if (!/\.(html|js|css|svg)$/.test(name)) continue;
  const file = join(root, name);
  const bytes = readFileSync(file);
  if (bytes.length < LEAST_BYTES) continue;
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
}
