import type { ExpectationResult } from "../measure/index.js";
import { busyText, explainsOthers, type Finding, isCounted, isTooBusy, isWeighty } from "./findings/index.js";
import type { RunResult } from "./result.js";
import { formatCount, gapText, countOf, readableDuration } from "./number-format.js";
import { plain } from "./terminal-text.js";

/**
 * `failed`: an expectation, the ledger or the run itself is broken, and the exit code is not 0. `not judged`: nothing
 * is broken, but the run fell behind its schedule, so the load was not the requested one; or this machine was so busy
 * that too little says something about the receiver; or the run has not ended.
 */
export type VerdictState = "held" | "held with warnings" | "not judged" | "failed";

/** One reason for the verdict. */
export interface VerdictLine {
  readonly weight: "bad" | "warn";
  /** The subject. A report format with a section for it leaves the line out of the verdict. */
  readonly about: "problem" | "expectation" | "ledger" | "schedule" | "host" | "events" | "warning";
  readonly text: string;
}

/** The verdict on a run, the same in every report format. */
export interface Verdict {
  readonly state: VerdictState;
  /** The verdict in one line. */
  readonly headline: string;
  /** The worst finding, if it changes the verdict: it is part of the headline. */
  readonly finding?: Finding;
  /** Most severe first. */
  readonly lines: readonly VerdictLine[];
}

/** The verdict as a sign of one column. */
export const verdictSigns: Readonly<Record<VerdictState, string>> = {
  held: "✔",
  "held with warnings": "!",
  "not judged": "!",
  failed: "✘",
};

/** Decides whether a run is good; no other place does. */
export function verdictOf(result: RunResult): Verdict {
  const named = result.findings?.find(isWeighty);
  const all = [...badLines(result), ...scheduleLines(result), ...hostLines(result), ...warnLines(result)];
  const state = stateOf(result, all, named);
  if (named === undefined) return { state, headline: headlineOf(state, result), lines: all };
  // A problem that is also the finding in the headline is shown once.
  const lines = all.filter(({ text }) => text !== plain(named.text));
  return { state, headline: headlineWithFinding(state, result, named), finding: named, lines };
}

/** A result with its verdict as one line of JSON, as `--json` prints it. */
export function renderResult(result: RunResult): string {
  return `${JSON.stringify(withVerdict(result))}\n`;
}

/** Adds the verdict, and `lost` under the name of its metric. */
export function withVerdict(
  result: RunResult,
): RunResult & { readonly "ledger.gap": number; readonly verdict: Verdict } {
  return { ...result, "ledger.gap": result.lost, verdict: verdictOf(result) };
}

/** The headline with the worst finding. One that explains the others comes first. */
function headlineWithFinding(state: VerdictState, result: RunResult, { kind, text }: Finding): string {
  const others = { ...result, problems: result.problems.filter((problem) => problem !== text) };
  const headline = headlineOf(state, others).replace(", with warnings; everything is accounted for", "");
  const told = plain(text).replace(/\.$/, "");
  // Counts are exact, however late the run or busy the machine was.
  if (state === "not judged" && isCounted(kind)) return `${told}; the rest is ${headline}`;
  if (explainsOthers(kind)) return `${told}; ${headline}`;
  const inside = told.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  return `${headline}${state === "failed" ? ":" : state === "not judged" ? ";" : ", but"} ${inside}`;
}

function stateOf(result: RunResult, lines: readonly VerdictLine[], named: Finding | undefined): VerdictState {
  if (result.isUnfinished === true) return "not judged";
  if (lines.some(({ weight }) => weight === "bad")) return "failed";
  if (result.fellBehind === true || hasTooLittle(result)) return "not judged";
  return lines.length > 0 || named !== undefined ? "held with warnings" : "held";
}

/**
 * Whether too few requests remain to judge the receiver's speed. In lockstep this matters only to bounds on durations.
 */
function hasTooLittle({ host, model, expectations }: RunResult): boolean {
  if (host === undefined || !isTooBusy(host)) return false;
  return model !== "lockstep" || expectations.some(isAboutSpeed);
}

