import { Chalk, type ChalkInstance } from "chalk";
import { countOf, formatCount, plain, wrap } from "../../../report/index.js";
import type { AuditFinding, AuditGrade, AuditResult } from "../result.js";
import type { Severity } from "../trial.js";

/** Where the report card is printed. */
export interface AuditPage {
  readonly colour: boolean;
  readonly width: number;
}

/** What a grade says, in a sentence. */
const gradeWords: Readonly<Record<AuditGrade, string>> = {
  A: "no fault found",
  B: "small faults alone",
  C: "faults that hurt some people or some days",
  D: "faults that lose or double events",
  F: "several faults that lose or double events",
};

/** What a grade says of a receiver. Whether events are lost or doubled is open while nobody has seen its effects. */
export function gradeText({ grade, untested }: Pick<AuditResult, "grade" | "untested">): string {
  const isBlind = grade === "A" && untested.some(({ why }) => why.startsWith("its effects cannot be seen"));
  return isBlind ? "no fault found in its answers; what it keeps was not seen" : gradeWords[grade];
}

/** At most this many observations and untested trials are listed; JSON has all. */
const LISTED = 8;
/** An answer is shown up to this length; the body of an ordinary event is shown whole. */
const SHOWN = 200;
const BODY_SHOWN = 480;

/** The report card for a terminal. Ends with a newline. */
export function renderAudit(result: AuditResult, { colour, width }: AuditPage): string {
  const paint = new Chalk({ level: colour ? 1 : 0 });
  const columns = Math.max(40, Math.floor(width));
  const { grade, passed, findings, untested, observed } = result;
  const counts = [
    `${formatCount(passed)} passed`,
    `${formatCount(findings.length)} failed`,
    `${formatCount(untested.length)} untested`,
  ].join(" · ");
  return [
    ...wrap(result.url, columns),
    gradePaint(grade, paint).bold(`Grade ${grade}  ${gradeText(result)}`),
    ...wrap(counts, columns),
    ...wrap(`${requestsText(result)} in ${result.seconds} s`, columns),
    ...(result.words === undefined ? [] : wrap(`Words on which it acts: ${plain(result.words.join(", "))}`, columns)),
    ...findings.flatMap((finding) => findingLines(finding, paint, columns)),
    ...listLines("Observed: what the application decides for itself", grouped(observed), paint, columns),
    ...listLines("Untested", grouped(untested.map(({ id, why }) => ({ id, text: why }))), paint, columns),
    "",
  ].join("\n");
}

/** `430 requests, and 560 in bursts,`. */
export function requestsText({ requests, burstRequests }: AuditResult): string {
  return `${countOf(requests, "request")}${burstRequests === 0 ? "" : `, and ${formatCount(burstRequests)} in bursts,`}`;
}

function findingLines(finding: AuditFinding, paint: ChalkInstance, columns: number): string[] {
  const { severity, title, id, seen, sent, got, why, field, play } = finding;
  const line = (name: string, text: string): string[] =>
    wrap(text, columns - 9).map((part, index) => `  ${paint.dim((index === 0 ? name : "").padEnd(6))} ${part}`);
  const head = wrap(`${severitySign[severity]} ${severity.padEnd(6)} ${title}`, columns);
  const exchanges = sent.slice(0, 3).flatMap(({ body, note }, index) => {
    const answer = got[index];
    const isAgain = index > 0 && body === sent[index - 1]?.body && note !== undefined;
    return [
      ...line(
        "sent",
        isAgain ? `(${note})` : `${note === undefined ? "" : `(${note}) `}${shortened(body, BODY_SHOWN)}`,
      ),
      ...line("got", answer === undefined ? "" : `${answer.status ?? "no answer"} ${shortened(answer.answer)}`.trim()),
    ];
  });
  return [
    "",
    ...head.map((part) => severityPaint(severity, paint).bold(part)),
    ...line("", `${capitalised(seen)}.`),
    ...exchanges,
    ...(sent.length > 3 ? line("", `and ${sent.length - 3} more requests: --json`) : []),
    ...line("why", why),
    ...line("field", field),
    // Not broken, so that it can be copied.
    `  ${paint.dim("alone ")} ${play}`,
    ...line("id", id),
  ];
}

function listLines(
  name: string,
  items: readonly { readonly id: string; readonly text: string }[],
  paint: ChalkInstance,
  columns: number,
): string[] {
  if (items.length === 0) return [];
  const lines = items.slice(0, LISTED).flatMap(({ id, text }) => {
    const [first = "", ...rest] = wrap(`${capitalised(text)}: ${id}`, columns - 4);
    return [`  · ${first}`, ...rest.map((part) => `    ${part}`)];
  });
  const more = items.length > LISTED ? [`  · and ${items.length - LISTED} more: --json`] : [];
  return ["", paint.bold(name), ...lines, ...more];
}

/** Trials with one reason are one line. */
export function grouped(
  all: readonly { readonly id: string; readonly text: string }[],
): { readonly id: string; readonly text: string }[] {
  const groups = new Map<string, string[]>();
  for (const { id, text } of all) groups.set(text, [...(groups.get(text) ?? []), id]);
  return [...groups].map(([text, ids]) => ({ id: ids.join(", "), text }));
}

/** A body or an answer, on one line. */
export function shortened(text: string, most = SHOWN): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export const severitySign: Readonly<Record<Severity, string>> = { high: "✘", medium: "✘", low: "!" };

function severityPaint(severity: Severity, paint: ChalkInstance): ChalkInstance {
  return severity === "high" ? paint.red : severity === "medium" ? paint.yellow : paint.cyan;
}

function gradePaint(grade: AuditGrade, paint: ChalkInstance): ChalkInstance {
  return grade === "A" ? paint.green : grade === "B" || grade === "C" ? paint.yellow : paint.red;
}
