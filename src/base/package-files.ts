import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);

/** The package's folder: the nearest one above this module with a `package.json`. */
const packageFolder = folderOfPackage(dirname(here));

/** Folder of the compiled modules: `src` if this module was compiled in place (the benchmarks), else `dist`. */
const compiledFolder = here.endsWith(".js") && isIn("src") ? join(packageFolder, "src") : join(packageFolder, "dist");

/** Path of a file that comes with the package, such as `scenarios/ready.yaml`. */
export function packageFile(path: string): string {
  return join(packageFolder, path);
}

/**
 * Path of a compiled module that is not imported but loaded by a worker, a child process or a web page. It does not
 * depend on the caller's location, so a bundle and tests (which run the sources) find it too.
 *
 * @param path - from `src`, such as `store/writer/writer-thread.js`
 */
export function compiledModule(path: string): string {
  return join(compiledFolder, path);
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
