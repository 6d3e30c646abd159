import type { Finding } from "./findings/index.js";
import type { ExpectationResult, RunResult } from "./result.js";
import { formatCount, gapText, countOf } from "./number-format.js";
import { plain } from "./terminal-text.js";

/**
 * What a run is worth. `failed`: an expectation, the ledger or the run itself is broken, the exit code is not 0. `not
 * judged`: nothing is broken, but the numbers are not those of the load that was asked for, or the run has not ended.
 */
export type VerdictState = "held" | "held with warnings" | "not judged" | "failed";

/** One thing that the verdict rests on. */
export interface VerdictLine {
  readonly weight: "bad" | "warn";
  /** What it is about: forms of the report that have a section for it need not say it twice. */
  readonly about: "problem" | "expectation" | "ledger" | "schedule" | "events" | "warning";
  readonly text: string;
}

/** What to take away from a run: the same in every form of the report. */
export interface Verdict {
  readonly state: VerdictState;
  /** The whole in one line. */
  readonly headline: string;
  /** The worst finding, where it is weighty: it is in the headline. */
  readonly finding?: Finding;
  /** The weightiest first. */
  readonly lines: readonly VerdictLine[];
}

/** How a verdict is shown where there is room for one column. */
export const verdictSigns: Readonly<Record<VerdictState, string>> = {
  held: "✔",
  "held with warnings": "!",
  "not judged": "!",
  failed: "✘",
};

/** The one place that decides whether a run is good. */
export function verdictOf(result: RunResult): Verdict {
  const named = result.findings?.find(isWeighty);
  const lines = [...badLines(result), ...scheduleLines(result), ...warnLines(result)];
  const state = stateOf(result, lines, named);
  if (named === undefined) return { state, headline: headlineOf(state, result), lines };
  return { state, headline: headlineWithFinding(state, result, named), finding: named, lines };
}

/** A result as JSON, with its verdict: what `--json` prints. */
export function renderResult(result: RunResult): string {
  return `${JSON.stringify(withVerdict(result))}\n`;
}

/** A result with its verdict, and with what is missing from the ledger under the name of its metric, too. */
export function withVerdict(
  result: RunResult,
): RunResult & { readonly "ledger.gap": number; readonly verdict: Verdict } {
  return { ...result, "ledger.gap": result.lost, verdict: verdictOf(result) };
}

/** A finding of less than this share of the run does not change the verdict. */
const WEIGHTY_SHARE = 0.02;

function isWeighty({ kind, weight, severity }: Finding): boolean {
  return weight === "bad" && (kind === "saturation" || kind === "doubles" || severity >= WEIGHTY_SHARE);
}

/** The headline with the worst finding: a saturation before all else, since no other number means much beside it. */
function headlineWithFinding(state: VerdictState, result: RunResult, { kind, text }: Finding): string {
  const headline = headlineOf(state, result).replace(", with warnings; everything is accounted for", "");
  const told = plain(text).replace(/\.$/, "");
  if (kind === "saturation") return `${told}; ${headline}`;
  const inside = told.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  return `${headline}${state === "failed" ? ":" : state === "not judged" ? ";" : ", but"} ${inside}`;
}

function stateOf(result: RunResult, lines: readonly VerdictLine[], named: Finding | undefined): VerdictState {
  if (result.isUnfinished === true) return "not judged";
  if (lines.some(({ weight }) => weight === "bad")) return "failed";
  if (result.fellBehind === true) return "not judged";
  return lines.length > 0 || named !== undefined ? "held with warnings" : "held";
}

function headlineOf(state: VerdictState, { expectations, problems, lost, fellBehind }: RunResult): string {
  const all = expectations.length;
  const held =
    all === 0 ? "no expectation was set" : `${all === 1 ? "its expectation" : `its ${all} expectations`} held`;
  switch (state) {
    case "held":
    case "held with warnings": {
      const what = all === 0 ? "no expectation was set" : `${countOf(all, "expectation")} held`;
      return `${what}${state === "held" ? "," : ", with warnings;"} everything is accounted for`;
    }
    case "not judged":
      return fellBehind === true
        ? `not judged: the run fell behind its own schedule; ${held} even so`
        : "not judged: the run has not ended";
    case "failed": {
      const stopped = expectations.find(({ metric }) => metric?.hasStopped === true);
      const broken = expectations.filter((one) => !one.held).length;
      // What stopped the run is among the problems, too, and need not be counted twice.
      const further = problems.length - (stopped === undefined ? 0 : 1);
      const parts = [
        ...(stopped === undefined ? [] : [`stopped by ${plain(stopped.text)}`]),
        ...(broken === 0 ? [] : [`${formatCount(broken)} of ${countOf(all, "expectation")} broken`]),
        ...(further <= 0 ? [] : [countOf(further, "problem")]),
        ...(lost === 0 ? [] : ["the ledger does not close"]),
      ];
      return `${parts.join(", ")}`;
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

/** `delivery.p99 < 500ms: broken, seen 812ms`. */
export function brokenText({ text, seen }: ExpectationResult): string {
  return `${plain(text)}: broken, seen ${plain(seen) || "nothing"}`;
}

/** A run that was late says so, and whether a broken bound may be broken for that reason only. */
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

function isFellBehindText(text: string): boolean {
  return text.includes("fell behind its schedule");
}

/**
 * Whether the lab's own lateness alone may have broken a bound on a delivery time or a round trip. It may not where the
 * service time breaks the bound, too, or where the bound is exceeded by more than any attempt was late.
 */
function mayBeOwnLateness({ metric }: ExpectationResult, { latenessMs, serviceMs }: RunResult): boolean {
  if (metric === undefined || metric.seen === null || metric.unit !== "duration") return false;
  const [family = "", moment = ""] = metric.name.split(".");
  if (!["delivery", "latency", "roundtrip"].includes(family) || !metric.op.startsWith("<")) return false;
  const served = family === "roundtrip" ? null : (serviceMs?.[moment as keyof typeof serviceMs] ?? null);
  if (served !== null && served > metric.value) return false;
  return metric.seen - (latenessMs?.max ?? Infinity) <= metric.value;
}

function warnLines({ ledger, warnings = [], fellBehind, findings = [] }: RunResult): VerdictLine[] {
  const { failed, queued } = ledger.events;
  const lines: VerdictLine[] = [];
  const isScripted = findings.some(({ kind, cause }) => kind === "failures" && cause === "story");
  const scripted = isScripted ? ": the story makes it answer otherwise" : "";
  if (failed > 0) {
    const text = `${countOf(failed, "event was", "events were")} not taken by the receiver, for good${scripted}`;
    lines.push({ weight: "warn", about: "events", text });
  }
  if (queued > 0) {
    const text = `${countOf(queued, "event still waits", "events still wait")} for an attempt`;
    lines.push({ weight: "warn", about: "events", text });
  }
  const others = warnings.filter((text) => fellBehind !== true || !isFellBehindText(text));
  return [...lines, ...others.map((text): VerdictLine => ({ weight: "warn", about: "warning", text: plain(text) }))];
}
