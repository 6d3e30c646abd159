import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { LabError } from "../../base/index.js";
import { type FailureCondition, readFailureCondition } from "../../expect/index.js";
import { allowedHosts } from "../../http/index.js";
import { filesBeside } from "../../lab/index.js";
import { parseScenario, type Scenario } from "../../scenario/index.js";
import { writeBugs } from "../minimise/bug/write-bugs.js";
import { openReceivers, type Receivers } from "../receivers.js";
import { minimiseScenario } from "../minimise/scenario/minimise-scenario.js";
import { playScenario, type ScenarioFailure } from "../minimise/scenario/play-scenario.js";
import { shownIn, type Shown } from "./behaviour.js";
import type { Discovery, ExploredFailure, Explored, ExploreOptions } from "./options.js";
import { type SearchProgress, searchFailures, type TrialShown } from "./search-failures.js";

/** Failures of any receiver, whatever it is meant to do. */
const anyFailure: readonly FailureCondition[] = ["status >= 500", "timeout", "closed"].map(conditionOf);

/** Wall milliseconds without any answer after which a play ends. */
const GIVE_UP_MS = 10_000;

/** What the receiver has for an answer: docs/reference/webhook.md#transport. */
const TIMEOUT_MS = 5000;

/**
 * Varies a scenario until the receiver fails, and minimises each different failure into a bug file.
 *
 * @param text - of the sound scenario in `options.path`
 * @throws LabError for bad options, a receiver that is not there at the start
 */
export async function exploreScenario(text: string, options: ExploreOptions): Promise<Explored> {
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  const receivers = await openReceivers({ ...options, width: 1, isAllowed });
  const folder = mkdtempSync(join(tmpdir(), "handset-explore-"));
  try {
    return await new Exploration(text, options, { receivers, folder }).run();
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await receivers.close();
  }
}

class Exploration {
  readonly #text: string;
  readonly #options: ExploreOptions;
  readonly #receivers: Receivers;
  readonly #folder: string;
  readonly #conditions: readonly FailureCondition[];
  readonly #nowMs = Date.now();
  readonly #beganMs = performance.now();
  /** Wall time that minimisations took. */
  #besideMs = 0;
  #progress: SearchProgress = { trials: 0, behaviours: 0, kept: 0, failures: 0 };
  #plays = 0;
  #trouble: LabError | undefined;
  /** Condition and failure of the latest play that failed. */
  #failed: { readonly condition: FailureCondition; readonly failure: ScenarioFailure } | undefined;
  readonly #found: ExploredFailure[] = [];
  readonly #discoveries: Discovery[] = [];

  constructor(
    text: string,
    options: ExploreOptions,
    { receivers, folder }: { readonly receivers: Receivers; readonly folder: string },
  ) {
    this.#text = text;
    this.#options = options;
    this.#receivers = receivers;
    this.#folder = folder;
    this.#conditions = options.condition === undefined ? anyFailure : [options.condition];
  }

