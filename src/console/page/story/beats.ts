import { BEFORE_BEAT_MS, type StoryBeat, type StoryView } from "../../protocol/index.js";

/** `past`: over; `now`: the last one that has begun; `next`: the first that has not; `later`: the others. */
export type BeatState = "past" | "now" | "next" | "later";

export interface ShownBeat extends StoryBeat {
  readonly state: BeatState;
  /** 0..1: its place on the line from the start to the end of the scenario. */
  readonly place: number;
}

/** The states of the beats at a virtual time. A jump ends just before a beat, which then counts as begun. */
export function beatsAt({ beats, lastsMs }: Pick<StoryView, "beats" | "lastsMs">, nowMs: number): ShownBeat[] {
  const begun = beats.filter(({ atMs }) => atMs - BEFORE_BEAT_MS <= nowMs).length;
  const endMs = endOf({ beats, lastsMs });
  return beats.map((beat, index) => ({
    ...beat,
    state: index < begun - 1 ? "past" : index === begun - 1 ? "now" : index === begun ? "next" : "later",
    place: placeOf(beat.atMs, endMs),
  }));
}

/** The end of the line: the scenario's end, or the last beat. */
export function endOf({ beats, lastsMs }: Pick<StoryView, "beats" | "lastsMs">): number {
  return lastsMs ?? Math.max(3_600_000, ...beats.map(({ atMs }) => atMs * 1.1));
}

/** A place on the line, 0..1. */
export function placeOf(atMs: number, endMs: number): number {
  return endMs <= 0 ? 0 : Math.min(1, Math.max(0, atMs / endMs));
}

/** What a strip says about the shown instant: `Paused` `The storm`. */
export interface StoryMoment {
  readonly label: string;
  /** The beat, or the target of a jump; undefined: a jump to a time. */
  readonly name: string | undefined;
}

/** Undefined: before the first beat, where the next one is all there is to say. */
export function storyMoment(
  view: Pick<StoryView, "name" | "beats" | "lastsMs" | "state" | "jump">,
  { nowMs, isPaused, isInPast }: { readonly nowMs: number; readonly isPaused: boolean; readonly isInPast: boolean },
): StoryMoment | undefined {
  if (view.jump !== null) return { label: "Going to", name: view.jump.beat ?? undefined };
  if (!isInPast && view.state !== "playing") {
    return { label: view.state === "over" ? "Over" : "Stopped", name: view.name };
  }
  const current = beatsAt(view, nowMs).find(({ state }) => state === "now");
  if (current === undefined) return undefined;
  return { label: isInPast ? "Then" : isPaused ? "Paused" : "Now", name: current.name };
}

/** How far a jump has come, 0..1. */
export function jumpProgress(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  nowMs: number,
): number {
  return toMs <= fromMs ? 1 : Math.min(1, Math.max(0, (nowMs - fromMs) / (toMs - fromMs)));
}

/** The instant that a pointer at `atMs` means: a beat within a distance, else a whole minute or second. */
export function aimAt(beats: readonly StoryBeat[], atMs: number, withinMs: number): number {
  const near = beats.reduce<StoryBeat | undefined>((best, beat) => {
    const distance = Math.abs(beat.atMs - atMs);
    return distance > withinMs || (best !== undefined && distance >= Math.abs(best.atMs - atMs)) ? best : beat;
  }, undefined);
  const roundMs = withinMs > 60_000 ? 60_000 : 1000;
  return near?.atMs ?? Math.round(atMs / roundMs) * roundMs;
}

/** The instant of a key on the line: arrows go from beat to beat. Undefined: another key. */
export function aimByKey(key: string, beats: readonly StoryBeat[], fromMs: number, endMs: number): number | undefined {
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return beats.find(({ atMs }) => atMs > fromMs)?.atMs ?? endMs;
    case "ArrowLeft":
    case "ArrowDown":
      return beats.findLast(({ atMs }) => atMs < fromMs)?.atMs ?? 0;
    case "Home":
      return 0;
    case "End":
      return endMs;
    default:
      return undefined;
  }
}
