import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FailureCondition } from "../../../expect/index.js";
import { filesBeside } from "../../../lab/index.js";
import type { RunOptions } from "../../../run/index.js";
import { parseScenario, type Scenario } from "../../../scenario/index.js";
import { playScenario, type PlayCounts, type ScenarioFailure, type ScenarioPlay } from "./play-scenario.js";
import { shrinkScenario } from "./shrink-scenario.js";

/** Options of minimising a scenario. */
export interface MinimiseScenarioOptions {
  /** Absent: the first broken expectation is the failure. */
  readonly condition: FailureCondition | undefined;
  readonly trials: number;
  readonly timeLimitMs: number;
  /** Runs one play at a receiver in its first state. */
  readonly withReceiver: <T>(play: (run: Pick<RunOptions, "receiver" | "command">) => Promise<T>) => Promise<T>;
  readonly allowHosts?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onTrial?: ((trials: number, smallest: PlayCounts) => void) | undefined;
}

/** Another failure that was met on the way. */
export interface OtherFailure {
  readonly failure: ScenarioFailure;
  readonly text: string;
  readonly counts: PlayCounts;
}

/** A minimised scenario. */
export interface MinimisedScenario {
  readonly reproduced: true;
  readonly failure: ScenarioFailure;
  /** The condition that it was minimised for, as `--while` spells it. */
  readonly condition: string;
  /** Plays of the smallest scenario that failed in the same way, and all of them. */
  readonly failed: number;
  readonly of: number;
  readonly trials: number;
  readonly cached: number;
  readonly seconds: number;
  readonly before: PlayCounts;
  readonly after: PlayCounts;
  readonly isOneMinimal: boolean;
  readonly text: string;
  readonly others: readonly OtherFailure[];
  /** It passes when it is played again: the receiver keeps something between the plays. */
  readonly contaminated: boolean;
}

/** The scenario does not fail, or cannot be played: `why` is a sentence. */
export interface NotMinimised {
  readonly reproduced: false;
  readonly why: string;
  readonly isUnplayable: boolean;
  readonly of: number;
  readonly seconds: number;
}

/** Plays by which the failure of the smallest scenario is measured. */
const MEASURED = 11;

/** Shrinks a scenario that fails at a receiver, while it fails in the same way. */
export async function minimiseScenario(
  source: { readonly text: string; readonly file: string },
  options: MinimiseScenarioOptions,
): Promise<MinimisedScenario | NotMinimised> {
  const beganMs = performance.now();
  const seconds = (): number => Math.round((performance.now() - beganMs) / 100) / 10;
  const folder = mkdtempSync(join(tmpdir(), "handset-minimise-"));
  let plays = 0;
  const nowMs = Date.now();
  const sound = (text: string): Scenario | undefined =>
    parseScenario(text, {
      file: source.file,
      nowMs,
      readFile: filesBeside(source.file),
      readData: filesBeside(source.file),
    }).scenario;
  const play = (text: string): Promise<ScenarioPlay> => {
    const scenario = sound(text);
    if (scenario === undefined) return Promise.resolve({ outcome: "unresolved", why: "it is not sound" });
    const { allowHosts, signal } = options;
    return options.withReceiver((run) =>
      playScenario(scenario, {
        condition: options.condition,
        folder,
        number: plays++,
        run: { ...run, ...(allowHosts && { allowHosts }), ...(signal && { signal }), giveUpAfterMs: 10_000 },
      }),
    );
  };
  try {
    const first = await firstFailure(source.text, play);
    if (first.play.outcome !== "fails") {
      const isUnplayable = first.play.outcome === "unresolved";
      const why = first.play.outcome === "unresolved" ? first.play.why : `it did not fail in ${first.of} runs`;
      return { reproduced: false, why, isUnplayable, of: first.of, seconds: seconds() };
    }
    const { failure, counts: before } = first.play;
    const others = new Map<string, OtherFailure>();
    let smallest = before;
    let trials = 0;
    const test = async (text: string) => {
      const played = await play(text);
      options.onTrial?.(++trials, smallest);
      if (played.outcome !== "fails") return played.outcome;
      if (played.failure.fingerprint === failure.fingerprint) {
        smallest = played.counts;
        return "fails" as const;
      }
      const known = others.get(played.failure.fingerprint);
      if (known === undefined || played.counts.events < known.counts.events) {
        others.set(played.failure.fingerprint, { failure: played.failure, text, counts: played.counts });
      }
      return "passes" as const;
    };
    const shrunk = await shrinkScenario(source.text, {
      test,
      isSound: (text) => sound(text) !== undefined,
      trials: options.trials,
      hasTime: () => performance.now() - beganMs < options.timeLimitMs && options.signal?.aborted !== true,
    });
    const measured = await measure(shrunk.text, failure, play);
    return {
      reproduced: true,
      failure: measured.failure ?? failure,
      condition: options.condition?.text ?? failure.fingerprint.replace(/^broken (.*)$/s, 'broken "$1"'),
      failed: measured.failed,
      of: MEASURED,
      trials: shrunk.trials,
      cached: shrunk.cached,
      seconds: seconds(),
      before,
      after: measured.counts ?? smallest,
      isOneMinimal: shrunk.isOneMinimal,
      text: shrunk.text,
      others: [...others.values()],
      contaminated: measured.failed === 0,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Plays until it fails, at most as often as a flaky failure is measured. */
async function firstFailure(
  text: string,
  play: (text: string) => Promise<ScenarioPlay>,
): Promise<{ readonly play: ScenarioPlay; readonly of: number }> {
  for (let of = 1; ; of++) {
    const played = await play(text);
    if (played.outcome !== "passes" || of === MEASURED) return { play: played, of };
  }
}

async function measure(
  text: string,
  { fingerprint }: ScenarioFailure,
  play: (text: string) => Promise<ScenarioPlay>,
): Promise<{ readonly failed: number; readonly failure?: ScenarioFailure; readonly counts?: PlayCounts }> {
  let failed = 0;
  let last: Extract<ScenarioPlay, { outcome: "fails" }> | undefined;
  for (let run = 0; run < MEASURED; run++) {
    const played = await play(text);
    if (played.outcome !== "fails" || played.failure.fingerprint !== fingerprint) continue;
    failed++;
    last = played;
  }
  return { failed, ...(last && { failure: last.failure, counts: last.counts }) };
}
