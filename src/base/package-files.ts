import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);

/** The package's folder: the nearest one above this module with a `package.json`. */
const packageFolder = folderOfPackage(dirname(here));

/** Whether this module was compiled in place, for the benchmarks: nothing is bundled there. */
const isCompiledInPlace = here.endsWith(".js") && isIn("src");

const compiledFolder = join(packageFolder, isCompiledInPlace ? "src" : "dist");

/** Path of a file that comes with the package, such as `scenarios/ready.yaml`. */
export function packageFile(path: string): string {
  return join(packageFolder, path);
}

/**
 * Path of a compiled module that is not imported but read or loaded by a web page. It does not
 * depend on the caller's location, so a bundle and tests (which run the sources) find it too.
 *
 * @param path - from `src`, such as `report/html/browser/main.js`
 */
export function compiledModule(path: string): string {
  return join(compiledFolder, path);
}

/**
 * Path of the bundle of a module that is the beginning of a thread or a child process. It loads in a fifth of the time of
 * the compiled modules, which are hundreds of files.
 *
 * @param path - from `src`, such as `past/past-thread.js`; `src/cli/write-bundle.ts` lists them
 */
export function bundledModule(path: string): string {
  return isCompiledInPlace ? compiledModule(path) : join(compiledFolder, "bin", path);
}

function isIn(folder: string): boolean {
  return relative(packageFolder, here).startsWith(folder + sep);
}

function folderOfPackage(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`no package.json in a folder above ${here}`);
  return folderOfPackage(parent);
}
