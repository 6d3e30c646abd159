import type { ChalkInstance } from "chalk";
import type { Study, StudyAction, StudyPlan, StudyResult, Trial } from "../../study/index.js";
import { onOneLine, redactedUrl } from "../../wire/index.js";
import { count, longSpan, timeOfDay } from "./numbers.js";

/** The plan of a search, its duration, and how to shorten it. */
export function planText(
  plan: StudyPlan,
  { nowMs, width }: { readonly nowMs: number; readonly width: number },
): string {
  const { vary, trialMs, hasShortTrials, isLongByStory, expectedMs, isLimited, speed } = plan;
  const until = `until ${timeOfDay(nowMs + expectedMs)}`;
  const total = isLimited ? `at most ${longSpan(expectedMs)}, ${until}` : `about ${longSpan(expectedMs)}, ${until}`;
  const ramp = "a ramp of short trials finds the place, then a few trials confirm it";
  if (trialMs === undefined) return `${wrapped(`Varying ${vary}: ${ramp}. This takes ${total}.`, width)}\n`;
  const what = hasShortTrials ? ramp : "a ramp finds the place, then a few trials confirm it";
  const each = `A trial plays the whole scenario: ${longSpan(trialMs)} of wall time at ${speed}x.`;
  const faster = `--pace ${fasterThan(speed)}x or --time-limit makes it shorter`;
  const shorter = isLongByStory
    ? `Without its story (--set 'story=[]') trials are short; ${faster}, too.`
    : `${faster}.`;
  const advice = isLimited || expectedMs <= LONG_MS ? "" : ` ${shorter}`;
  return `${wrapped(`Varying ${vary}: ${what}. ${each} This takes ${total}.${advice}`, width)}\n`;
}

/** A longer search gets a hint how to shorten it. Wall milliseconds. */
const LONG_MS = 600_000;

function fasterThan(speed: number): number {
  return [10, 60, 600].find((one) => one > speed) ?? speed * 10;
}

/** The current action in two lines: the trial and the time left; the load and the backlog. */
export function actionText({ text, progress, leftMs }: StudyAction, width: number): string {
  const left = leftMs === undefined ? "" : `   about ${longSpan(leftMs())} left`;
  if (progress === undefined) return cutTo(`  ${onOneLine(text)}${left}`, width);
  const { atMs, lastsMs, accepted, failures, inFlight } = progress();
  const share = lastsMs === 0 ? 100 : Math.floor((100 * atMs) / lastsMs);
  const counts = `  accepted ${count(accepted)}   failures ${count(failures)}   waiting ${count(inFlight)}`;
  return `${cutTo(`  ${onOneLine(text)}: ${share} %${left}`, width)}\n${cutTo(counts, width)}`;
}

/** One trial that has ended, for the log: what was tried, how it ended, and what was measured or went wrong. */
export function trialLine(
  trial: Trial,
  amount: string,
  { paint, width }: { paint: ChalkInstance; width: number },
): string {
  const words = { passed: paint.green("passed"), failed: paint.red("failed"), void: paint.yellow("void  ") };
  const measured = `p99 ${span(trial.p99Ms)}, ${toThree(trial.attemptsPerSecond)} /s due`;
  const phase = trial.phase === "ramp" ? "ramp " : "trial";
  const line = `  ${phase}  ${onOneLine(amount).padEnd(24)} ${words[trial.verdict]} ${measured}\n`;
  const [reason] = trial.reasons;
  return reason === undefined ? line : `${line}${paint.dim(`    ${cutTo(onOneLine(reason), width - 4)}`)}\n`;
}

/** The result of a study: a table of levels for each varied value, and its sentence. */
export function studyText(study: Study, { paint, width }: { paint: ChalkInstance; width: number }): string {
  const head = `Capacity of ${redactedUrl(study.receiver)} for ${onOneLine(study.name)}\n`;
  const how =
    `Open model at ${study.speed}x; a trial passes when ${study.pass.map(onOneLine).join(" and ")}; a failed one is void when\n` +
    `the generator is later than ${span(study.lateMs)} at the 99th percentile and that can be the cause.`;
  const results = study.results.map((result) => resultText(result, { paint, width }));
  return [paint.bold(head) + wrapped(how, width), ...results].join("\n") + "\n";
}

function resultText(result: StudyResult, { paint, width }: { paint: ChalkInstance; width: number }): string {
  const rows = result.levels.map(({ value, passed, failed, voided }) => {
    const of = result.trials.filter(
      (trial) => trial.value === value && trial.verdict !== "void" && trial.phase === "trial",
    );
    const p99s = of.flatMap(({ p99Ms }) => p99Ms ?? []);
    const rate = of.reduce((sum, trial) => sum + trial.attemptsPerSecond, 0) / Math.max(1, of.length);
    return [
      onOneLine(result.units.amount(value)),
      `${passed} of ${passed + failed}`,
      voided === 0 ? "" : String(voided),
      spanFromTo(p99s),
      of.length === 0 ? "" : toThree(rate),
    ];
  });
  const titles = [onOneLine(result.vary), "passed", "void", "p99, from due", "due/s"];
  const notes = result.notes.map((note) => wrapped(`Note: ${onOneLine(note)}.`, width));
  const levels = rows.length === 0 ? [] : [table([titles, ...rows], paint)];
  const lines = [...levels, paint.bold(wrapped(`${capital(onOneLine(result.sentence))}.`, width)), ...notes];
  return `\n${lines.join("\n\n")}`;
}

function table(rows: readonly (readonly string[])[], paint: ChalkInstance): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  return rows.map((row, index) => (index === 0 ? paint.dim(line(row)) : line(row))).join("\n");
}

function spanFromTo(all: readonly number[]): string {
  if (all.length === 0) return "";
  const [least, most] = [span(Math.min(...all)), span(Math.max(...all))];
  return least === most ? least : `${least} to ${most}`;
}

function span(ms: number | null): string {
  if (ms === null) return "none";
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 10 ? `${Number(ms.toPrecision(2))} ms` : `${count(Math.round(ms))} ms`;
}

/** Rounds to three digits: measurements are no more precise. */
function toThree(value: number): string {
  return count(Number(value.toPrecision(3)));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function cutTo(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}
