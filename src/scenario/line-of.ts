import { isNode, LineCounter, parseDocument } from "yaml";
import { withoutMark } from "./diagnostic.js";
import type { Scenario } from "./scenario.js";

/**
 * The line on which a part of a scenario stands, for what is found out about it after it was read.
 *
 * @param paths - ways to it from the top, such as `["traffic", 2, "texts"]`, the best first: where nothing is written at
 *   one (it has its default, or `--set` has put it there) the next is tried
 * @returns 1-based; 1 where nothing is written at any of them
 */
export function lineOf({ source }: Scenario, ...paths: readonly (readonly (string | number)[])[]): number {
  const lineCounter = new LineCounter();
  // The file was checked before; the check of unique keys takes quadratic time.
  const document = parseDocument(withoutMark(source.text), { lineCounter, uniqueKeys: false });
  for (const path of paths) {
    const node = document.getIn(path, true);
    if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line;
  }
  return 1;
}
