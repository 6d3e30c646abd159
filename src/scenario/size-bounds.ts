import type { DocumentReader } from "./sheet/document-reader.js";
import type { Problems } from "./sheet/problems.js";
import { isList, isMap, type Source } from "./sheet/raw-value.js";

/** Maximum characters of a scenario or account file (YAML): parsing more takes minutes and gigabytes. */
export const mostYaml: number = 8 * 2 ** 20;

/** Maximum bytes of a file that a scenario or an option names, and maximum characters of an export (JSON). */
export const mostFileBytes: number = 64 * 2 ** 20;

/** Maximum of handsets, and of people, in a scenario or an account. */
export const mostInAll = 2_000_000;

/** Maximum of steps that a story plays, each repetition of a recurring step included. */
export const mostSteps = 100_000;

const mostEntries: ReadonlyMap<string, number> = new Map([
  ["carriers", 1_000],
  ["story", mostSteps],
  ["contacts", 100_000],
]);

/** Maximum of entries in other parts. */
export const mostOther = 10_000;

/** Whether a text is small enough to be parsed; reports a problem if it is not. */
export function checkTextSize(source: Source, kind: "YAML" | "JSON", problems: Problems): boolean {
  const most = kind === "YAML" ? mostYaml : mostFileBytes;
  const { length } = source.text;
  if (length <= most) return true;
  problems.add(
    { source, start: 0, end: 1 },
    {
      code: "too-large",
      message: `the file has ${inMiB(length)}, a ${kind} file may have ${inMiB(most)}`,
      hint: "describe many of a kind by 'count', or put values into a CSV file",
    },
  );
  return false;
}

/** Whether no top-level part has too many entries; reports each part that has. */
export function checkEntries(reader: DocumentReader): boolean {
  let isSmall = true;
  for (const part of reader.keys([])) {
    const value = reader.at([part]);
    const size = isList(value) ? value.length : isMap(value) ? Object.keys(value).length : 0;
    const most = mostEntries.get(part) ?? mostOther;
    if (size <= most) continue;
    isSmall = false;
    reader.reportProblem([part], {
      code: "too-large",
      message: `has ${size.toLocaleString("en")} entries, at most ${most.toLocaleString("en")} are read`,
      on: "key",
      hint: "describe many of a kind by one entry with 'count'",
    });
  }
  return isSmall;
}

/** Reports a part whose groups have too many members in all. */
export function checkMembers(
  reader: DocumentReader,
  part: string,
  groups: readonly { readonly count: number }[],
): void {
  const sum = groups.reduce((before, { count }) => before + count, 0);
  if (sum <= mostInAll) return;
  reader.reportProblem([part], {
    code: "too-large",
    message: `has ${sum.toLocaleString("en")} members in all, at most ${mostInAll.toLocaleString("en")} fit into one lab`,
    on: "key",
    hint: "lower the counts, or play the rest in a second lab",
  });
}

/** A size as text: `8 MiB`. */
export function inMiB(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes % 2 ** 20 === 0 ? 0 : 1)} MiB`;
}
