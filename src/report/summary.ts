import { type AccountReport, accounts } from "../ledger/index.js";
import { type AttemptOutcome, attemptOutcomes, type ExpectationResult, type Percentiles } from "../measure/index.js";
import type { CommonStart, RunResult } from "./result.js";
import {
  heading,
  indented,
  labelled,
  bulleted,
  newLayout,
  pad,
  row,
  type Layout,
  sumHeading,
  textHeading,
} from "./layout.js";
import { digestNote } from "./digest-note.js";
import type { Finding } from "./findings/index.js";
import { splitNotForwarded } from "./not-forwarded.js";
import { brokenText, verdictOf, verdictSigns } from "./verdict.js";
import { answerLines } from "./answers/index.js";
import { blockedText } from "./blocked-phones.js";
import { formatCount, readableDuration, gapText, countOf } from "./number-format.js";
import { lastLines } from "./receiver-output.js";
import { columns, cut, plain } from "./terminal-text.js";
import { onOneLine } from "../wire/index.js";

/** A command to try next, and what it does. */
export interface NextCommand {
  readonly command: string;
  readonly about: string;
}

/** Layout of a summary, and its additions to the result. */
export interface SummaryOptions {
  readonly colour: boolean;
  /** Columns of the terminal, at least 40. No line is longer. */
  readonly width: number;
  /** Path of the HTML report; absent: no report. */
  readonly report?: string;
  /** The last lines; absent or empty: none. */
  readonly next?: readonly NextCommand[];
}

/**
 * Renders the summary of a run for a terminal: verdict and problems first, then events, receiver and ledger. Ends with
 * a newline. Colour adds no information to the words and signs.
 */
export function renderSummary(result: RunResult, options: SummaryOptions): string {
  const types = Object.keys(result.events).map(plain);
  const sheet = newLayout({
    colour: options.colour,
    width: options.width,
    names: [...types, ...attemptOutcomes, "Recording"],
    counts: [sumOf(result.events), sumOf(result.attempts)],
  });
  const isBroken = result.expectations.some(({ held }) => !held);
  const expectations = expectationLines(result.expectations, sheet);
  const sections = [
    titleLines(result, sheet),
    problemLines(result, sheet),
    receiverOutputLines(result, sheet),
    findingLines(result, sheet),
    isBroken ? expectations : [],
    eventLines(result.events, sheet),
    receiverLines(result, sheet),
    comparisonLines(result, sheet),
    flowCallLines(result, sheet),
    accountLines(result, sheet),
    isBroken ? [] : expectations,
    recordingLines(result, options.report, sheet),
    nextLines(options.next ?? [], sheet),
  ];
  const lines = sections.filter((section) => section.length > 0).flatMap((section) => [...section, ""]);
  return lines.join("\n");
}

function titleLines(result: RunResult, sheet: Layout): string[] {
  const { paint } = sheet;
  const { cast, wallMs, virtualMs } = result;
  const facts = [
    `seed ${result.seed}`,
    ...(cast === undefined ? [] : [countOf(cast.handsets, "handset"), countOf(cast.people, "person", "people")]),
    `${readableDuration(virtualMs)} of virtual time${wallMs > 0 ? ` in ${readableDuration(wallMs)}` : ""}`,
    ...(result.model === undefined || result.model === "lockstep" ? [] : [`${result.model} model`]),
  ];
  return [
    ...indented(plain(result.name) || "(a run without a name)", 0, paint.bold, sheet),
    ...indented(facts.join(" · "), 0, paint.dim, sheet),
    ...(result.shard === undefined ? [] : indented(partText(result), 0, paint.dim, sheet)),
    ...(result.start === undefined ? [] : indented(startText(result.start), 0, paint.dim, sheet)),
    ...verdictLines(result, sheet),
  ];
}

/** Which part of a fleet played, and how it was found. */
function partText({ shard = "", shardFoundBy }: RunResult): string {
  const found = shardFoundBy === undefined ? "" : `, found by ${plain(shardFoundBy)}`;
  return `part ${plain(shard)}${found}`;
}

/** When a part began with the others, and how far its clock is from theirs. */
function startText({ atMs, clockOffsetMs, clockUncertaintyMs, folder }: CommonStart): string {
  const by = `${Math.abs(clockOffsetMs)} ± ${clockUncertaintyMs} ms`;
  const clock =
    Math.abs(clockOffsetMs) <= clockUncertaintyMs
      ? `this clock agrees with the folder's within ${(Math.abs(clockOffsetMs) + clockUncertaintyMs).toFixed(0)} ms`
      : `this clock is ${by} ${clockOffsetMs > 0 ? "behind" : "ahead of"} the folder's`;
  return `began with all parts in ${plain(folder)} at ${new Date(atMs).toISOString()} · ${clock}`;
}

