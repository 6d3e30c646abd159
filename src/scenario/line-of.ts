import { withoutMark } from "./sheet/diagnostic.js";
import { readYaml, sourceOf } from "./sheet/document.js";
import { Problems } from "./sheet/problems.js";
import type { Location } from "./sheet/raw-value.js";
import type { Scenario } from "./scenario.js";

/**
 * The line of a part of a scenario's source, for messages after the scenario was parsed.
 *
 * @param paths - paths such as `["traffic", 2, "texts"]`, best first. The first one with a value in the file is used:
 *   others may have a default, or a value from `--set`
 * @returns 1-based; 1: the file has no value at any of the paths
 */
export function lineOf({ source }: Scenario, ...paths: readonly (readonly (string | number)[])[]): number {
  const tree = readYaml(sourceOf(source.file, withoutMark(source.text)), new Problems());
  for (const path of paths) {
    const location = path.reduce<Location | undefined>((at, key) => at?.inner.get(String(key)), tree?.location);
    if (location !== undefined) return location.span.source.positionAt(location.span.start).line;
  }
  return 1;
}
