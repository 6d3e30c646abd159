import { rmSync } from "node:fs";
import { build } from "esbuild";
import { compiledModule } from "../base/index.js";

// Build step: bundles the command and its libraries, as loading hundreds of modules takes most of a command's start.
const folder = compiledModule("bin");
rmSync(folder, { recursive: true, force: true });
await build({
  entryPoints: { handset: compiledModule("cli/start.js") },
  outdir: folder,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  // better-sqlite3 is native; the explorer serves files of its package; faker's locales are larger than all the rest.
  external: ["better-sqlite3", "open", "@fastify/swagger-ui", "@faker-js/faker"],
  // Bundled CommonJS libraries call `require` for Node's own modules.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
  },
  legalComments: "linked",
  logLevel: "warning",
});
