import { type Cause, clockTime, counted, shortSpan } from "./cause.js";
import type { Attempt, Day, DayRow } from "./day-row.js";
import { median } from "./find-clocks.js";

/** How the receiver answered one request, as the scenario's `receiver` steps spell it. */
interface Answered {
  readonly attempt: Attempt;
  readonly row: DayRow;
  /** `ok`, `slow`, `hang`, `close`, or a status. */
  readonly answers: string;
  readonly tookMs: number | undefined;
}

/** The bundled receiver that is slow takes two seconds; less than this is not slow. */
const leastSlowMs = 1_000;
/** Shortest timeout of the service for a request. */
const leastTimeoutMs = 4_500;
/** A run of this number of requests with the same trouble, and one good one among them at most, is a state of the receiver. */
const leastRun = 3;
/** How unlikely a run must be by chance, over all requests of the log. */
const chanceLimit = 1e-4;

/**
 * Times in which the receiver failed, was slow or said nothing: runs of such answers that are longer than chance makes
 * them, where each request is in trouble with the share of all others. A receiver that fails now and then, or at some
 * events only, is in no such state.
 */
export function receiverCauses(day: Day): Cause[] {
  const answered = answersOf(day);
  const causes: Cause[] = [];
  for (let from = 0; from < answered.length;) {
    const to = endOfRun(answered, from);
    const run = answered.slice(from, to);
    from = Math.max(from + 1, to);
    const bad = run.filter(({ answers }) => answers !== "ok");
    if (bad.length < leastRun) continue;
    const outside = answered.filter(({ answers }) => answers !== "ok").length - bad.length;
    const share = (outside + 1) / (answered.length - bad.length + 2);
    if (share ** bad.length * answered.length > chanceLimit) continue;
    causes.push(causeOf(run, bad, answered[to]));
  }
  return causes;
}

function answersOf({ rows }: Day): Answered[] {
  const all = rows.flatMap((row) => row.attempts.map((attempt) => ({ row, attempt })));
  all.sort((one, other) => one.attempt.atMs - other.attempt.atMs || one.attempt.place - other.attempt.place);
  const known = all.filter(({ attempt }) => attempt.answer !== undefined);
  const usualMs = median(known.flatMap(({ attempt }) => attempt.answer?.tookMs ?? []));
  return known.map(({ row, attempt }) => {
    const tookMs = attempt.answer?.tookMs;
    return { row, attempt, tookMs, answers: wordOf(attempt, Math.max(leastSlowMs, 10 * usualMs)) };
  });
}

function wordOf({ answer }: Attempt, slowFromMs: number): string {
  const { status, tookMs } = answer ?? {};
  // A proxy's own words for a receiver that hung up or never answered: 499 of nginx is the caller that gave up.
  if (status === undefined || status === 0 || status === 499) return (tookMs ?? 0) >= leastTimeoutMs ? "hang" : "close";
  if (status < 200 || status > 299) return String(status);
  return tookMs !== undefined && tookMs >= slowFromMs ? "slow" : "ok";
}

/** The end of a run that begins at an index: before the first two good answers that come one after the other. */
function endOfRun(answered: readonly Answered[], from: number): number {
  if (answered[from]?.answers === "ok") return from;
  let end = from + 1;
  for (let index = end; index < answered.length; index++) {
    if (answered[index]?.answers !== "ok") end = index + 1;
    else if (index >= end + 1) break;
  }
  return end;
}

function causeOf(run: readonly Answered[], bad: readonly Answered[], next: Answered | undefined): Cause {
  const counts = new Map<string, number>();
  for (const { answers } of bad) counts.set(answers, (counts.get(answers) ?? 0) + 1);
  const [answers = "500"] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? [];
  const fromMs = bad[0]?.attempt.atMs ?? 0;
  const lastMs = bad.at(-1)?.attempt.atMs ?? fromMs;
  const toMs = Math.max(lastMs + 1, Math.min(lastMs + 1_000, next?.attempt.atMs ?? Infinity));
  const took = median(bad.flatMap(({ tookMs }) => tookMs ?? []));
  const said = [...counts].map(([word, count]) => `${count} ${inWords(word)}`).join(", ");
  const after = next === undefined ? "" : `; well again at ${clockTime(next.attempt.atMs)}`;
  return {
    verb: "receiver",
    fromMs: fromMs - 1,
    toMs,
    args: { answers },
    evidence:
      `${bad.length} of ${counted(run.length, "request")} from ${clockTime(fromMs)} to ${clockTime(lastMs)}: ${said}` +
      (answers === "slow" || answers === "hang" ? `, ${shortSpan(took)} in the median` : "") +
      after,
    rows: bad.map(({ attempt }) => attempt.place),
  };
}

function inWords(answers: string): string {
  if (answers === "slow") return "slow";
  if (answers === "hang") return "without an answer";
  return answers === "close" ? "cut off" : `with status ${answers}`;
}