/** The verdict and its reasons, without problems and expectations: these have separate sections. */
function verdictLines(result: RunResult, sheet: Layout): string[] {
  const { state, headline, finding, lines } = verdictOf(result);
  const { red, yellow, green } = sheet.paint;
  const paint = { held: green, "held with warnings": yellow, "not judged": yellow, failed: red }[state];
  return [
    ...indented(`${verdictSigns[state]} ${headline}`, 0, paint.bold, sheet),
    ...(finding === undefined ? [] : whereLines(finding, result, sheet)),
    ...lines
      .filter(({ about }) => about !== "problem" && about !== "expectation")
      .flatMap(({ weight, text }) =>
        indented(`${weight === "bad" ? "✘" : "!"} ${text}`, 0, weight === "bad" ? red.bold : yellow.bold, sheet),
      ),
  ];
}

/** Findings in the summary; the HTML report has all. */
const FINDINGS_MAX = 5;

/** The findings except the one in the headline, worst first. */
function findingLines(result: RunResult, sheet: Layout): string[] {
  const { findings = [] } = result;
  const { finding: told } = verdictOf(result);
  const others = findings.slice(0, FINDINGS_MAX).filter(({ text }) => text !== told?.text);
  if (others.length === 0) return [];
  const { yellow, dim } = sheet.paint;
  return [
    heading("Findings", sheet),
    ...others.flatMap((finding) => [
      ...bulleted(finding.weight === "bad" ? yellow("!") : dim("›"), plain(finding.text), sheet),
      ...whereLines(finding, result, sheet),
    ]),
    ...(findings.length > FINDINGS_MAX
      ? indented(`${findings.length - FINDINGS_MAX} more are in the report`, 4, dim, sheet)
      : []),
  ];
}

function whereLines({ where }: Finding, { recording }: RunResult, sheet: Layout): string[] {
  // Without a recording there is no report and no command that reads it; an option (`--…`) still helps.
  if (recording === null && (where.includes("RECORDING") || !where.includes("--"))) return [];
  return indented(`→ ${where.replace("RECORDING", plain(recording ?? ""))}`, 4, sheet.paint.dim, sheet);
}

function problemLines(result: RunResult, sheet: Layout): string[] {
  const told = verdictOf(result).finding?.text;
  const problems = result.problems.filter((text) => text !== told);
  if (problems.length === 0) return [];
  const sign = sheet.paint.red("✘");
  return [heading("Problems", sheet), ...problems.flatMap((text) => bulleted(sign, plain(text), sheet))];
}

/** Lines of the receiver's output in the summary; the HTML report has all that is kept. */
const OUTPUT_LINES_MAX = 12;

/** What a receiver that ended by itself wrote last. */
function receiverOutputLines({ receiver }: RunResult, sheet: Layout): string[] {
  if (receiver === undefined) return [];
  const lines = lastLines(receiver, OUTPUT_LINES_MAX);
  if (lines.length === 0) return [];
  const { dim } = sheet.paint;
  const shown = lines.map((line) => `  ${dim(cut(onOneLine(line.replaceAll("\t", "  ")), sheet.width - 2))}`);
  return [heading("The receiver wrote last", sheet), ...shown];
}

/** The section of the expectations, the broken ones first; empty: there are none. */
export function expectationLines(expectations: readonly ExpectationResult[], sheet: Layout): string[] {
  if (expectations.length === 0) return [];
  // Broken ones first.
  const sorted = expectations.toSorted((a, b) => Number(a.held) - Number(b.held));
  return [heading("Expectations", sheet), ...sorted.flatMap((expectation) => expectationLine(expectation, sheet))];
}

function expectationLine(expectation: ExpectationResult, sheet: Layout): string[] {
  const { text, held, seen } = expectation;
  const [wanted, found] = [plain(text), plain(seen)];
  const { paint } = sheet;
  if (!held) return bulleted(paint.red("✘"), brokenText(expectation), sheet);
  // With `== value`, the seen value would repeat the bound.
  const isSaid = found === "" || wanted.endsWith(`== ${found}`);
  return bulleted(paint.green("✔"), isSaid ? wanted : `${wanted} (seen ${found})`, sheet);
}

/** The event types in display order, each with its meaning. */
const eventTypes: ReadonlyMap<string, string> = new Map([
  ["mo_sms", "a text came in"],
  ["mt_sent", "a text went out"],
  ["mt_dlvd", "a text that went out was delivered"],
  ["mt_fail", "a phone gave a text up"],
  ["mo_call", "a call came in and was answered"],
  ["mo_miss", "a call came in and nobody answered"],
  ["mt_call", "a call went out and was answered"],
  ["mt_miss", "a call went out and nobody answered"],
  ["alarm", "a phone was silent or low on power"],
  ["flow", "a person reached a step of a flow"],
]);

