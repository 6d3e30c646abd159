import type { Sheet } from "./sheet/sheet.js";
import type { Problems } from "./sheet/problems.js";
import { isList, isMap, type Source } from "./sheet/written.js";

/** Characters that a scenario or an account file (YAML) may have: reading more takes minutes and gigabytes. */
const mostYaml = 8 * 2 ** 20;

/** Bytes that a file named in a scenario or an option may have, and characters of an export (JSON). */
export const mostFileBytes: number = 64 * 2 ** 20;

/** How many handsets, and how many people, a scenario or an account may have in all. */
export const mostInAll = 2_000_000;

const mostEntries: ReadonlyMap<string, number> = new Map([
  ["carriers", 1_000],
  ["story", 100_000],
  ["contacts", 100_000],
]);

/** Entries of parts without a bound of their own. */
const mostOther = 10_000;

/** Whether a text is small enough to be read; takes down a problem where it is not. */
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

/** Whether each part at the top has few enough entries to be checked; takes down a problem where one does not. */
export function checkEntries(sheet: Sheet): boolean {
  let isSmall = true;
  for (const part of sheet.keys([])) {
    const value = sheet.at([part]);
    const size = isList(value) ? value.length : isMap(value) ? Object.keys(value).length : 0;
    const most = mostEntries.get(part) ?? mostOther;
    if (size <= most) continue;
    isSmall = false;
    sheet.tell([part], {
      code: "too-large",
      message: `has ${size.toLocaleString("en")} entries, at most ${most.toLocaleString("en")} are read`,
      on: "key",
      hint: "describe many of a kind by one entry with 'count'",
    });
  }
  return isSmall;
}

/** Takes down a problem where the groups of one part have too many members in all. */
export function checkMembers(sheet: Sheet, part: string, groups: readonly { readonly count: number }[]): void {
  const sum = groups.reduce((before, { count }) => before + count, 0);
  if (sum <= mostInAll) return;
  sheet.tell([part], {
    code: "too-large",
    message: `has ${sum.toLocaleString("en")} members in all, at most ${mostInAll.toLocaleString("en")} fit into one lab`,
    on: "key",
    hint: "lower the counts, or play the rest in a second lab",
  });
}

/** A size for people: `8 MiB`. */
export function inMiB(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes % 2 ** 20 === 0 ? 0 : 1)} MiB`;
}
