import { missingLines, type MissingReference } from "../../flow/index.js";

/**
 * What flows refer to and is missing, by kind, as lines below the line of a file.
 *
 * @param options - `prefix` begins each heading; `isNeed`: an account that is not here may have all of it
 */
export function missingText(
  missing: readonly MissingReference[],
  { prefix = "", isNeed = false }: { readonly prefix?: string; readonly isNeed?: boolean } = {},
): string {
  return missingLines(missing, isNeed)
    .flatMap(({ heading, lines }) => [`  ${prefix}${heading}`, ...lines.map((line) => `    ${line}`)])
    .map((line) => `${line}\n`)
    .join("");
}
