import { withoutMark } from "./sheet/diagnostic.js";
import { readYaml, sourceOf } from "./sheet/document.js";
import { Problems } from "./sheet/problems.js";
import type { Location } from "./sheet/raw-value.js";
import type { Scenario } from "./scenario.js";

/**
 * The line of a part of a scenario's source, for findings after the scenario was read.
 *
 * @param paths - ways to it from the top, such as `["traffic", 2, "texts"]`, the best first. The next one is tried
 *   where the file has nothing at a path: the key has its default, or `--set` gave it
 * @returns 1-based; 1 where the file has nothing at any of the paths
 */
export function lineOf({ source }: Scenario, ...paths: readonly (readonly (string | number)[])[]): number {
  const tree = readYaml(sourceOf(source.file, withoutMark(source.text)), new Problems());
  for (const path of paths) {
    const location = path.reduce<Location | undefined>((at, key) => at?.inner.get(String(key)), tree?.location);
    if (location !== undefined) return location.span.source.positionAt(location.span.start).line;
  }
  return 1;
}
