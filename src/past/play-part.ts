import { LabError, type OnProgress } from "../base/index.js";
import type { HandsetDetails } from "../console/index.js";
import { handsetDetails } from "../control/index.js";
import type { RecordingReader } from "../store/index.js";
import { formatTimestampZoned } from "../wire/index.js";
import type { Part } from "../world/index.js";
import { askedPart, mayBeParted, smallestPart } from "./asked-part.js";
import { advancePast } from "./advance-past.js";
import type { EventDifference } from "./event-difference.js";
import { PastLab } from "./past-lab.js";
import type { PastPlan, SessionPlan } from "./past-plan.js";

/** The state of handsets at an instant. */
export interface PlayedHandsets {
  readonly atMs: number;
  /** Events up to there that are as recorded. */
  readonly events: number;
  /** The first event that is not; absent or null: all are. */
  readonly difference?: EventDifference | null;
  readonly handsets: readonly HandsetDetails[];
  /** The part of the fleet that was played; undefined: the whole. */
  readonly part?: Part;
}

/** What to play up to which instant. */
export interface PartPlay {
  readonly reader: RecordingReader;
  readonly plan: PastPlan;
  readonly atMs: number;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Plays only the part of the fleet that has all wanted handsets. Undefined: the whole must be played, because its parts are
 * not independent, or because something is not as recorded.
 *
 * @param channels - of the wanted handsets
 */
export async function playPartOf(play: PartPlay, channels: ReadonlySet<number>): Promise<PlayedHandsets | undefined> {
  const { reader, plan, atMs } = play;
  // At the end all events are compared, to confirm the digest.
  if (atMs >= plan.untilMs) return undefined;
  const part = smallestPart(plan, channels);
  if (part === undefined || !mayBeParted(reader, plan, { count: part.count, atMs })) return undefined;
  return playPart(play, { part, channels });
}

/** Undefined: its events are not those of the whole. */
async function playPart(
  { reader, plan, atMs, onProgress }: PartPlay,
  { part, channels }: { readonly part: Part; readonly channels: ReadonlySet<number> },
): Promise<PlayedHandsets | undefined> {
  const asked = askedPart(reader, plan, part);
  let differs = false;
  const past = await PastLab.create({
    reader,
    plan,
    session: plan.sessions[0] as SessionPlan, // a fleet that can be parted has one session
    base: undefined,
    asked,
    bytes: reader.bytes,
    keepsRows: false,
    onDifference: () => (differs = true),
    pause: () => undefined,
  });
  try {
    await advancePast(past, { untilMs: atMs, atMs, mayGoOn: () => !differs, onProgress });
    const next = asked.events.eventAt(past.lastEventRow + 1);
    const isMissed = next !== undefined && next.atMs <= atMs;
    if (differs || isMissed || past.lab.crossing !== undefined) return undefined;
    const { startsAtMs } = reader.meta();
    const at = (ms: number): string => formatTimestampZoned(startsAtMs + ms);
    return {
      atMs: past.atMs,
      events: past.lastEventRow,
      part,
      handsets: Array.from(channels, (channel) => handsetDetails(past.lab, channel, at)),
    };
  } catch (error) {
    if (error instanceof LabError && error.code === "recording-differs") return undefined;
    throw error;
  } finally {
    await past.close();
  }
}
