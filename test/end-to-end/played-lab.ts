import { Lab } from "../../src/lab/lab.js";
import { prepareScenarioFakes } from "../../src/lab/fakes.js";
import type { RunTotals } from "../../src/lab/run-totals.js";
import { Recording } from "../../src/store/index.js";
import type { HandsetView } from "../../src/world/index.js";
import { parse } from "./support.js";

/** The state of phones at the end of a scenario, by name, and what the run has counted. */
export interface PlayedLab {
  readonly phones: ReadonlyMap<string, HandsetView>;
  readonly totals: RunTotals;
  readonly notes: readonly { readonly atMs: number; readonly text: string }[];
}

/** Plays a scenario in lockstep without a receiver. @param shard - the part of a fleet; default: the whole */
export async function playToEnd(
  text: string,
  { shard }: { readonly shard?: { readonly index: number; readonly count: number } } = {},
): Promise<PlayedLab> {
  const scenario = parse(text);
  const recording = Recording.create(
    ":memory:",
    {
      name: scenario.name,
      seed: scenario.seed,
      version: "0",
      scenario: scenario.source,
      startsAtMs: scenario.cast.startsAtMs,
      lastsMs: scenario.cast.lastsMs,
      preset: scenario.service,
      startedWallMs: 0,
      options: {},
    },
    { overwrite: false },
  );
  try {
    const lab = new Lab({
      scenario,
      recording,
      url: "http://receiver/events",
      sender: undefined,
      pace: { kind: "lockstep", lookaheadMs: scenario.lookaheadMs },
      fakes: await prepareScenarioFakes(scenario),
      giveUpAfterMs: Infinity,
      part: shard,
    });
    const totals = await lab.play();
    const { world } = lab;
    const phones = new Map(
      world.channels().map((channel) => [world.handset(channel).selector, world.inspectHandset(channel)]),
    );
    return { phones, totals, notes: [...recording.reader().notes()] };
  } finally {
    recording.close();
  }
}
