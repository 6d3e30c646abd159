import { missingLines, type MissingReference } from "../../flow/index.js";

/**
 * What flows refer to and is missing, by kind, as lines below the line of a file.
 *
 * @param prefix - begins each heading
 */
export function missingText(missing: readonly MissingReference[], prefix = ""): string {
  return missingLines(missing)
    .flatMap(({ heading, lines }) => [`  ${prefix}${heading}`, ...lines.map((line) => `    ${line}`)])
    .map((line) => `${line}\n`)
    .join("");
}