function eventLines(events: RunResult["events"], sheet: Layout): string[] {
  const types = [...eventTypes.keys()];
  const place = (type: string): number => (eventTypes.has(type) ? types.indexOf(type) : types.length);
  const rows = Object.entries(events)
    .filter(([, count]) => count > 0)
    .toSorted(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
  if (rows.length === 0) return textHeading("Events", "none", sheet);
  return [
    sumHeading("Events", sumOf(events), "", sheet),
    ...rows.map(([type, count]) => row(plain(type), count, eventTypes.get(type) ?? "", sheet)),
  ];
}

const outcomes: Readonly<Record<AttemptOutcome, string>> = {
  accepted: "the receiver took the event",
  retried: "answered with an error, to be tried again",
  refused: "turned down for good",
  failed: "answered with an error on the last try",
  timeout: "no answer in time",
  connection: "no connection, or it broke",
};

function receiverLines(result: RunResult, sheet: Layout): string[] {
  const { attempts, latencyMs, serviceMs, latenessMs, replies, ledger, statuses = {}, errors = {} } = result;
  const { paint } = sheet;
  const total = sumOf(attempts);
  if (total === 0) {
    const isAbsent = (ledger.events.lost["no-receiver"] ?? 0) > 0;
    return [
      ...textHeading("Receiver", isAbsent ? "none: events were recorded and sent nowhere" : "nothing was sent", sheet),
      ...notForwardedLines(ledger, sheet),
    ];
  }
  const spans = { delivery: latencyMs, service: serviceMs, lateness: latenessMs };
  return [
    sumHeading("Receiver", total, "attempts to deliver an event", sheet),
    ...attemptOutcomes
      .filter((outcome) => attempts[outcome] > 0)
      .map((outcome) =>
        row(outcome, attempts[outcome], outcomes[outcome], sheet, outcome === "accepted" ? paint.green : paint.yellow),
      ),
    // Statuses are shown only if one differs from 200: `accepted` already says 200.
    ...(Object.keys(statuses).every((status) => status === "200")
      ? []
      : labelled("statuses", statusText(statuses), sheet)),
    ...(sumOf(errors) === 0 ? [] : labelled("errors", causes(errors), sheet)),
    ...Object.entries(spans).flatMap(([name, span]) =>
      span === undefined || span.max === null ? [] : labelled(name, percentiles(span), sheet),
    ),
    ...spacingLine(result, sheet),
    ...(replies.valid + replies.ignored === 0 ? [] : labelled("replies", repliesText(replies), sheet)),
    ...roundTripLines(result, sheet),
    ...notForwardedLines(ledger, sheet),
  ];
}

/** How well a replay kept the recorded spacing. */
function spacingLine({ spacing }: RunResult, sheet: Layout): string[] {
  if (spacing === undefined) return [];
  const { p50, p99, p999, drift } = spacing;
  const late = Object.entries({ p50, p99, "p99.9": p999 }).map(([name, ms]) => `${name} ${readableDuration(ms)}`);
  return labelled("spacing", `${late.join(" · ")} · drift ${(100 * drift).toFixed(3)} %`, sheet);
}

/** The answers of a replay held against the recorded ones. */
function comparisonLines({ answers, differences = [] }: RunResult, sheet: Layout): string[] {
  return answers === undefined
    ? []
    : [heading("Compared with the recording", sheet), ...answerLines(answers, differences, sheet)];
}

function notForwardedLines({ events }: RunResult["ledger"], sheet: Layout): string[] {
  const { notForwarded: count } = splitNotForwarded(events.lost);
  if (count === 0) return [];
  const text = `${countOf(count, "event")} of types that the account does not forward (\`events\` of a handset group)`;
  return labelled("not sent", text, sheet);
}

/** `200 × 754 · 503 × 241`: the most frequent first. */
function statusText(statuses: Readonly<Record<string, number>>): string {
  return Object.entries(statuses)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([status, count]) => `${status} × ${formatCount(count)}`)
    .join(" · ");
}

/** Round trips of incoming texts; no line when the receiver acted on no text. */
function roundTripLines({ roundTrips, roundTripMs, roundTripVirtualMs }: RunResult, sheet: Layout): string[] {
  const span = roundTripMs ?? roundTripVirtualMs;
  if (roundTrips === undefined || span === undefined || roundTrips.matched === 0) return [];
  const { matched, waiting, forgotten = 0 } = roundTrips;
  const lost = forgotten === 0 ? "" : ` · ${formatCount(forgotten)} were not followed`;
  const without =
    waiting === 0
      ? ""
      : ` · ${formatCount(waiting)} of ${countOf(matched + waiting + forgotten, "text")} had no effect`;
  const name = roundTripMs === undefined ? "virtual " : "";
  return labelled("round trip", `${name}${percentiles(span)}${without}${lost}`, sheet);
}

