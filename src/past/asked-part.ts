import { LabError } from "../base/index.js";
import { refuseCrossings } from "../lab/index.js";
import { Streams } from "../sim/index.js";
import type { RecordingReader } from "../store/index.js";
import { type Part, Parts } from "../world/index.js";
import type { PastPlan } from "./past-plan.js";

/** A part of the recorded fleet, to play it alone: in lockstep it makes the same events as the whole. */
export interface AskedPart {
  readonly part: Part;
  /** Its channels. */
  readonly channels: ReadonlySet<number>;
  /** Its recorded events, numbered from 1 as the part's lab numbers them. */
  readonly events: Pick<RecordingReader, "eventAt">;
}

/** Upper bound of parts, as for `--shard`. */
const PARTS_MAX = 10_000;

/**
 * The largest number of parts in which all wanted handsets are in one, and this part; undefined: only the whole has all of
 * them.
 *
 * @param channels - of the wanted handsets
 */
export function smallestPart(plan: PastPlan, channels: ReadonlySet<number>): Part | undefined {
  const { cast, seed } = plan.scenario;
  for (let count = Math.min(handsetCount(plan), PARTS_MAX); count >= 2; count = Math.floor(count / 2)) {
    const parts = new Parts({ cast, count, streams: new Streams(seed) });
    const [index, ...others] = new Set(Array.from(channels, (channel) => parts.ofHandset(channel - 1)));
    if (index !== undefined && others.length === 0) return { index, count };
  }
  return undefined;
}

function handsetCount({ scenario }: PastPlan): number {
  return scenario.cast.handsets.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Whether each of several parts of the fleet may be played alone up to an instant: no phones, people or inputs act across
 * parts.
 */
export function mayBeParted(
  reader: RecordingReader,
  plan: PastPlan,
  { count, atMs }: { readonly count: number; readonly atMs: number },
): boolean {
  const { scenario, pace, part, sessions } = plan;
  const [session] = sessions;
  if (sessions.length !== 1 || session === undefined || session.facts.isServed || session.facts.hasAccount)
    return false;
  if (pace.kind !== "lockstep" || part !== undefined) return false;
  // The drain and an early end depend on all phones.
  if (atMs >= Math.min(scenario.cast.lastsMs, session.end?.atMs ?? Infinity)) return false;
  const tables = ["input", "flow_call", "resthook_attempt"] as const;
  if (tables.some((table) => reader.lastRowOf(table) > 0)) return false;
  try {
    // The answers are recorded, so it does not matter that all parts had one receiver.
    refuseCrossings(scenario, { count, hasReceiver: session.facts.url !== null, isReceiverShared: false });
    return true;
  } catch (error) {
    if (error instanceof LabError && error.code === "crosses-parts") return false;
    throw error;
  }
}

/** What a lab needs to play a part alone. */
export function askedPart(reader: RecordingReader, { scenario }: PastPlan, part: Part): AskedPart {
  const { cast, seed } = scenario;
  const parts = new Parts({ cast, count: part.count, streams: new Streams(seed) });
  const channels = new Set(
    parts
      .rangesOf(part.index)
      .flatMap(({ firstPlace, count }) => Array.from({ length: count }, (_, member) => firstPlace + member + 1)),
  );
  return { part, channels, events: numbered(reader.eventsOfChannels(channels)) };
}

type NumberedEvent = NonNullable<ReturnType<RecordingReader["eventAt"]>>;

/** Events by their number in the list. It is read once: an earlier event than the last one is gone. */
function numbered(events: Generator<NumberedEvent>): Pick<RecordingReader, "eventAt"> {
  let current: NumberedEvent | undefined;
  let at = 0;
  return {
    eventAt: (row) => {
      for (; at < row; at++) {
        const next = events.next();
        current = next.done === true ? undefined : next.value;
      }
      return at === row ? current : undefined;
    },
  };
}
