import type { ChalkInstance } from "chalk";
import {
  causeOf,
  causePhrase,
  causesTogether,
  causeShares,
  type ImportedLog,
  type InferredDay,
} from "../../field/index.js";
import { plain, wrap } from "../../report/index.js";
import type { FieldImport } from "../../run/index.js";
import { count } from "./numbers.js";

/** Causes, and rows without one, that a terminal shows before it counts the others. */
const SHOWN_CAUSES = 40;
const SHOWN_ROWS = 10;

/** The causes of an imported log with their evidence, what they explain, and what none explains. */
export function causeLines(
  { log, inferred, reproduced }: FieldImport,
  { paint, width }: { readonly paint: ChalkInstance; readonly width: number },
): string[] {
  if (log.summary.events === 0) return [];
  if (inferred === undefined) {
    return [
      "",
      ...wrap("Its causes were not looked for, since it has more than 20,000 events: --scenario FILE does.", width),
    ];
  }
  const { causes } = inferred;
  const out = [
    "",
    paint.bold(
      causes.length === 0
        ? "No trouble shows"
        : `${count(causes.length)} ${causes.length === 1 ? "cause" : "causes"} of trouble`,
    ),
  ];
  const groups = causesTogether(causes);
  for (const { first, others, of, rows } of groups.slice(0, SHOWN_CAUSES)) {
    const at = new Date(Math.round(first.fromMs)).toISOString().slice(0, 19).replace("T", " ");
    const who = others === 0 ? causeOf(first) : `${count(others + 1)} phones at once`;
    out.push(`  ${at}  ${paint.yellow(`${who}  ${causePhrase(first)}`)}`);
    const evidence =
      others === 0 ? first.evidence : `${count(rows)} rows of ${of.join(", ")}; the first: ${first.evidence}`;
    out.push(...wrap(plain(evidence), width - 6).map((line) => paint.dim(`      ${line}`)));
  }
  if (groups.length > SHOWN_CAUSES)
    out.push(paint.dim(`  and ${count(groups.length - SHOWN_CAUSES)} more (--json has all)`));
  out.push("", paint.bold("What explains the lines"));
  for (const { what, rows, share } of causeShares(inferred)) {
    out.push(`  ${count(rows).padStart(9)}  ${(share * 100).toFixed(1).padStart(5)} %  ${what}`);
  }
  out.push(...unexplainedLines(log, inferred, width));
  if (inferred.day.lacksPhoneTimes) {
    const lack =
      "The log has no times of the phones: a lost network, a wrong clock or rows told again cannot be seen in it.";
    out.push("", ...wrap(lack, width));
  }
  if (reproduced !== undefined) {
    const { rows, found, more, untilMs } = reproduced;
    if (untilMs !== undefined) {
      const until = new Date(Math.round(untilMs)).toISOString().slice(0, 19).replace("T", " ");
      const cut = `The scenario ends at ${until}: a story has at most 100,000 steps and its file 8 MiB. A recording (-o) has the whole log.`;
      out.push("", ...wrap(cut, width));
    }
    const share = rows === 0 ? 100 : (found / rows) * 100;
    const extra = more === 0 ? "" : `, and ${count(more)} that the log does not have`;
    const text = `Played without a receiver, the scenario tells ${count(found)} of the ${count(rows)} events again (${share.toFixed(1)}\u00A0%)${extra}.`;
    out.push("", ...wrap(text, width));
    if (reproduced.missing.length > 0) {
      out.push(...wrap(`Not told again: ${placesOf(log, reproduced.missing)}.`, width - 2).map((line) => `  ${line}`));
    }
  }
  return out;
}

function unexplainedLines(log: ImportedLog, { unexplained }: InferredDay, width: number): string[] {
  if (unexplained.length === 0) return [];
  const reasons = [...new Set(unexplained.map(({ why }) => why))];
  return reasons.flatMap((reason) =>
    wrap(
      `${reason}: ${placesOf(
        log,
        unexplained.filter(({ why }) => why === reason),
      )}`,
      width - 13,
    ).map((line) => `${" ".repeat(13)}${line}`),
  );
}

/** `lines 3, 9, 12 and 4 more`. */
function placesOf(log: ImportedLog, rows: readonly { readonly place: number }[]): string {
  const places = rows.slice(0, SHOWN_ROWS).map(({ place }) => log.placeOf(place));
  const files = new Set(places.map(({ file }) => file));
  const shown = places.map(({ file, line }) => (files.size > 1 ? `${file}:${line}` : String(line)));
  const more = rows.length > shown.length ? ` and ${count(rows.length - shown.length)} more` : "";
  return `${files.size > 1 ? "" : rows.length === 1 ? "line " : "lines "}${shown.join(", ")}${more}`;
}
