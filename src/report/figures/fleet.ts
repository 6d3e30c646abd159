import type { RecordingReader } from "../../store/index.js";
import type { Figures } from "./figures.js";

/** Most groups in the charts: those with the most handsets. */
const GROUPS_MAX = 12;

interface Group {
  readonly name: string;
  readonly handsets: number;
  readonly waiting: number[];
  readonly offline: number[];
  readonly down: number[];
  readonly batteryMean: number[];
  readonly batteryMin: number[];
}

/** The samples of the fleet, as a series for each group. @param place - converts a sample's time to the axis' clock */
export function fleetOf(
  recording: RecordingReader,
  place: (sample: { readonly atMs: number; readonly wallMs: number }) => number,
): Figures["fleet"] {
  const atMs: number[] = [];
  const groups = new Map<string, Group>();
  let last: number | undefined;
  for (const sample of recording.samples()) {
    if (sample.atMs !== last) atMs.push(place(sample));
    last = sample.atMs;
    let group = groups.get(sample.name);
    if (group === undefined) {
      const { name, handsets } = sample;
      group = { name, handsets, waiting: [], offline: [], down: [], batteryMean: [], batteryMin: [] };
      groups.set(name, group);
    }
    group.waiting.push(sample.waiting);
    group.offline.push(sample.offline);
    group.down.push(sample.down);
    group.batteryMean.push(Math.round(sample.batteryMean * 10) / 10);
    group.batteryMin.push(Math.round(sample.batteryMin * 10) / 10);
  }
  const largest = [...groups.values()].toSorted((a, b) => b.handsets - a.handsets).slice(0, GROUPS_MAX);
  return { atMs, groups: largest };
}
