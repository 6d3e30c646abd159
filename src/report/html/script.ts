import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compiledModule } from "../../base/index.js";

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
  const text = readFileSync(compiledModule(`report/html/browser/${name}.js`), "utf8");
  return text
    .replace(/^import .*;$/gm, "")
    .replace(/^export \{\};$/gm, "")
    .replace(/^export /gm, "")
    .replace(/^\/\/\/ <reference.*$/gm, "")
    .replace(/^\/\/# sourceMappingURL=.*$/gm, "");
}
