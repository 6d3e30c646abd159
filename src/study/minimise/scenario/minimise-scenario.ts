import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabError } from "../../../base/index.js";
import { type FailureCondition, readFailureCondition } from "../../../expect/index.js";
import { allowedHosts } from "../../../http/index.js";
import { filesBeside } from "../../../lab/index.js";
import { type ExactRequest, parseScenario, type Scenario, writtenTree, writtenYaml } from "../../../scenario/index.js";
import { openRecording } from "../../../store/index.js";
import { sharesLog } from "../log-of-condition.js";
import type { InputCounts, Minimised, MinimiseOptions, MinimiseStep, OtherFailure } from "../options.js";
import { openReceivers, type Receivers } from "../../receivers.js";
import { rateOf } from "../wilson.js";
import { playScenario, type ScenarioFailure, type ScenarioPlay } from "./play-scenario.js";
import { shrinkScenario } from "./shrink-scenario.js";

/** Plays by which the failure is measured. */
const MEASURED = 11;

/** Events of the smallest play that the result lists. */
const EVENTS_MAX = 200;

/** A play that failed. */
type FailedPlay = Extract<ScenarioPlay, { readonly outcome: "fails" }>;

/**
 * Minimises a scenario that fails at a receiver: its people, handsets, traffic, steps and values, while it fails in the
 * same way.
 *
 * @param text - of the scenario in `options.path`
 * @throws LabError for bad options, a receiver that is not there
 */
export async function minimiseScenario(text: string, options: MinimiseOptions): Promise<Minimised> {
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  const receivers = await openReceivers({ ...options, width: 1, isAlone: sharesLog(options.condition), isAllowed });
  const folder = mkdtempSync(join(tmpdir(), "handset-minimise-"));
  try {
    return await new ScenarioMinimisation(withSeed(text, options.seed), options, { receivers, folder }).run();
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await receivers.close();
  }
}

/** The scenario with a seed; undefined: its own. */
function withSeed(text: string, seed: number | undefined): string {
  const tree = seed === undefined ? undefined : writtenTree(text);
  return tree === undefined ? text : writtenYaml({ ...tree, seed: String(seed) });
}

class ScenarioMinimisation {
  readonly #text: string;
  readonly #options: MinimiseOptions;
  readonly #receivers: Receivers;
  readonly #folder: string;
  readonly #beganMs = performance.now();
  readonly #nowMs = Date.now();
  readonly #others = new Map<string, OtherFailure>();
  #condition: FailureCondition | undefined;
  #plays = 0;
  #trials = 0;
  #smallest: InputCounts = { events: 0, people: 0, handsets: 0, span: 0 };

  constructor(
    text: string,
    options: MinimiseOptions,
    parts: { readonly receivers: Receivers; readonly folder: string },
  ) {
    this.#text = text;
    this.#options = options;
    this.#receivers = parts.receivers;
    this.#folder = parts.folder;
    this.#condition = "auto" in options.condition ? undefined : options.condition;
  }

  async run(): Promise<Minimised> {
    this.#report("first play", 0);
    const { first, of } = await this.#firstFailure();
    if (first.outcome === "unresolved") throw new LabError("no-receiver", first.why);
    const before = first.counts;
    this.#smallest = before;
    if (first.outcome === "passes") return this.#notReproduced(of, before);
    const { failure } = first;
    const took = this.#condition === undefined ? "the first broken expectation" : "";
    const condition = (this.#condition ??= conditionOf(failure));
    const { timeLimitMs = 60_000, trials = 300, signal } = this.#options;
    const shrunk = await shrinkScenario(this.#text, {
      test: (text) => this.#test(text, failure, before),
      isSound: (text) => this.#sound(text) !== undefined,
      trials,
      hasTime: () => performance.now() - this.#beganMs < 0.85 * timeLimitMs && signal?.aborted !== true,
    });
    this.#report("last round", before.events);
    const { failed, last, events } = await this.#measure(shrunk.text, failure);
    const shown = last?.failure ?? failure;
    const contaminated = failed === 0;
    const oneMinimal = shrunk.isOneMinimal && failed === MEASURED;
    return {
      ...this.#common(condition, took, failed, MEASURED),
      reproduced: true,
      cached: shrunk.cached,
      before,
      after: contaminated ? before : (last?.counts ?? this.#smallest),
      oneMinimal,
      endedBy: oneMinimal || contaminated ? "" : this.#endedBy(failed, shrunk.isOneMinimal),
      events: contaminated ? [] : events,
      same: failure.fingerprint,
      others: contaminated ? [] : [...this.#others.values()],
      contaminated,
      contamination: contaminated ? "the smallest scenario that failed does not fail when it is played again" : "",
      ...(!contaminated && { smallest: shrunk.text }),
      seen: shown.answer === undefined ? shown.seen : undefined,
      answer: shown.answer,
      type: shown.type,
    };
  }

  /** Plays until it fails, at most as often as a flaky failure is measured. */
  async #firstFailure(): Promise<{ readonly first: ScenarioPlay; readonly of: number }> {
    for (let of = 1; ; of++) {
      const first = await this.#play(this.#text);
      if (first.outcome !== "passes" || of === MEASURED) return { first, of };
    }
  }

  async #test(text: string, { fingerprint }: ScenarioFailure, before: InputCounts) {
    const played = await this.#play(text);
    this.#trials++;
    if (played.outcome === "fails" && played.failure.fingerprint === fingerprint) this.#smallest = played.counts;
    this.#report("search", before.events);
    if (played.outcome !== "fails") return played.outcome;
    if (played.failure.fingerprint === fingerprint) return "fails";
    this.#keepOther(played, text);
    return "passes";
  }

