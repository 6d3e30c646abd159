import type { Observation } from "../../expect/index.js";
import type { CommonStart, RunResult } from "../../report/index.js";
import type { Scenario } from "../../scenario/index.js";
import { Streams } from "../../sim/index.js";
import type { RecordingReader } from "../../store/index.js";
import { type Part, Parts } from "../../world/index.js";
import { exitCodeOf, type RunParts } from "../result.js";
import type { FoundPart } from "./found-part.js";
import { partText } from "./part-option.js";

/** Key under which a part's recording keeps its `PartRecord`. */
export const PART_KEY = "part";

/** Facts about a part that the whole fleet's result needs in addition to the part's tables and result. Plain JSON. */
export interface PartRecord {
  readonly shard: Part;
  readonly sightings: readonly Observation[];
  readonly hadConnection: boolean;
  readonly hasGivenUp: boolean;
  readonly wasStopped: boolean;
  /** Faults of the environment, in sentences. */
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
  readonly crossing: string | null;
  /** See `receiverStepsOf`. Absent in records of older versions. */
  readonly receiverSteps?: number;
}

/** The record of a part that has ended. */
export function recordOfPart({ totals, delivery, failures, receiverSteps }: RunParts, shard: Part): PartRecord {
  return {
    shard: { index: shard.index, count: shard.count },
    sightings: totals.observations,
    hadConnection: delivery.hadConnection,
    hasGivenUp: totals.hasGivenUp,
    wasStopped: totals.wasStopped,
    failures,
    warnings: totals.warnings,
    crossing: totals.crossing ?? null,
    receiverSteps,
  };
}

/** The record in a part's recording; undefined when the recording is not of a part, or the part has not ended. */
export function readPart(recording: RecordingReader): PartRecord | undefined {
  const json = recording.kept(PART_KEY);
  return json === undefined ? undefined : (JSON.parse(json) as PartRecord);
}

/**
 * The result and exit code of a part. It has no expectations: they are about the whole, so `handset merge` judges them.
 */
export function resultOfPart(
  result: RunResult,
  parts: RunParts,
  { shard, start }: { readonly shard: FoundPart; readonly start: CommonStart | undefined },
): { readonly result: RunResult; readonly exitCode: 0 | 1 | 3 } {
  const { crossing } = parts.totals;
  const cast = castOf(parts.scenario, shard);
  const own: RunResult = {
    ...result,
    shard: partText(shard),
    ...(start !== undefined && { start }),
    ...(shard.foundBy !== undefined && { shardFoundBy: shard.foundBy }),
    cast,
    expectations: [],
    problems: crossing === undefined ? result.problems : [...result.problems, crossing],
    warnings: [
      ...(cast.handsets === 0 ? ["there are more parts than handsets: this one has none"] : []),
      `this is part ${shard.index} of ${shard.count}` +
        (result.expectations.length === 0 ? "" : ": 'handset merge' judges the scenario's expectations"),
      ...(result.warnings ?? []),
    ],
  };
  const exitCode = exitCodeOf(own, parts);
  return { result: own, exitCode: crossing === undefined ? exitCode : exitCode === 0 ? 1 : exitCode };
}

function castOf({ cast, seed }: Scenario, shard: Part): { handsets: number; people: number } {
  const parts = new Parts({ cast, count: shard.count, streams: new Streams(seed) });
  let people = 0;
  for (let person = 0; person < parts.people.count; person++) if (parts.ofPerson(person) === shard.index) people++;
  return { handsets: parts.rangesOf(shard.index).reduce((sum, { count }) => sum + count, 0), people };
}
