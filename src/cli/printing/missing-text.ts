import { type MissingLineOptions, missingLines, type MissingReference } from "../../flow/index.js";

/**
 * What flows refer to and is missing, by kind, as lines below the line of a file.
 *
 * @param options - `prefix` begins each heading
 */
export function missingText(
  missing: readonly MissingReference[],
  { prefix = "", ...options }: { readonly prefix?: string } & MissingLineOptions = {},
): string {
  return missingLines(missing, options)
    .flatMap(({ heading, lines }) => [`  ${prefix}${heading}`, ...lines.map((line) => `    ${line}`)])
    .map((line) => `${line}\n`)
    .join("");
}
