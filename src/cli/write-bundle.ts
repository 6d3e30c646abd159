import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type BuildOptions } from "esbuild";
import { compiledModule } from "../base/index.js";

/** Modules that are the beginning of a thread or a child process. */
const beginnings = [
  "control/account/reader-thread",
  "fleet/part-process",
  "http/thread/client-thread",
  "past/past-thread",
  "store/writer/writer-thread",
  "study/minimise/thread/minimise-thread",
];

// Build step: bundles the command, its threads and their libraries, as loading hundreds of modules takes most of a start.
const folder = compiledModule("bin");
rmSync(folder, { recursive: true, force: true });
const shared: BuildOptions = {
  bundle: true,
  platform: "node",
  target: "node20",
  // better-sqlite3 is native; the explorer serves files of its package; faker's locales are larger than all the rest;
  // vitest is the one of the test that imports the matchers.
  external: ["better-sqlite3", "open", "@fastify/swagger-ui", "@faker-js/faker", "vitest"],
  // Its main file is UMD, whose `require` no bundler follows.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  legalComments: "linked",
  logLevel: "warning",
};
await build({
  ...shared,
  entryPoints: Object.fromEntries([
    ["handset", compiledModule("cli/start.js")],
    ["index", compiledModule("index.js")],
    ["testing", compiledModule("testing/index.js")],
    ["testing-vitest", compiledModule("testing/vitest.js")],
    ["testing-jest", compiledModule("testing/jest.js")],
    ...beginnings.map((path) => [path, compiledModule(`${path}.js`)] as const),
  ]) as Record<string, string>,
  outdir: folder,
  splitting: true,
  format: "esm",
  // Bundled CommonJS libraries call `require` for Node's own modules.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
  },
});
// Jest loads CommonJS: with modules it would need a flag of Node's.
await build({
  ...shared,
  entryPoints: [compiledModule("testing/index.js")],
  outfile: join(folder, "testing.cjs"),
  minify: true,
  keepNames: true,
  format: "cjs",
  define: { "import.meta.url": "moduleUrl" },
  banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
});
writeFileSync(join(folder, "testing-jest.cjs"), 'expect.extend(require("./testing.cjs").matchers);\n');
