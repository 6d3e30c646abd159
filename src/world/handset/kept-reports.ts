import {
  addDelay,
  type Command,
  type CopyCause,
  type DelayReason,
  type Report,
  type ReportedFact,
  type ReportOrigin,
} from "../../wire/index.js";
import type { SimTime } from "../../sim/index.js";
import type { KeptReportView } from "./handset-view.js";
import type { InboundReport } from "../in-transit.js";
import type { Phone, ReportContext } from "./phone.js";
import type { WipeCause } from "./wipe-cause.js";

/** A report that the phone keeps until the service has acknowledged it. */
export interface KeptReport extends ReportOrigin {
  readonly report: Report;
  readonly fact: ReportedFact | undefined;
  readonly causeOfCopy: CopyCause | undefined;
  repeatedBy: CopyCause | undefined;
  /** True when the service has applied it, whether or not the phone knows. */
  isApplied: boolean;
  isAcknowledged: boolean;
  /** True when a sync has carried it. */
  isTried: boolean;
}

/** A wait shorter than this before the first sync is not recorded as a delay. */
const SHORT_WAIT_MS = 1_000;

/** The reports that a phone keeps until they are acknowledged, oldest first. A sync carries a batch of them. */
export class KeptReports {
  readonly #phone: Phone;
  #kept: KeptReport[] = noneKept;
  /** Why the last requested sync was postponed: the cause of the delay that the next batch records. */
  syncDelayedBy: DelayReason | undefined;

  constructor(phone: Phone) {
    this.#phone = phone;
  }

  get count(): number {
    return this.#kept.length;
  }

  /** Numbers of texts and calls that the service has not applied. */
  census(): { texts: number; calls: number } {
    let texts = 0;
    let calls = 0;
    for (const { report, isApplied } of this.#kept) {
      if (isApplied) continue;
      if (report.type === "mo_sms") texts++;
      else if (report.type === "call") calls++;
    }
    return { texts, calls };
  }