/** Whether a bound is on a measured wall time of the receiver. */
function isAboutSpeed({ metric }: ExpectationResult): boolean {
  return metric?.unit === "duration" && !metric.name.startsWith("lateness");
}

function headlineOf(state: VerdictState, result: RunResult): string {
  const { expectations, problems, lost, fellBehind, host, answers } = result;
  const all = expectations.length;
  const held =
    all === 0 ? "no expectation was set" : `${all === 1 ? "its expectation" : `its ${all} expectations`} held`;
  switch (state) {
    case "held":
    case "held with warnings": {
      const what = all === 0 ? "no expectation was set" : `${countOf(all, "expectation")} held`;
      return `${what}${state === "held" ? "," : ", with warnings;"} everything is accounted for`;
    }
    case "not judged": {
      const evenSo = all === 0 ? "" : `; ${held} even so`;
      if (fellBehind === true) return `not judged: the run fell behind its own schedule${evenSo}`;
      if (result.isUnfinished === true) return "not judged: the run has not ended";
      return `not judged: this machine was ${busyText(host ?? { busySeconds: 0, seconds: 0 })}${evenSo}`;
    }
    case "failed": {
      const stopped = expectations.find(({ metric }) => metric?.hasStopped === true);
      const broken = expectations.filter((one) => !one.held).length;
      // The expectation that stopped the run is also one of the problems: count it once.
      // The differing answers are one of the problems, too.
      const { compared, differing } = answers ?? { compared: 0, differing: 0 };
      const further = problems.length - (stopped === undefined ? 0 : 1) - (differing === 0 ? 0 : 1);
      const parts = [
        ...(stopped === undefined ? [] : [`stopped by ${plain(stopped.text)}`]),
        ...(differing === 0 ? [] : [`${formatCount(differing)} of ${countOf(compared, "answer")} differ`]),
        ...(broken === 0 ? [] : [`${formatCount(broken)} of ${countOf(all, "expectation")} broken`]),
        ...(further <= 0 ? [] : [countOf(further, "problem")]),
        ...(lost === 0 ? [] : ["the ledger does not close"]),
      ];
      // The only problem is the finding in the headline.
      return parts.length === 0 ? held : parts.join(", ");
    }
  }
}

function badLines(result: RunResult): VerdictLine[] {
  const { problems, expectations, lost, isUnfinished } = result;
  const weight = isUnfinished === true ? "warn" : "bad";
  return [
    ...problems.map((text): VerdictLine => ({ weight, about: "problem", text: plain(text) })),
    ...expectations
      .filter(({ held }) => !held)
      .map((one): VerdictLine => ({ weight: "bad", about: "expectation", text: brokenText(one) })),
    ...(lost === 0
      ? []
      : [
          {
            weight: "bad",
            about: "ledger",
            text: `${gapText(lost)}: a defect of the lab, please report it`,
          } satisfies VerdictLine,
        ]),
  ];
}

/** `delivery.p99 < 500ms: broken, seen 812ms`; `…; 12 ms without the busy seconds of this machine`. */
export function brokenText({ text, seen, metric }: ExpectationResult): string {
  return `${plain(text)}: broken, seen ${plain(seen) || "nothing"}${leftText(metric?.clear)}`;
}

/** The end of a sentence about a broken bound: its judgement without the busy seconds. Empty: there is none. */
export function leftText(clear: NonNullable<ExpectationResult["metric"]>["clear"]): string {
  if (clear === undefined) return "";
  if (clear.seen !== null)
    return `; ${readableDuration(clear.seen)} without the seconds in which this machine was busy`;
  return clear.held
    ? "; not broken while this machine was not busy"
    : "; broken as well while this machine was not busy";
}