  #keepOther({ failure, counts }: FailedPlay, text: string): void {
    const known = this.#others.get(failure.fingerprint);
    if (known !== undefined && known.events <= counts.events) return;
    const condition = this.#condition ?? conditionOf(failure);
    this.#others.set(failure.fingerprint, {
      condition: condition.text,
      events: counts.events,
      oneMinimal: false,
      bug: null,
      found: { condition, scenario: text, answer: undefined, seen: failure.seen },
    });
  }

  /** Plays the smallest scenario again and again. */
  async #measure(
    text: string,
    { fingerprint }: ScenarioFailure,
  ): Promise<{
    readonly failed: number;
    readonly last: FailedPlay | undefined;
    readonly events: readonly ExactRequest[];
  }> {
    let failed = 0;
    let last: FailedPlay | undefined;
    let events: readonly ExactRequest[] = [];
    for (let run = 0; run < MEASURED; run++) {
      let recorded: readonly ExactRequest[] = [];
      const played = await this.#play(text, (path) => (recorded = requestsIn(path)));
      if (played.outcome !== "fails" || played.failure.fingerprint !== fingerprint) continue;
      failed++;
      last = played;
      events = recorded;
    }
    return { failed, last, events };
  }

  async #play(text: string, onRecorded?: (path: string) => void): Promise<ScenarioPlay> {
    const scenario = this.#sound(text);
    if (scenario === undefined) return { outcome: "unresolved", why: "the scenario is not sound" };
    const { allowHosts, signal } = this.#options;
    const receiver = await this.#receivers.take();
    try {
      return await playScenario(scenario, {
        conditions: this.#condition === undefined ? [] : [this.#condition],
        folder: this.#folder,
        number: this.#plays++,
        run: {
          receiver: receiver.url,
          giveUpAfterMs: 10_000,
          ...(allowHosts && { allowHosts }),
          ...(signal && { signal }),
        },
        ...(onRecorded && { onRecorded }),
      });
    } finally {
      await receiver.release();
    }
  }

  #sound(text: string): Scenario | undefined {
    const { path: file } = this.#options;
    const readFile = filesBeside(file);
    return parseScenario(text, { file, nowMs: this.#nowMs, readFile, readData: readFile }).scenario;
  }

  #notReproduced(of: number, counts: InputCounts): Minimised {
    const condition =
      this.#condition ?? conditionOf({ fingerprint: "broken a bound or expectation", seen: "", atMs: null });
    const took = this.#condition === undefined ? "no expectation of the scenario is broken" : "";
    return {
      ...this.#common(condition, took, 0, of),
      reproduced: false,
      cached: 0,
      before: counts,
      after: counts,
      oneMinimal: false,
      endedBy: "",
      events: [],
      same: "",
      others: [],
      contaminated: false,
      contamination: "",
      seen: undefined,
    };
  }

  #common(condition: FailureCondition, took: string, failed: number, of: number) {
    return {
      failed,
      of,
      rate: rateOf(failed, of),
      condition: condition.text,
      failure: condition,
      took,
      trials: this.#trials,
      plays: this.#plays,
      seconds: Math.round((performance.now() - this.#beganMs) / 100) / 10,
      failsAt: null,
      scenario: null,
      bug: null,
      answer: undefined,
      notes: [],
    } as const;
  }

  #endedBy(failed: number, isOneMinimal: boolean): string {
    if (this.#options.signal?.aborted === true) return "it was stopped by hand";
    if (isOneMinimal) return `it failed in ${failed} of ${MEASURED} runs, so a part that went may be needed at times`;
    const { trials = 300, timeLimitMs = 60_000 } = this.#options;
    return this.#trials >= trials
      ? `the limit of ${trials} trials was reached: --trials raises it`
      : `the time limit of ${timeLimitMs / 1000} s was reached: --time-limit raises it`;
  }

  #report(phase: MinimiseStep["phase"], before: number): void {
    this.#options.onStep?.({ phase, trials: this.#trials, events: this.#smallest.events, before });
  }
}

/** The condition of a broken expectation. */
function conditionOf({ fingerprint }: Pick<ScenarioFailure, "fingerprint" | "seen" | "atMs">): FailureCondition {
  const expectation = fingerprint.replace(/^broken /, "");
  const read = readFailureCondition([`broken "${expectation}"`]);
  if ("condition" in read) return read.condition;
  return { text: `broken ${expectation}`, terms: [{ kind: "broken", expectation }] };
}

/** The requests of a recorded play, in the order in which they were sent. */
function requestsIn(path: string): ExactRequest[] {
  const reader = openRecording(path);
  try {
    const requests: ExactRequest[] = [];
    for (const { type, body, attempts } of reader.events()) {
      for (const { dueAtMs } of attempts) requests.push({ atMs: dueAtMs, type, body });
      if (requests.length > EVENTS_MAX) break;
    }
    return requests.toSorted((a, b) => a.atMs - b.atMs).slice(0, EVENTS_MAX);
  } finally {
    reader.close();
  }
}
