import { rmSync } from "node:fs";
import { build } from "esbuild";
import { compiledModule } from "../base/index.js";

/** Modules that are the beginning of a thread or a child process. */
const beginnings = [
  "control/account/reader-thread",
  "fleet/part-process",
  "http/thread/client-thread",
  "past/past-thread",
  "store/writer/writer-thread",
];

// Build step: bundles the command, its threads and their libraries, as loading hundreds of modules takes most of a start.
const folder = compiledModule("bin");
rmSync(folder, { recursive: true, force: true });
await build({
  entryPoints: Object.fromEntries([
    ["handset", compiledModule("cli/start.js")],
    ["index", compiledModule("index.js")],
    ["testing", compiledModule("testing/index.js")],
    ["testing-vitest", compiledModule("testing/vitest.js")],
    ["testing-jest", compiledModule("testing/jest.js")],
    ...beginnings.map((path) => [path, compiledModule(`${path}.js`)] as const),
  ]) as Record<string, string>,
  outdir: folder,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  // better-sqlite3 is native; the explorer serves files of its package; faker's locales are larger than all the rest.
  external: ["better-sqlite3", "open", "@fastify/swagger-ui", "@faker-js/faker", "vitest"],
  // Bundled CommonJS libraries call `require` for Node's own modules.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
  },
  legalComments: "linked",
  logLevel: "warning",
});
