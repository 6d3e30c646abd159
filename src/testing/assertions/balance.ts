import { accounts, gaps, type AccountReport } from "../../ledger/index.js";
import type { TestLab } from "../lab/test-lab.js";
import type { Verdict } from "./delivered.js";

/** What the accounts must show beside that they close. */
export interface BalanceWanted {
  /** Default false: texts, calls, events and attempts may still be under way, and something may be lost by a cause. */
  readonly settled?: boolean;
}

/**
 * Judges whether everything has an end that the lab can name: in + copies = delivered + failed + queued + lost by a cause.
 *
 * @param wanted - `settled`: also, nothing is under way, nothing was given up, and nothing is lost
 */
export function judgeBalance(lab: TestLab, { settled = false }: BalanceWanted = {}): Verdict {
  const ledger = lab.ledger();
  const open = accounts.filter((name) => {
    const { queued, failed, lost } = ledger[name];
    const isUnsettled = settled && (queued > 0 || (name !== "attempts" && (failed > 0 || sum(lost) > 0)));
    return ledger[name].gap !== 0 || isUnsettled;
  });
  const states = accounts.map((name) => `  ${name.padEnd(8)} ${accountText(ledger[name])}`);
  const judged = gaps(ledger) > 0 ? "do not balance" : settled && open.length > 0 ? "are not settled" : "balance";
  const why = open.length === 0 ? "" : `: ${open.join(", ")}`;
  return { holds: open.length === 0, message: [`the lab's accounts ${judged}${why}`, ...states].join("\n") };
}

function accountText({ in: count, copies, delivered, failed, queued, lost, gap }: AccountReport): string {
  const parts = [
    `${count} in`,
    ...causes(copies, "copies"),
    `${delivered} delivered`,
    ...(failed > 0 ? [`${failed} given up`] : []),
    ...(queued > 0 ? [`${queued} under way`] : []),
    ...causes(lost, "lost"),
    ...(gap === 0 ? [] : [`${gap} without a named end`]),
  ];
  return parts.join(", ");
}

function causes(counts: Readonly<Record<string, number>>, word: string): string[] {
  if (sum(counts) === 0) return [];
  const each = Object.entries(counts).map(([cause, count]) => (count === 1 ? cause : `${count} ${cause}`));
  return [`${sum(counts)} ${word} (${each.join(", ")})`];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
