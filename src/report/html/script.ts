import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The page's own modules, each after those that it imports. */
const modules = ["value-format", "chart", "heat", "main"] as const;

/** uPlot's script and style, as its package has them. */
export function uPlotFiles(): { readonly script: string; readonly style: string } {
  const { resolve } = createRequire(import.meta.url);
  const read = (path: string): string => readFileSync(resolve(`uplot/dist/${path}`), "utf8");
  return { script: read("uPlot.iife.min.js"), style: read("uPlot.min.css") };
}

/**
 * The script of the page: its compiled modules as one, since a page that fetches nothing cannot import. What they import
 * of each other is named alike everywhere, so it is enough to leave out the words `import` and `export`.
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

/** Beside this module where it is compiled itself, else in what was built of it. */
function compiledModuleUrl(name: string): URL {
  const beside = new URL(`./browser/${name}.js`, import.meta.url);
  if (existsSync(beside)) return beside;
  const built = new URL(`../../../dist/report/html/browser/${name}.js`, import.meta.url);
  if (existsSync(built)) return built;
  throw new Error(`the page's script is not built: no ${beside.pathname}`);
}
