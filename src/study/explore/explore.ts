import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FailureCondition } from "../../expect/index.js";
import type { RunOptions } from "../../run/index.js";
import { parseScenario, type Scenario, writtenTree, writtenYaml } from "../../scenario/index.js";
import { type Stream, Streams } from "../../sim/index.js";
import { playScenario, type ScenarioFailure } from "../minimise/scenario/play-scenario.js";
import { featuresOf } from "./novelty.js";
import { type StoryCast, storyCast, type Variation, varyStory } from "./vary-story.js";

/** Options of an exploration. */
export interface ExploreOptions {
  readonly text: string;
  readonly file: string;
  /** Absent: a broken expectation of the scenario. */
  readonly condition: FailureCondition | undefined;
  readonly seed: number;
  /** Wall milliseconds. */
  readonly timeLimitMs: number;
  readonly trials: number;
  /** Ends after this number of different failures. */
  readonly failures: number;
  /** False: each trial varies the scenario itself, whatever came before. For comparison. */
  readonly isGuided?: boolean;
  /** Runs one play at a receiver in its first state. */
  readonly withReceiver: <T>(play: (run: Pick<RunOptions, "receiver" | "command">) => Promise<T>) => Promise<T>;
  readonly allowHosts?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onTrial?: ((progress: ExploreProgress) => void) | undefined;
}

/** Where an exploration is. */
export interface ExploreProgress {
  readonly trials: number;
  /** Kinds of behaviour that were seen. */
  readonly features: number;
  /** Stories that are kept because each showed something new. */
  readonly kept: number;
  readonly failures: number;
}

/** A failure that was found. */
export interface ExploredFailure {
  readonly failure: ScenarioFailure;
  /** The scenario that showed it. */
  readonly text: string;
  /** The trial that found it, from 1. */
  readonly trial: number;
}

/** What an exploration found. */
export interface Explored extends ExploreProgress {
  readonly found: readonly ExploredFailure[];
  readonly seconds: number;
}

/** A story that showed something new. */
interface KeptStory extends Variation {
  /** How often it was varied. */
  picks: number;
}

/** Changes of one trial at most. */
const CHANGES_MAX = 4;

/** Stories longer than this are not varied further: what matters in them is there. */
const ADDED_MAX = 12;

/**
 * Varies a scenario until it fails: causes and texts are added, moved and doubled. Stories that show behaviour not seen
 * before (answers, statuses, sequences of answers, copies, slow answers) are kept, and varied in turn; so a failure that
 * needs several causes is approached cause by cause, wherever the receiver's behaviour shows them.
 */
export async function exploreScenario(options: ExploreOptions): Promise<Explored> {
  const beganMs = performance.now();
  const sound = (text: string): Scenario | undefined => parseScenario(text, { file: options.file, nowMs: 0 }).scenario;
  const tree = writtenTree(options.text);
  const scenario = sound(options.text);
  if (tree === undefined || scenario === undefined) throw new RangeError("the scenario is not sound");
  const { handsets, people, lastsMs } = scenario.cast;
  const cast: StoryCast = storyCast(tree, { handsets, people, lastsMs });
  const draw = new Streams(options.seed).get("explore");
  const seen = new Set<string>();
  const found = new Map<string, ExploredFailure>();
  const kept: KeptStory[] = [{ tree, added: 0, picks: 0 }];
  const folder = mkdtempSync(join(tmpdir(), "handset-explore-"));
  let trials = 0;
  const progress = (): ExploreProgress => ({ trials, features: seen.size, kept: kept.length, failures: found.size });
  const isOver = (): boolean =>
    trials >= options.trials ||
    found.size >= options.failures ||
    performance.now() - beganMs > options.timeLimitMs ||
    options.signal?.aborted === true;
  try {
    let next: Variation = { tree, added: 0 };
    while (!isOver()) {
      const text = writtenYaml(next.tree);
      const one = sound(text);
      if (one !== undefined) {
        trials++;
        const { isNew, failure } = await playOne(one, { options, folder, number: trials, seen });
        if (failure !== undefined && !found.has(failure.fingerprint)) {
          found.set(failure.fingerprint, { failure, text, trial: trials });
        } else if (failure === undefined && isNew && next.added > 0) kept.push({ ...next, picks: 0 });
        options.onTrial?.(progress());
      }
      const from = options.isGuided === false ? undefined : pickStory(kept, draw);
      const base = from ?? { tree, added: 0 };
      // Without guidance, as many changes as a guided story collects.
      const most = options.isGuided === false ? 2 * CHANGES_MAX : CHANGES_MAX;
      next = varyStory(base, draw, cast, draw.int(1, most));
    }
    return { ...progress(), found: [...found.values()], seconds: Math.round((performance.now() - beganMs) / 100) / 10 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playOne(
  scenario: Scenario,
  {
    options: { condition, withReceiver, allowHosts, signal },
    folder,
    number,
    seen,
  }: {
    readonly options: ExploreOptions;
    readonly folder: string;
    readonly number: number;
    readonly seen: Set<string>;
  },
): Promise<{ readonly isNew: boolean; readonly failure: ScenarioFailure | undefined }> {
  let isNew = false;
  const played = await withReceiver((run) =>
    playScenario(scenario, {
      condition,
      folder,
      number,
      run: { ...run, ...(allowHosts && { allowHosts }), ...(signal && { signal }), giveUpAfterMs: 10_000 },
      onRecorded: (path) => {
        for (const feature of featuresOf(path)) {
          if (seen.has(feature)) continue;
          seen.add(feature);
          isNew = true;
        }
      },
    }),
  );
  return { isNew, failure: played.outcome === "fails" ? played.failure : undefined };
}

/** A story that was varied seldom, or late ones rather than early ones: those are further on the way. */
function pickStory(kept: readonly KeptStory[], draw: Stream): KeptStory | undefined {
  const able = kept.filter(({ added }) => added <= ADDED_MAX);
  const weights = able.map(({ picks }, place) => (1 + (3 * place) / able.length) / (1 + picks));
  let left = draw.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [place, story] of able.entries()) {
    left -= weights[place] ?? 0;
    if (left > 0) continue;
    story.picks++;
    return story;
  }
  return able.at(-1);
}