  async run(): Promise<Explored> {
    const scenario = this.#read(this.#text);
    if (scenario === undefined) throw new LabError("bad-options", `${this.#options.path} is not sound`);
    const { seed, isGuided = true } = this.#options;
    const progress = await searchFailures({
      text: this.#text,
      scenario,
      seed,
      isGuided,
      read: (text) => this.#read(text),
      play: (varied) => this.#play(varied),
      isOver: () => this.#endedBy() !== undefined,
      onFailure: (found, trial) => this.#minimise(found, trial),
      onNew: (what, trial) => this.#discoveries.push({ trial, what }),
      onTrial: (now) => {
        this.#progress = now;
        this.#report("explore");
      },
    });
    const trouble = this.#trouble;
    if (trouble !== undefined && progress.trials <= 1 && this.#found.length === 0) throw trouble;
    return {
      ...progress,
      found: this.#found,
      discoveries: this.#discoveries,
      seed,
      seconds: Math.round(this.#elapsedMs() / 100) / 10,
      endedBy: this.#endedBy() ?? "time",
      trouble: trouble?.message ?? "",
      isFresh: this.#receivers.isFresh,
    };
  }

  #endedBy(): Explored["endedBy"] | undefined {
    const { signal, failures = Infinity, trials = Infinity, forMs } = this.#options;
    if (signal?.aborted === true) return "stopped";
    if (this.#trouble !== undefined) return "receiver";
    if (this.#found.length >= failures) return "failures";
    if (this.#progress.trials >= trials) return "trials";
    return this.#elapsedMs() >= forMs ? "time" : undefined;
  }

  #elapsedMs(): number {
    return performance.now() - this.#beganMs - this.#besideMs;
  }

  #read(text: string): Scenario | undefined {
    const { path: file } = this.#options;
    const readFile = filesBeside(file);
    return parseScenario(text, { file, nowMs: this.#nowMs, readFile, readData: readFile }).scenario;
  }

  /** Plays a scenario at a receiver. Undefined: the receiver is not there, which ends the exploration. */
  async #play(scenario: Scenario): Promise<TrialShown | undefined> {
    const { allowHosts, signal } = this.#options;
    let shown: Shown = { behaviour: new Map(), replies: [] };
    try {
      const receiver = await this.#receivers.take();
      try {
        const played = await playScenario(scenario, {
          conditions: this.#conditions,
          folder: this.#folder,
          number: this.#plays++,
          run: {
            receiver: receiver.url,
            giveUpAfterMs: GIVE_UP_MS,
            ...(allowHosts && { allowHosts }),
            ...(signal && { signal }),
          },
          onRecorded: (path) => (shown = shownIn(path)),
        });
        if (played.outcome === "unresolved") throw new LabError("no-receiver", played.why);
        const { failure, condition } = played.outcome === "fails" ? played : {};
        this.#failed = failure && condition && { failure, condition };
        return { ...shown, failure: failure?.fingerprint };
      } finally {
        await receiver.release();
      }
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      this.#trouble = error;
      return undefined;
    }
  }

  /** Reduces a scenario that failed to what matters, and writes it. */
  async #minimise(text: string, trial: number): Promise<void> {
    if (this.#failed === undefined) return;
    const { condition, failure } = this.#failed;
    const beganMs = performance.now();
    this.#report("minimise");
    const about = { condition: condition.text, seen: failure.seen, trial };
    this.#found.push({ ...about, ...(await this.#written(text, condition)) });
    this.#besideMs += performance.now() - beganMs;
  }

  async #written(
    text: string,
    condition: FailureCondition,
  ): Promise<Omit<ExploredFailure, "condition" | "seen" | "trial">> {
    const { output, receiver, command, reset, allowHosts, waitMs, signal, seed, path } = this.#options;
    mkdirSync(output, { recursive: true });
    const whole = (note: string) => {
      const file = this.#newFile(".yaml");
      writeFileSync(file, text);
      return { file, events: null, minimiseTrials: 0, oneMinimal: false, note };
    };
    try {
      const options = { path, receiver, command, reset, condition, allowHosts, waitMs, signal };
      const minimised = await minimiseScenario(text, options);
      if (!minimised.reproduced) {
        return whole(`it failed once, and not in ${minimised.of} plays after that`);
      }
      if (minimised.contaminated) return whole("it was not minimised, because the receiver remembers earlier plays");
      const file = this.#newFile(".bug.yaml");
      writeBugs(minimised, { file, overwrite: false, seed, timeoutMs: TIMEOUT_MS });
      const { after, trials, oneMinimal } = minimised;
      return { file, events: after.events, minimiseTrials: trials, oneMinimal, note: "" };
    } catch (error) {
      if (!(error instanceof LabError)) throw error;
      return whole(`it was not minimised: ${error.message}`);
    }
  }

  /** `bugs/my-day-1.bug.yaml`, with the first number that is free. */
  #newFile(ending: string): string {
    const stem = basename(this.#options.path).replace(/(\.bug)?\.ya?ml$/i, "");
    for (let count = 1; ; count++) {
      const names = [".bug.yaml", ".yaml"].map((one) => join(this.#options.output, `${stem}-${count}${one}`));
      if (!names.some(existsSync)) return join(this.#options.output, `${stem}-${count}${ending}`);
    }
  }

  #report(phase: "explore" | "minimise"): void {
    this.#options.onProgress?.({ ...this.#progress, phase, elapsedMs: this.#elapsedMs() });
  }
}

function conditionOf(text: string): FailureCondition {
  const read = readFailureCondition([text]);
  if (!("condition" in read)) throw new RangeError(`no condition: ${text}`);
  return read.condition;
}