function percentiles({ p50, p95, p99, max }: Percentiles): string {
  const parts = Object.entries({ p50, p95, p99, max }).map(
    ([name, spanMs]) => `${name} ${readableDuration(spanMs ?? 0)}`,
  );
  return parts.join(" · ");
}

function repliesText({ valid, ignored, reasons }: RunResult["replies"]): string {
  const sent = `${formatCount(valid)} sent a text`;
  return ignored === 0 ? sent : `${sent} · ${formatCount(ignored)} ignored (${causes(reasons)})`;
}

function flowCallLines({ flowCalls }: RunResult, sheet: Layout): string[] {
  if (flowCalls === undefined) return [];
  const { answered, failed } = flowCalls;
  const text = `${countOf(answered, "HTTP call")} of flows, ${failed === 0 ? "none" : formatCount(failed)} failed`;
  return textHeading("Flows", text, sheet);
}

function accountLines({ ledger, drain, blocked }: RunResult, sheet: Layout): string[] {
  const lines = accounts.flatMap((account) => {
    const report = ledger[account];
    const { copies, gap } = report;
    const { lost } = splitNotForwarded(report.lost);
    if (report.in === 0 && sumOf(copies) === 0 && gap === 0) return [];
    return [
      ...labelled(account, equation(report), sheet),
      ...(sumOf(copies) > 0 ? labelled("", `copies: ${causes(copies)}`, sheet) : []),
      ...(sumOf(lost) > 0 ? labelled("", `lost: ${causes(lost)}`, sheet) : []),
      ...(gap === 0 ? [] : labelled("", `✘ ${gapText(gap)}`, sheet, sheet.paint.red)),
    ];
  });
  // After a drain, its warning names them.
  const waits = drain === undefined ? blockedText(blocked) : undefined;
  if (waits !== undefined) lines.push(...labelled("waiting", waits, sheet));
  return lines.length === 0 ? [] : [heading("Where everything went", sheet), ...lines];
}

/** `120 in + 2 copies = 118 delivered + 4 waiting`, without terms that are 0. */
function equation(report: AccountReport): string {
  const copies = sumOf(report.copies);
  const came = `${formatCount(report.in)} in${copies > 0 ? ` + ${countOf(copies, "copy", "copies")}` : ""}`;
  const { delivered, failed, queued: waiting } = report;
  const { lost, notForwarded } = splitNotForwarded(report.lost);
  const went = Object.entries({
    delivered,
    failed,
    waiting,
    "not forwarded": notForwarded,
    lost: sumOf(lost),
    MISSING: report.gap,
  })
    .filter(([, count]) => count !== 0)
    .map(([word, count]) => `${formatCount(count)} ${word}`);
  return `${came} = ${went.length === 0 ? "0" : went.join(" + ")}`;
}

function recordingLines(result: RunResult, report: string | undefined, sheet: Layout): string[] {
  const { recording, digest } = result;
  const note = digestNote(result);
  return [
    ...textHeading("Recording", recording === null ? "none was kept" : plain(recording), sheet),
    ...(report === undefined ? [] : textHeading("Report", plain(report), sheet)),
    // 16 digits suffice to compare two runs by eye; the JSON has all 64.
    ...textHeading("Digest", digest.slice(0, 16), sheet),
    ...(note === undefined ? [] : indented(plain(note), 2, sheet.paint.dim, sheet)),
  ];
}

function nextLines(commands: readonly NextCommand[], sheet: Layout): string[] {
  if (commands.length === 0) return [];
  const next = commands.map(({ command, about }) => ({ command: plain(command), about }));
  const { paint } = sheet;
  const longest = Math.max(...next.map(({ command }) => columns(command)));
  const isRoomy = next.every(({ about }) => longest + 4 + columns(about) <= sheet.width);
  const lines = next.flatMap(({ command, about }) =>
    isRoomy
      ? [`  ${paint.cyan(pad(command, longest))}  ${paint.dim(about)}`]
      : [...indented(command, 2, paint.cyan, sheet), ...indented(about, 6, paint.dim, sheet)],
  );
  return [heading("Next", sheet), ...lines];
}

/** `carrier 40, paused 4`: the most frequent first. */
function causes(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([cause, count]) => `${plain(cause)} ${formatCount(count)}`)
    .join(", ");
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
