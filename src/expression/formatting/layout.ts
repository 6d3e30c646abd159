import { ErrorValue } from "../values/error-value.js";

/** What a layout may have: parts of dates, of times of day, or both and the offset. */
export type LayoutKind = "date" | "time" | "datetime";

/** Letters of a layout that stand for a part (docs/reference/flows.md#date-layouts). */
export type LayoutLetters = DateLetters | TimeLetters | "Z" | "ZZZ";
type DateLetters = "YY" | "YYYY" | "M" | "MM" | "MMM" | "MMMM" | "D" | "DD" | "EEE" | "EEEE";
type TimeLetters = "h" | "hh" | "t" | "tt" | "m" | "mm" | "s" | "ss" | "fff" | "ffffff" | "fffffffff" | "aa" | "AA";

/** A part of a layout: letters, or characters between them. */
export type LayoutPart =
  { readonly kind: "letters"; readonly letters: LayoutLetters } | { readonly kind: "literal"; readonly text: string };

const kinds: Readonly<Record<LayoutLetters, LayoutKind>> = {
  YY: "date",
  YYYY: "date",
  M: "date",
  MM: "date",
  MMM: "date",
  MMMM: "date",
  D: "date",
  DD: "date",
  EEE: "date",
  EEEE: "date",
  h: "time",
  hh: "time",
  t: "time",
  tt: "time",
  m: "time",
  mm: "time",
  s: "time",
  ss: "time",
  fff: "time",
  ffffff: "time",
  fffffffff: "time",
  aa: "time",
  AA: "time",
  Z: "datetime",
  ZZZ: "datetime",
};

const names: readonly string[] = ["MMM", "MMMM", "EEE", "EEEE"];
const literals = " :/.,T-_";

/** Layouts of flows repeat; the limit bounds those that data makes. */
const cache = new Map<string, readonly LayoutPart[] | ErrorValue>();
const cacheMax = 500;
const lengthMax = 200;

/**
 * The parts of a layout.
 *
 * @param use - `parsing`: names of months and days are not allowed
 */
export function readLayout(
  layout: string,
  kind: LayoutKind,
  use: "formatting" | "parsing",
): readonly LayoutPart[] | ErrorValue {
  const key = `${kind} ${use} ${layout}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const parts = layout.length > lengthMax ? new ErrorValue("format is too long") : splitLayout(layout, kind, use);
  if (cache.size >= cacheMax) cache.clear();
  cache.set(key, parts);
  return parts;
}

function splitLayout(layout: string, kind: LayoutKind, use: "formatting" | "parsing"): LayoutPart[] | ErrorValue {
  const parts: LayoutPart[] = [];
  for (const [run] of layout.matchAll(/(.)\1*/gsu)) {
    if (literals.includes(run.charAt(0))) {
      parts.push({ kind: "literal", text: run });
    } else if (isAllowed(run, kind) && !(use === "parsing" && names.includes(run))) {
      parts.push({ kind: "letters", letters: run });
    } else {
      return new ErrorValue(`'${run}' is not valid in a ${kind} format`);
    }
  }
  return parts;
}

function isAllowed(run: string, kind: LayoutKind): run is LayoutLetters {
  if (!Object.hasOwn(kinds, run)) return false;
  return kind === "datetime" || kinds[run as LayoutLetters] === kind;
}
