import { performance } from "node:perf_hooks";
import type { ExpectationView, FindingView, RunView } from "../console/index.js";
import type { Lab, Pace } from "../lab/index.js";
import { loadModelOfPace } from "../measure/index.js";
import { affectedBy, type Finding, findingsSoFar, type RunResult, verdictOf } from "../report/index.js";

/** Shortest interval between two computations of the findings. Wall milliseconds. */
const READ_EVERY_MS = 5000;

/** Computing the findings takes at most 1/200 of the run's time: after a long run it visits 65,000 buckets. */
const TIME_SHARE = 200;

/** The findings of a run so far, for the console, from the measurements that the report also uses. */
export class RunWatch {
  readonly #lab: Lab;
  readonly #pace: Pace["kind"];
  readonly #receiverSteps: number;
  #view: RunView;
  #expectations: readonly ExpectationView[] | undefined;
  #nextReadAt = 0;

  /** @param options - `receiverSteps`: see `receiverStepsOf` */
  constructor(lab: Lab, options: { readonly pace: Pace["kind"]; readonly receiverSteps: number }) {
    this.#lab = lab;
    this.#pace = options.pace;
    this.#receiverSteps = options.receiverSteps;
    const findingsClock = this.#pace === "lockstep" ? "virtual" : "real";
    this.#view = {
      isOver: false,
      verdict: null,
      findings: [],
      findingsClock,
      beginsWallMs: this.#beginsWallMs(),
      report: null,
    };
  }

  /** The current view. Findings are computed again at most every five seconds, and only on request. */
  view(): RunView {
    const startedAt = performance.now();
    if (this.#view.isOver || startedAt < this.#nextReadAt) return this.#view;
    const { meter, trips, behaviour, host } = this.#lab.pipeline.measurements;
    const findings = findingsSoFar(meter, {
      model: loadModelOfPace(this.#pace),
      texts: trips.texts,
      forgotten: trips.forgotten,
      behaviour,
      host,
      receiverSteps: this.#receiverSteps,
      isPlaying: true,
    });
    this.#view = { ...this.#view, findings: findings.map(viewOf), beginsWallMs: this.#beginsWallMs() };
    const endedAt = performance.now();
    this.#nextReadAt = endedAt + Math.max(READ_EVERY_MS, TIME_SHARE * (endedAt - startedAt));
    return this.#view;
  }

  /** The start of the meter's timeline. Before the run plays it is that of the pipeline. */
  #beginsWallMs(): number | null {
    const { originMs, measurements } = this.#lab.pipeline;
    if (this.#pace === "lockstep") return null;
    return Math.round(performance.timeOrigin + originMs + measurements.meter.timeline.beginsMs);
  }

  /** The expectations as the verdict counts them; undefined while the run plays. */
  expectations(): readonly ExpectationView[] | undefined {
    return this.#expectations;
  }

  /** Records that the run is over. */
  end(result: RunResult): void {
    this.#expectations = result.expectations.map(({ text, held, seen }) => ({
      text,
      state: held ? "held" : "failed",
      seen,
      untilMs: null,
    }));
    const { state, headline, lines } = verdictOf(result);
    // Expectations have a separate list in the view.
    const reasons = lines.filter(({ about }) => about !== "expectation");
    this.#view = {
      ...this.#view,
      isOver: true,
      verdict: { state, headline },
      findings: [
        ...reasons.map(({ weight, text }): FindingView => ({
          text,
          severity: weight === "bad" ? "problem" : "warning",
          affected: null,
        })),
        ...(result.findings ?? []).map(viewOf),
      ],
      report: null,
    };
  }

  /** @param path - of the report's page on the server */
  showReport(path: string): void {
    this.#view = { ...this.#view, report: path };
  }
}

/** A finding as the console shows it. A fault that the story itself caused is not a problem. */
function viewOf(finding: Finding): FindingView {
  const { text, weight, cause } = finding;
  const severity = weight === "note" || cause === "story" ? "fact" : "warning";
  return { text, severity, affected: affectedBy(finding) ?? null };
}
