import { LabError, type OnProgress } from "../base/index.js";
import type { HandsetDetails } from "../console/index.js";
import { handsetDetails } from "../control/index.js";
import { RecordedCast, virtualTimeOf } from "../inspect/index.js";
import { digestOfRecording, type InsertedEvent, openRecording, type RecordingReader } from "../store/index.js";
import { formatTimestampZoned } from "../wire/index.js";
import { advancePast } from "./advance-past.js";
import type { EventDifference } from "./event-difference.js";
import { PastLab } from "./past-lab.js";
import { type PastPlan, planPast, sessionAt } from "./past-plan.js";
import { type PartPlay, type PlayedHandsets, playPartOf } from "./play-part.js";

/** What `resimulate` plays and shows. */
export interface ResimulateOptions {
  /** Virtual time (`1h23m`, `1:23:00`) or an instant with its zone; default: the end. */
  readonly at?: string | undefined;
  /** Selectors or numbers of the handsets to show; default: all. */
  readonly of?: readonly string[] | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** A recorded run that was played again from its inputs, without a receiver. Plain JSON. */
export interface Resimulation {
  /** The scenario's name. */
  readonly name: string;
  /** The instant in virtual milliseconds, and as a timestamp. */
  readonly atMs: number;
  readonly at: string;
  /** Events up to the instant that are the same as the recorded ones, to the byte. */
  readonly events: number;
  /** The part of the fleet that was played, `4/40`, because it has all chosen handsets; null: the whole. */
  readonly part: string | null;
  /** The recorded digest, confirmed by the events; null: the instant is before the end, or the run has no digest. */
  readonly digest: string | null;
  /** The first event that is not as recorded; the state is that of the instant before. Null: there is none. */
  readonly difference: EventDifference | null;
  /** Why the run cannot be played to its end, in a sentence; null: it can. */
  readonly endsBecause: string | null;
  readonly handsets: readonly HandsetDetails[];
}

/**
 * Plays a recorded run again from its recorded inputs up to an instant, compares each event with the recorded one, and
 * reads the state of its handsets.
 *
 * @throws LabError `bad-options` for a time or a handset that the recording does not have, `not-replayable` when it lacks what
 *   a replay needs; StoreError if it cannot be read
 */
export async function resimulate(path: string, options: ResimulateOptions = {}): Promise<Resimulation> {
  const reader = openRecording(path);
  try {
    const plan = planPast(reader, path, { bytes: reader.bytes });
    if ("why" in plan) throw new LabError("not-replayable", `${path} cannot be played again: ${plan.why}`);
    const { startsAtMs, name } = { ...reader.meta(), name: plan.ownScenario.name };
    const atMs = options.at === undefined ? plan.untilMs : virtualTimeOf("--at", options.at, startsAtMs);
    refuseLater(atMs, plan, options.at);
    const channels = options.of === undefined ? undefined : new RecordedCast(reader).channelsOf("--of", options.of);
    const play = { reader, plan, atMs, onProgress: options.onProgress };
    const played = (channels && (await playPartOf(play, channels))) ?? (await playWhole(play, channels));
    const { events, difference = null } = played;
    const isWhole = atMs >= plan.untilMs && plan.untilWhy === undefined && difference === null;
    return {
      name,
      atMs: played.atMs,
      at: formatTimestampZoned(startsAtMs + played.atMs),
      events,
      part: played.part === undefined ? null : `${played.part.index}/${played.part.count}`,
      digest: isWhole ? confirmedDigest(reader) : null,
      difference,
      endsBecause: plan.untilWhy ?? null,
      handsets: played.handsets,
    };
  } finally {
    reader.close();
  }
}

/** Plays the whole fleet. @param channels - of the handsets to read; undefined: all */
async function playWhole(play: PartPlay, channels: ReadonlySet<number> | undefined): Promise<PlayedHandsets> {
  const { past, difference, events } = await playTo(play);
  try {
    const { startsAtMs } = play.reader.meta();
    const at = (ms: number): string => formatTimestampZoned(startsAtMs + ms);
    const { handsetCount } = past.lab.world.population;
    const read = channels ?? Array.from({ length: handsetCount }, (_, index) => index + 1);
    const handsets = Array.from(read, (channel) => handsetDetails(past.lab, channel, at));
    return { atMs: past.atMs, events, difference, handsets };
  } finally {
    await past.close();
  }
}

function refuseLater(atMs: number, { untilMs, untilWhy }: PastPlan, text: string | undefined): void {
  if (atMs >= 0 && atMs <= untilMs) return;
  const why = untilWhy ?? "The run ended then.";
  throw new LabError("bad-options", `--at: ${text} is not within the run`, {
    hint: `write a time from 0s to ${Math.floor(untilMs / 1000)}s. ${why}`,
  });
}

interface Played {
  readonly past: PastLab;
  readonly difference: EventDifference | null;
  readonly events: number;
}

/** Plays session after session up to the one of the instant. */
async function playTo({ reader, plan, atMs, onProgress }: PartPlay): Promise<Played> {
  const wanted = sessionAt(plan, atMs);
  let base: Uint8Array | undefined;
  let differs: InsertedEvent | undefined;
  for (const session of plan.sessions) {
    const past = await PastLab.create({
      reader,
      plan,
      session,
      base,
      bytes: reader.bytes,
      keepsRows: false,
      onDifference: (event) => (differs ??= event),
      pause: () => undefined,
    });
    try {
      const untilMs = Math.min(atMs, session.untilMs);
      await advancePast(past, { untilMs, atMs, mayGoOn: () => differs === undefined, onProgress });
      if (session === wanted || differs !== undefined) {
        const difference = differenceOf(reader, past, { differs, atMs });
        return { past, difference, events: difference === null ? past.lastEventRow : past.lastEventRow - 1 };
      }
      base = past.snapshot();
    } catch (error) {
      await past.close();
      throw error;
    }
    await past.close();
  }
  throw new Error("a plan has the session of each of its instants");
}

function differenceOf(
  reader: RecordingReader,
  past: PastLab,
  { differs, atMs }: { readonly differs: InsertedEvent | undefined; readonly atMs: number },
): EventDifference | null {
  const recorded = reader.eventAt(differs?.row ?? past.lastEventRow + 1);
  const shown = differs ?? recorded;
  if (shown === undefined || (differs === undefined && shown.atMs > atMs)) return null;
  return {
    atMs: shown.atMs,
    id: `${shown.channel}/${shown.number}`,
    recorded: recorded?.body ?? null,
    now: differs?.body ?? null,
  };
}

/** The recorded digest, if it is that of the recorded events. */
function confirmedDigest(reader: RecordingReader): string | null {
  const digest = reader.end()?.digest;
  return digest !== undefined && digest === digestOfRecording(reader) ? digest : null;
}
