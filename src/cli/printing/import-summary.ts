import { Chalk } from "chalk";
import { causesJson, causeShares, type ImportedLog, rejectReasons } from "../../field/index.js";
import type { FieldImport } from "../../run/index.js";
import { plain, wrap } from "../../report/index.js";
import { causeLines } from "./import-causes.js";
import { count, longSpan } from "./numbers.js";

/** Where an import was written, and what it assumed. */
export interface ImportShown {
  /** File of the recording; undefined: none. */
  readonly recording: string | undefined;
  /** File of the scenario; undefined: none. */
  readonly scenario: string | undefined;
  /**
   * The log as `handset reconcile` reads it again, with its options; undefined: it cannot, since it is of several files
   * or its pseudonyms have no key.
   */
  readonly source: string | undefined;
  readonly timezone: string;
}

/** Characters of a rejected line that are shown. */
const EXCERPT = 60;

/** The summary as `--json` prints it. */
export function importJson({ log, inferred, reproduced }: FieldImport, shown: ImportShown): object {
  const { summary, pseudonyms } = log;
  const { recording, scenario, timezone } = shown;
  const { formats, lines, events, rejected, spelling, handsets, people, fromMs, toMs, notes } = summary;
  return {
    format: formats.join(","),
    lines,
    events,
    rejected: Object.fromEntries(rejected),
    spelling: spelling ?? null,
    timezone,
    handsets: handsets.length,
    people,
    from: isoOf(fromMs),
    to: isoOf(toMs),
    types: Object.fromEntries(summary.byType),
    answers: Object.fromEntries(summary.answers),
    pseudonyms,
    notes,
    causes: inferred === undefined ? null : causesJson(inferred),
    shares: inferred === undefined ? null : causeShares(inferred),
    unexplained: inferred?.unexplained.length ?? null,
    reproduced:
      reproduced === undefined ? null : { ...reproduced, missing: reproduced.missing.map(({ place }) => place) },
    recording: recording ?? null,
    scenario: scenario ?? null,
  };
}

function isoOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

/** The summary for a terminal. */
export function renderImport(
  imported: FieldImport,
  {
    recording,
    scenario,
    source,
    timezone,
    colour = false,
    width = 80,
    hasRejectsFile = false,
  }: ImportShown & { readonly colour?: boolean; readonly width?: number; readonly hasRejectsFile?: boolean },
): string {
  const paint = new Chalk({ level: colour ? 1 : 0 });
  const { summary, rejects, pseudonyms } = imported.log;
  const { formats, lines, events, rejected, handsets, people, fromMs, toMs, byType, notes, spelling } = summary;
  const rejectedCount = lines - events;
  const row = (title: string, text: string): string[] =>
    wrap(plain(text), Math.max(40, width) - 14).map(
      (line, index) => `  ${(index === 0 ? title : "").padEnd(12)}${line}`,
    );
  const head = `${count(lines)} ${lines === 1 ? "line" : "lines"} of ${formats.join(", ")}: ${count(events)} ${events === 1 ? "event" : "events"}, ${count(rejectedCount)} rejected`;
  const out = [events === 0 ? paint.yellow(head) : paint.bold(head)];
  if (fromMs !== undefined && toMs !== undefined) {
    out.push(...row("span", `${instant(fromMs)} to ${instant(toMs)} UTC (${longSpan(toMs - fromMs)})`));
    out.push(...row("types", countsOf(byType)));
    out.push(...row("handsets", `${count(handsets.length)}: ${namesOf(handsets)}`));
    out.push(...row("people", count(people)));
    out.push(...row("answers", answersText(summary)));
    out.push(...row("spelling", spelling ?? "unknown"));
  }
  if (timezone !== "UTC") out.push(...row("time zone", `${timezone} where a time names none`));
  if (pseudonyms !== "off") out.push(...row("pseudonyms", pseudonymsText(pseudonyms)));
  for (const note of notes) out.push(...row("read as", note));
  if (recording !== undefined) out.push(...row("recording", recording));
  if (scenario !== undefined) out.push(...row("scenario", scenario));
  if (rejectedCount > 0) {
    out.push("", paint.yellow(`${count(rejectedCount)} rejected`));
    for (const [reason, number] of [...rejected].toSorted(([, a], [, b]) => b - a)) {
      out.push(...row(count(number), `${reason}: ${rejectReasons[reason]}`));
    }
    const files = new Set(rejects.map(({ file }) => file)).size;
    for (const { file, line, reason, text } of rejects) {
      const place = files > 1 ? `${file}:${line}` : `line ${line}`;
      out.push(
        paint.dim(`  - ${place}, ${reason}: ${excerpt(text, Math.max(20, width - place.length - reason.length - 8))}`),
      );
    }
    const more = rejectedCount - rejects.length;
    if (more > 0) {
      out.push(paint.dim(`    and ${count(more)} more${hasRejectsFile ? "" : " (--rejects FILE writes all)"}`));
    }
  }
  out.push(...causeLines(imported, { paint, width: Math.max(60, width) }));
  if (events > 0)
    out.push("", ...nextCommands(imported, { recording, scenario, source }).map((line) => paint.dim(line)));
  return `${out.join("\n")}\n`;
}

/** Commands for what was written; if nothing was, the options that write. */
function nextCommands(
  { log, inferred }: FieldImport,
  { recording, scenario, source }: Pick<ImportShown, "recording" | "scenario" | "source">,
): string[] {
  const next: string[] = [];
  if (scenario !== undefined) next.push(`handset run ${scenario} -r URL --recording RUN.db`);
  if (scenario !== undefined && source !== undefined) {
    next.push(`handset reconcile RUN.db ${source} --columns id=none,number=none`);
  }
  if (recording !== undefined) {
    next.push(`handset events ${recording}`, `handset replay ${recording} -r URL --pace as-recorded`);
  }
  if (next.length > 0 || log.summary.events === 0) return next;
  return [
    `with --scenario day.yaml: a scenario${inferred === undefined || inferred.causes.length === 0 ? "" : " with these causes"}`,
    "with -o day.db: a recording, to replay it byte for byte",
  ];
}

function pseudonymsText(mode: ImportedLog["pseudonyms"]): string {
  return mode === "on"
    ? "on: numbers, names, texts and tokens are replaced (--pseudonyms off keeps them)"
    : "keep-texts: numbers, names and tokens are replaced, texts are as they were";
}

function instant(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "");
}

function countsOf(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, number]) => `${name} (${count(number)})`)
    .join(", ");
}

function namesOf(handsets: ImportedLog["summary"]["handsets"]): string {
  const shown = handsets.slice(0, 4).map(({ group, events }) => `${group} (${count(events)})`);
  return handsets.length > shown.length
    ? `${shown.join(", ")} and ${count(handsets.length - shown.length)} more`
    : shown.join(", ");
}

function answersText({ answers, answered, events }: ImportedLog["summary"]): string {
  if (answered === 0) return "none: the log does not have them";
  const unknown = events - answered;
  return `${countsOf(answers)}${unknown === 0 ? "" : `, not known (${count(unknown)})`}`;
}

function excerpt(text: string, width: number): string {
  const line = plain(text);
  const length = Math.min(EXCERPT, width);
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
