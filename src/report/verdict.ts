import type { RunResult } from "./result.js";
import { formatCount, plain } from "./words.js";

/** What to take away from a run. */
export interface Verdict {
  /** Whether everything that was asked of the run held. */
  readonly isGood: boolean;
  /** The whole in one line. */
  readonly headline: string;
  /** One thing each, the weightiest first: that the run fell behind its schedule, for then no other number is to be trusted. */
  readonly lines: readonly { readonly weight: "bad" | "warn"; readonly text: string }[];
}

/** What results of paced runs may say of themselves. */
type Punctual = RunResult & { readonly fellBehind?: boolean };

export function verdictOf(result: Punctual): Verdict {
  const { problems, expectations, lost, ledger, warnings = [] } = result;
  const isLate = (text: string): boolean => /fell behind/.test(text);
  const late = warnings.filter(isLate);
  const fellBehind = result.fellBehind === true || late.length > 0;
  const broken = expectations.filter(({ held }) => !held);
  const lines: { weight: "bad" | "warn"; text: string }[] = [];
  if (fellBehind) {
    const told = late.length > 0 ? late.map(plain) : ["events were sent later than the scenario asks"];
    lines.push(...told.map((text) => ({ weight: "bad" as const, text })));
  }
  lines.push(...problems.map((text) => ({ weight: "bad" as const, text: plain(text) })));
  lines.push(
    ...broken.map(({ text, seen }) => ({
      weight: "bad" as const,
      text: `${plain(text)}: broken, seen ${plain(seen) || "nothing"}`,
    })),
  );
  if (lost > 0 && problems.length === 0) {
    lines.push({
      weight: "bad",
      text: `${formatCount(lost)} lost without a cause: a defect of the lab, please report it`,
    });
  }
  const { failed } = ledger.events;
  if (failed > 0) {
    const events = failed === 1 ? "event was" : "events were";
    lines.push({ weight: "warn", text: `${formatCount(failed)} ${events} not taken by the receiver, for good` });
  }
  const { queued } = ledger.events;
  if (queued > 0) {
    const events = queued === 1 ? "event still waits" : "events still wait";
    lines.push({ weight: "warn", text: `${formatCount(queued)} ${events} for an attempt` });
  }
  lines.push(
    ...warnings.filter((text) => !isLate(text)).map((text) => ({ weight: "warn" as const, text: plain(text) })),
  );
  const isGood = problems.length === 0 && broken.length === 0 && lost === 0 && !fellBehind;
  return { isGood, headline: headline(result, { isGood, fellBehind, broken: broken.length }), lines };
}

function headline(
  { expectations, problems }: RunResult,
  { isGood, fellBehind, broken }: { isGood: boolean; fellBehind: boolean; broken: number },
): string {
  const all = expectations.length;
  if (isGood)
    return all === 0
      ? "Nothing was asked; everything is accounted for"
      : `All ${all === 1 ? "that was asked" : `${all} expectations`} held`;
  if (fellBehind) return "The run fell behind its own schedule";
  if (broken > 0) return `${broken} of ${all} ${all === 1 ? "expectation" : "expectations"} broken`;
  return problems.length > 0 ? "The run has a problem" : "Something is not accounted for";
}