  /** The texts and calls that the service has not applied. */
  openReports(): InboundReport[] {
    return this.#kept.flatMap(({ report, isApplied }) =>
      !isApplied && (report.type === "mo_sms" || report.type === "call") ? [report] : [],
    );
  }

  /** The reports, oldest first. */
  inspect(): KeptReportView[] {
    return this.#kept.map(({ report, beganAtMs, phoneAtMs, isTried, isApplied, delays }) => {
      const last = delays?.at(-1);
      const failedBy = last?.kind === "sync-failed" ? last.why : null;
      return {
        report,
        beganAtMs,
        sinceMs: phoneAtMs,
        isTried,
        isApplied,
        why: isTried ? failedBy : (this.syncDelayedBy ?? null),
      };
    });
  }

  /** Keeps a report until the service has acknowledged it. Does not request a sync. */
  keep(report: Report, context?: ReportContext): void {
    const kept: KeptReport = {
      report,
      fact: context?.fact,
      event: 0,
      causeOfCopy: context?.causeOfCopy,
      repeatedBy: undefined,
      isApplied: false,
      isAcknowledged: false,
      isTried: false,
      beganAtMs: context?.beganAtMs ?? null,
      phoneAtMs: context?.phoneAtMs ?? this.#phone.context.kernel.now,
      delays: context?.delays,
    };
    this.syncDelayedBy = undefined;
    // A literal has room for 1 report, the usual number; V8 reserves 17 slots at the first `push` to an empty array.
    if (this.#kept.length === 0) this.#kept = [kept];
    else this.#kept.push(kept);
  }

  /** The oldest reports, at most `countMax`. */
  batch(countMax: number): readonly KeptReport[] {
    return this.#kept.length === 0 ? emptyBatch : this.#kept.slice(0, countMax);
  }

  /** Records the delay of reports that enter a sync for the first time: from their origin, or from their last delay. */
  noteFirstTry(batch: readonly KeptReport[]): void {
    const { now } = this.#phone.context.kernel;
    if (this.#kept.length > batch.length) this.#noteLeftBehind(batch, now);
    for (const kept of batch) {
      if (kept.isTried) continue;
      kept.isTried = true;
      const fromMs = kept.delays?.at(-1)?.untilMs ?? kept.phoneAtMs;
      if (now - fromMs < SHORT_WAIT_MS) continue;
      kept.delays = addDelay(kept.delays, {
        kind: "waited-for-sync",
        why: this.syncDelayedBy ?? null,
        fromMs,
        untilMs: now,
      });
    }
    this.syncDelayedBy = undefined;
  }

  /**
   * Records a delay of the reports that have no room in a batch. Until now they had the same cause of delay as the
   * batch, such as a link that was down; from now on they wait for another sync.
   */
  #noteLeftBehind(batch: readonly KeptReport[], untilMs: SimTime): void {
    const last = batch[0]?.delays?.at(-1);
    const why = this.syncDelayedBy ?? (last?.kind === "sync-failed" ? last.why : null);
    if (why === null) return;
    for (let index = batch.length; index < this.#kept.length; index++) {
      const kept = this.#kept[index] as KeptReport;
      const fromMs = kept.delays?.at(-1)?.untilMs ?? kept.phoneAtMs;
      if (untilMs - fromMs < SHORT_WAIT_MS) continue;
      kept.delays = addDelay(kept.delays, { kind: "waited-for-sync", why, fromMs, untilMs });
    }
  }

  /** Marks the reports that the service has applied; one applied twice becomes a copy in the ledger. */
  markApplied(batch: readonly KeptReport[], commands: readonly Command[]): void {
    for (const command of commands) {
      const kept = command.type === "ack" ? batch[command.report - 1] : undefined;
      if (kept !== undefined) this.#markOne(kept);
    }
  }

  /** Marks the first `count` reports of a batch as applied by a service that then failed. */
  markFirstApplied(batch: readonly KeptReport[], count: number): void {
    for (const kept of batch.slice(0, count)) this.#markOne(kept);
  }

  /** Marks a report as applied; one that was applied before counts as a copy. */
  #markOne(kept: KeptReport): void {
    const { tally } = this.#phone.context;
    if (kept.isApplied) {
      const { repeatedBy } = kept;
      const cause = repeatedBy === undefined || repeatedBy === "answer-lost" ? "lost-response" : repeatedBy;
      if (kept.report.type === "mo_sms") tally.copy("texts", cause);
      else if (kept.report.type === "call") tally.copy("calls", cause);
    }
    kept.isApplied = true;
  }

  /** Removes the `count` reports of a batch that are acknowledged. */
  removeAcknowledged(batch: readonly KeptReport[], count: number): void {
    if (count === 0) return;
    if (count === batch.length && count === this.#kept.length) this.#kept = noneKept;
    else this.#kept = this.#kept.filter((kept) => !kept.isAcknowledged);
  }

  /** Counts a report as lost: the app took the acknowledgement of another one for its own. */
  loseAcknowledged(report: Report): void {
    const { channel, context } = this.#phone;
    // Reports about messages are no loss: the service offers the message again, and the phone then reports it again.
    if (report.type === "mo_sms") {
      const { phone, text } = report;
      context.tally.lost("texts", "wrong-ack", [{ channel, phone, text }]);
    } else if (report.type === "call") context.tally.lost("calls", "wrong-ack", [{ channel, phone: report.phone }]);
  }

  /** Removes all reports; those that the service has not applied are lost. */
  wipe(cause: WipeCause): void {
    const { channel, context } = this.#phone;
    for (const report of this.openReports()) {
      const { phone } = report;
      if (report.type === "call") context.tally.lost("calls", cause, [{ channel, phone }]);
      else context.tally.lost("texts", cause, [{ channel, phone, text: report.text }]);
    }
    this.#kept = noneKept;
  }
}

/** A batch without reports: the phone only asks for commands. */
export const emptyBatch: readonly KeptReport[] = [];

/** Shared by all phones without reports; never written to. */
const noneKept: KeptReport[] = [];
