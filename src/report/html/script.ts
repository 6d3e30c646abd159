import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The modules of the page's script, each after its imports. */
const modules = ["value-format", "chart", "heat", "main"] as const;

/** Script and style of uPlot, from its package. */
export function uPlotFiles(): { readonly script: string; readonly style: string } {
  const { resolve } = createRequire(import.meta.url);
  const read = (path: string): string => readFileSync(resolve(`uplot/dist/${path}`), "utf8");
  return { script: read("uPlot.iife.min.js"), style: read("uPlot.min.css") };
}

/**
 * The script of the page: the compiled modules in one text, since the page cannot import files. All modules use the
 * same name for a symbol, so removing the `import` lines and the word `export` is enough.
 *
 * @throws Error when the project was not built
 */
export function pageScript(): string {
  return `"use strict";(() => {\n${modules.map(compiled).join("\n")}\n})();`;
}

function compiled(name: string): string {
  const text = readFileSync(compiledModuleUrl(name), "utf8");
  return text
    .replace(/^import .*;$/gm, "")
    .replace(/^export \{\};$/gm, "")
    .replace(/^export /gm, "")
    .replace(/^\/\/\/ <reference.*$/gm, "")
    .replace(/^\/\/# sourceMappingURL=.*$/gm, "");
}

/** URL of a compiled module: next to this file if this file is compiled, else in `dist`. */
function compiledModuleUrl(name: string): URL {
  const beside = new URL(`./browser/${name}.js`, import.meta.url);
  if (existsSync(beside)) return beside;
  const built = new URL(`../../../dist/report/html/browser/${name}.js`, import.meta.url);
  if (existsSync(built)) return built;
  throw new Error(`the page's script is not built: ${beside.pathname} is missing; run npm run build`);
}
