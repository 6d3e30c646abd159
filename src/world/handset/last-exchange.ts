import type { SimTime } from "../../sim/index.js";
import type { Command, DelayReason } from "../../wire/index.js";
import type { Exchange } from "./exchange.js";
import type { LastExchangeView, ReportCounts } from "./handset-view.js";
import type { KeptReport } from "./kept-reports.js";

/** Most offered messages that a view lists. */
const OFFERED_SHOWN = 20;

/**
 * The facts of a phone's last exchange that ended. Each phone has one such object, updated in place. Exchanges are
 * pooled, and a reference to their batch would keep it alive past the garbage collections that now free it.
 */
export class LastExchange {
  #requestedAtMs: SimTime = 0;
  #endedAtMs: SimTime = 0;
  #isRepeat = false;
  #failedBy: DelayReason | undefined;
  #isApplied = false;
  #texts = 0;
  #calls = 0;
  #sent = 0;
  #delivered = 0;
  #failed = 0;
  #resets = 0;
  #commands: readonly Command[] = noCommands;

  /** @param failedBy - undefined when the answer was applied */
  record(
    { batch, answer, requestedAtMs, isRepeat }: Exchange<unknown>,
    failedBy: DelayReason | undefined,
    now: SimTime,
  ): void {
    this.#requestedAtMs = requestedAtMs;
    this.#endedAtMs = now;
    this.#isRepeat = isRepeat;
    this.#failedBy = failedBy;
    this.#isApplied = answer?.accepted === true;
    this.#commands = answer?.accepted === true && failedBy === undefined ? answer.commands : noCommands;
    this.#texts = this.#calls = this.#sent = this.#delivered = this.#failed = this.#resets = 0;
    for (const { report } of batch) {
      if (report.type === "mo_sms") this.#texts++;
      else if (report.type === "mt_sent") this.#sent++;
      else if (report.type === "mt_dlvd") this.#delivered++;
      else if (report.type === "call") this.#calls++;
      else if (report.type === "mt_fail") this.#failed++;
      else this.#resets++;
    }
  }

  view(): LastExchangeView {
    const offered = this.#commands.flatMap((command) =>
      command.type === "send" ? [{ id: command.id, to: command.phone, text: command.text }] : [],
    );
    return {
      requestedAtMs: this.#requestedAtMs,
      endedAtMs: this.#endedAtMs,
      isRepeat: this.#isRepeat,
      reports: {
        ...(this.#texts > 0 && { mo_sms: this.#texts }),
        ...(this.#calls > 0 && { call: this.#calls }),
        ...(this.#sent > 0 && { mt_sent: this.#sent }),
        ...(this.#delivered > 0 && { mt_dlvd: this.#delivered }),
        ...(this.#failed > 0 && { mt_fail: this.#failed }),
        ...(this.#resets > 0 && { reset: this.#resets }),
      },
      failedBy: this.#failedBy ?? null,
      isApplied: this.#isApplied,
      acknowledged: this.#commands.length - offered.length,
      offered: offered.slice(0, OFFERED_SHOWN),
      offeredCount: offered.length,
    };
  }
}

/** Counts the reports of a batch by type. */
export function countReports(batch: readonly KeptReport[]): ReportCounts {
  const counts: ReportCounts = {};
  for (const { report } of batch) counts[report.type] = (counts[report.type] ?? 0) + 1;
  return counts;
}

const noCommands: readonly Command[] = [];
