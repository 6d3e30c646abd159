import { Chalk, type ChalkInstance } from "chalk";
import { countOf, formatCount, readableDuration } from "../number-format.js";
import { plain, wrap } from "../terminal-text.js";
import { NO_COLUMN } from "./columns/column-roles.js";
import { type DiscrepancyKind, discrepancyKinds } from "./discrepancies.js";
import { groupBy } from "./group-by.js";
import type { Reconciliation } from "./reconcile.js";

/** Discrepancies of a kind that the text and JUnit show. */
export const SHOWN_MAX = 10;

/** Line width if there is no terminal. */
const WIDTH = 80;

const about: Readonly<Record<DiscrepancyKind, string>> = {
  missing: "accepted by the receiver, but not in its log",
  doubled: "in its log more than once",
  changed: "in its log, but different from what was sent",
  unknown: "rows that match no event that was sent",
  deduplicated: "copies that the receiver dropped, as it should",
  uncertain: "not in its log; no try was accepted, so they may be absent",
};

/** Kinds that break the reconciliation. */
export const breaking = ["missing", "doubled", "changed", "unknown"] as const satisfies readonly DiscrepancyKind[];

/** Whether the log agrees with the deliveries in everything that was compared; `notCompared` lists the rest. */
export function isReconciled({ counts }: Reconciliation): boolean {
  return breaking.every((kind) => counts[kind] === 0);
}

/**
 * A reconciliation for a terminal.
 *
 * @param page - default: 80 columns without colours
 */
export function renderReconciliation(
  result: Reconciliation,
  page: { readonly colour?: boolean; readonly width?: number } = {},
): string {
  const paint = new Chalk({ level: page.colour === true ? 1 : 0 });
  const width = Math.max(40, page.width ?? WIDTH);
  const indented = (text: string, first: string): string[] => {
    const rest = " ".repeat(first.length);
    return wrap(plain(text), width - first.length).map((line, index) => (index === 0 ? first : rest) + line);
  };
  const lines = [
    paintHeadline(result, paint),
    ...indented(countsText(result), "  "),
    ...[comparedText(result), notComparedText(result)].flatMap((text) =>
      text === undefined ? [] : indented(text, "  "),
    ),
    ...result.warnings.flatMap((text) => indented(text, "  ! ").map((line) => paint.yellow(line))),
  ];
  for (const kind of discrepancyKinds) {
    const count = result.counts[kind];
    if (count === 0) continue;
    lines.push("", paint.bold(`${formatCount(count)} ${kind}`) + `: ${about[kind]}`);
    for (const text of result.common[kind as keyof Reconciliation["common"]] ?? [])
      lines.push(...indented(text, "  ").map((line) => paint.yellow(line)));
    for (const { text } of result.listed[kind].slice(0, SHOWN_MAX)) lines.push(...indented(text, "  - "));
    if (count > SHOWN_MAX) lines.push(`    and ${formatCount(count - SHOWN_MAX)} more (--json lists them)`);
  }
  const first = breaking.flatMap((kind) => result.listed[kind]).find(({ event }) => event !== undefined)?.event;
  if (first !== undefined)
    lines.push("", paint.dim(`handset why RECORDING ${first}  shows what happened to one of them`));
  return `${lines.join("\n")}\n`;
}

function paintHeadline(result: Reconciliation, paint: ChalkInstance): string {
  if (!isReconciled(result)) return paint.red("✘ The log differs from what was delivered");
  if (result.rows === 0 && result.accepted === 0)
    return paint.yellow("✔ Nothing to compare: no accepted events, and no rows");
  const gaps = gapsText(result);
  if (gaps !== undefined) return paint.yellow(`✔ Every event is there once; ${gaps}`);
  return paint.green("✔ The log agrees with what was delivered");
}

/** Says that texts or phones were not compared although events have them; undefined when all were compared. */
export function gapsText({ notCompared }: Reconciliation): string | undefined {
  const roles = notCompared.map(({ role }) => role);
  const gaps = (["text", "phone"] as const).filter((role) => roles.includes(role)).map((role) => `${role}s`);
  return gaps.length === 0 ? undefined : `${gaps.join(" and ")} were not compared`;
}

function countsText(result: Reconciliation): string {
  const { rows, rowsOfOtherTypes, accepted, types, found } = result;
  const others = rowsOfOtherTypes === 0 ? "" : ` (and ${formatCount(rowsOfOtherTypes)} of other types, left out)`;
  return (
    `${countOf(rows, "row")}${others}, ${countOf(accepted, "accepted event")} (${types.join(", ")}), ` +
    `${formatCount(found)} of them logged as sent${rows === 0 ? "" : `; matched by ${matchedByText(result)}`}`
  );
}

function matchedByText({ matchedBy, columns, windowMs }: Reconciliation): string {
  if (matchedBy === "id" || matchedBy === "number") return matchedBy;
  if (columns.time === undefined) return "phone and text";
  return `${matchedBy}, at most ${readableDuration(windowMs)} apart`;
}

/** `Compared: id ('event_id'), text ('body')`. */
export function comparedText({ compared, columns }: Reconciliation): string {
  if (compared.length === 0) return "Compared: nothing";
  return `Compared: ${compared.map((role) => `${role} ('${columns[role]}')`).join(", ")}`;
}

/** `Not compared: text, phone (no such column; --columns text=NAME names one)`; undefined: there is nothing to say. */
export function notComparedText({ notCompared }: Reconciliation): string | undefined {
  if (notCompared.length === 0) return undefined;
  const reasons = groupBy(notCompared, ({ why }) => why);
  const parts = Array.from(reasons, ([why, ones]) => {
    const [first] = ones;
    const hint = why === NO_COLUMN ? `; --columns ${first?.role}=NAME names one` : "";
    return `${ones.map(({ role }) => role).join(", ")} (${why}${hint})`;
  });
  return `Not compared: ${parts.join("; ")}`;
}
