import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Of the build's last step, the bundle: a build that fails before it is stale. */
const lastBuilt = "dist/bin/handset.js";

/** Builds if a source is newer than the last build: some tests start the built command. */
// Vitest runs the default export of a global setup file.
// eslint-disable-next-line import/no-default-export
export default function buildWhenStale(): void {
  const builtAtMs = statSync(lastBuilt, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [
    ...readdirSync("src", { recursive: true, encoding: "utf8" }).map((name) => join("src", name)),
    "package.json",
    "tsconfig.json",
    "tsconfig.build.json",
  ];
  if (sources.some((file) => statSync(file).mtimeMs > builtAtMs)) {
    execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  }
}
