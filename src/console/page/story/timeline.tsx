import type { StoryView } from "../../protocol/index.js";
import { lab } from "../connection/state.js";
import { formatElapsed, formatInstant } from "../format/index.js";
import { endOf, placeOf, type ShownBeat } from "./beats.js";

/** Fraction of the line at each end in which the present's label would cover the end's label. */
const NEAR = 0.08;
/** The same on a narrow screen. */
const NEAR_NARROW = 0.22;

/** The scenario's time as a line: progress, beats, notes, and a current jump. */
export function Timeline({
  view,
  beats,
  nowMs,
}: {
  readonly view: StoryView;
  readonly beats: readonly ShownBeat[];
  readonly nowMs: number;
}) {
  const endMs = endOf(view);
  const frame = lab.value;
  const at = (ms: number): string => (frame === undefined ? formatElapsed(ms) : formatInstant(ms, frame, "minute"));
  const percent = (place: number): string => `${(100 * place).toFixed(2)}%`;
  const done = placeOf(nowMs, endMs);
  return (
    <div class="story-line">
      <div
        class="story-line-track"
        role="progressbar"
        aria-label="Time of the scenario"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * done)}
        aria-valuetext={`${at(nowMs)}, of ${at(0)} to ${at(endMs)}`}
      >
        <span class="story-line-done" style={{ width: percent(done) }} />
        {view.jump !== null && (
          <span
            class="story-line-jump"
            style={{ left: percent(done), width: percent(Math.max(0, placeOf(view.jump.toMs, endMs) - done)) }}
          />
        )}
        {view.notes.map(({ atMs, text }, index) => (
          <span key={index} class="story-line-note" style={{ left: percent(placeOf(atMs, endMs)) }} title={text} />
        ))}
        {beats.map(({ name, place, state, atMs }) => (
          <span
            key={name}
            class={`story-line-beat story-line-beat-${state}`}
            style={{ left: percent(place) }}
            title={`${at(atMs)} ${name}`}
          />
        ))}
      </div>
      <div class="story-line-ends design-aside design-number">
        <span class={done > NEAR_NARROW ? "" : "story-line-wide"}>{done > NEAR && at(0)}</span>
        <span class="story-line-now" style={{ left: percent(Math.min(0.97, Math.max(0.03, done))) }}>
          {at(nowMs)}
        </span>
        <span class={done < 1 - NEAR_NARROW ? "" : "story-line-wide"}>
          {view.lastsMs !== null && done < 1 - NEAR && at(view.lastsMs)}
        </span>
      </div>
    </div>
  );
}