/** The line about a late run, with whether its lateness alone may have broken the bounds. */
function scheduleLines(result: RunResult): VerdictLine[] {
  const { fellBehind, warnings = [], expectations } = result;
  if (fellBehind !== true) return [];
  const broken = expectations.filter(({ held }) => !held);
  const excused = broken.filter((one) => mayBeOwnLateness(one, result));
  const told = plain(warnings.find(isFellBehindText) ?? "the run fell behind its schedule");
  const share = excused.length === broken.length ? "" : `${excused.length} of `;
  const bounds = broken.length === 1 ? "the broken bound" : `${share}${broken.length} broken bounds`;
  const consequence =
    broken.length === 0
      ? ""
      : excused.length === 0
        ? "; the run's lateness does not explain what is broken"
        : `; it may be the only cause of ${bounds}`;
  return [{ weight: "warn", about: "schedule", text: `${told}${consequence}` }];
}

/** A line that this machine was busy, if a bound on a duration is broken or the receiver's speed cannot be judged. */
function hostLines(result: RunResult): VerdictLine[] {
  const { host, expectations } = result;
  if (host === undefined || host.busySeconds === 0) return [];
  const broken = expectations.filter((one) => !one.held && isAboutSpeed(one));
  const told = `this machine was ${busyText(host)}: other programs kept its cores`;
  if (broken.length === 0) {
    if (!hasTooLittle(result)) return [];
    const left = `${countOf(host.judged, "request")} of ${formatCount(host.judged + host.leftOut)}`;
    return [
      { weight: "warn", about: "host", text: `${told}; ${left} are left, too little to judge the receiver's speed` },
    ];
  }
  const excused = broken.filter(({ metric }) => metric?.clear?.held ?? true);
  const others = expectations.filter(({ held }) => !held).length - excused.length;
  const bounds = excused.length === 1 ? "the broken bound" : `the ${excused.length} broken bounds`;
  const consequence =
    excused.length === 0
      ? "that does not explain what is broken"
      : others === 0
        ? `it may be the only cause of ${bounds}`
        : `it may be the only cause of ${excused.length} of ${excused.length + others} broken expectations`;
  return [{ weight: "warn", about: "host", text: `${told}; ${consequence}` }];
}

function isFellBehindText(text: string): boolean {
  return text.includes("fell behind its schedule");
}

/**
 * Whether the lab's own lateness alone may have broken a bound on a delivery time or a round trip. It cannot if the
 * service time alone also breaks the bound, or if the excess is greater than the largest lateness.
 */
function mayBeOwnLateness({ metric }: ExpectationResult, { latenessMs, serviceMs }: RunResult): boolean {
  if (metric === undefined || metric.seen === null || metric.unit !== "duration") return false;
  const [family = "", moment = ""] = metric.name.split(".");
  if (!["delivery", "latency", "roundtrip"].includes(family) || !metric.op.startsWith("<")) return false;
  const served = family === "roundtrip" ? null : (serviceMs?.[moment as keyof typeof serviceMs] ?? null);
  if (served !== null && served > metric.value) return false;
  return metric.seen - (latenessMs?.max ?? Infinity) <= metric.value;
}

/** Whether a warning already states how many events still wait: the one about the drain's limit does. */
function tellsWaitingEvents(text: string): boolean {
  return /\d events? still waited when the drain/.test(text);
}

function warnLines({ ledger, warnings = [], fellBehind, findings = [] }: RunResult): VerdictLine[] {
  const { failed, queued } = ledger.events;
  const lines: VerdictLine[] = [];
  const isScripted = findings.some(({ kind, cause }) => kind === "failures" && cause === "story");
  const scripted = isScripted ? ": the story changes its answers" : "";
  if (failed > 0) {
    const text = `${countOf(failed, "event was", "events were")} never accepted by the receiver${scripted}`;
    lines.push({ weight: "warn", about: "events", text });
  }
  if (queued > 0 && !warnings.some(tellsWaitingEvents)) {
    const text = `${countOf(queued, "event still waits", "events still wait")} for an attempt`;
    lines.push({ weight: "warn", about: "events", text });
  }
  const others = warnings.filter((text) => fellBehind !== true || !isFellBehindText(text));
  return [...lines, ...others.map((text): VerdictLine => ({ weight: "warn", about: "warning", text: plain(text) }))];
}
