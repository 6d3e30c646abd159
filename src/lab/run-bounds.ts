import { performance } from "node:perf_hooks";
import type { Judgement } from "../expect/index.js";
import type { Emission } from "../gateway/index.js";
import { gaps, type LedgerReport, queued } from "../ledger/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import type { Pipeline } from "./pipeline.js";

/** The bounds on metrics of a run: provisional and final verdicts. */
export class RunBounds {
  readonly #pipeline: Pick<Pipeline<Emission>, "thresholds" | "growthMs" | "wallMs">;
  readonly #kernel: Kernel;
  readonly #ledger: () => LedgerReport;
  #judged: readonly Judgement[] | undefined;

  /** @param options - `ledger`: its accounts so far */
  constructor(options: { kernel: Kernel; pipeline: Pipeline<Emission>; ledger: () => LedgerReport }) {
    this.#pipeline = options.pipeline;
    this.#kernel = options.kernel;
    this.#ledger = options.ledger;
  }

  /** Makes the final judgement now, as at the end of a run. */
  judge(): void {
    const { thresholds, growthMs, wallMs } = this.#pipeline;
    const ledger = this.#ledger();
    const ends = { "ledger.gap": gaps(ledger), queued: queued(ledger), ledger, trend: growthMs, wallMs };
    this.#judged ??= thresholds.results(ends, performance.now()).map(({ text, held, seen }) => ({
      text,
      state: held ? "held" : "failed",
      seen,
      untilMs: this.#kernel.now,
    }));
  }

  /**
   * The provisional verdicts.
   * @param untilMs - when they will be judged; Infinity when never
   */
  judgements(untilMs: SimTime): readonly Judgement[] {
    return this.#judged ?? this.#pipeline.thresholds.judgements(untilMs === Infinity ? null : untilMs);
  }
}
