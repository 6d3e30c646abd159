import { useRef, useState } from "preact/hooks";
import type { StoryView } from "../../protocol/index.js";
import { moment } from "../connection/moment.js";
import { readyPast } from "../connection/past-state.js";
import { lab } from "../connection/state.js";
import { formatElapsed, formatInstant } from "../format/index.js";
import { goToMoment } from "../time/past.js";
import { lookAtPast } from "../time/time-bar.jsx";
import { aimAt, aimByKey, endOf, placeOf, type ShownBeat } from "./beats.js";
import { asking, jumpToTime, playBeat } from "./story-actions.js";
import "./story-track.css";

/** Largest distance between pointer and beat for a hit, in pixels. */
const CATCH_PX = 10;

/**
 * The scenario's time as a line with its beats, notes and one playhead. The playhead can be dragged, or moved with keys:
 * to the right it plays to there, to the left it shows the past.
 */
export function StoryTrack({
  view,
  beats,
  nowMs,
  hasLabels,
}: {
  readonly view: StoryView;
  readonly beats: readonly ShownBeat[];
  readonly nowMs: number;
  /** Whether the beats have their names under the line. */
  readonly hasLabels: boolean;
}) {
  const track = useRef<HTMLDivElement>(null);
  /** Where the playhead is held, before it is released. */
  const [aimMs, setAim] = useState<number>();
  const endMs = endOf(view);
  const frame = lab.value;
  const at = (ms: number): string => (frame === undefined ? formatElapsed(ms) : formatInstant(ms, frame, "minute"));
  const percent = (place: number): string => `${(100 * place).toFixed(2)}%`;
  const shownMs = aimMs ?? nowMs;
  const aimed = beats.find(({ atMs }) => atMs === aimMs);
  const isBusy = view.jump !== null || asking.value !== undefined;
  const release = (): void => {
    if (aimMs === undefined) return;
    setAim(undefined);
    go(aimMs, nowMs, aimed?.name);
  };
  const aimByPointer = (event: PointerEvent): void => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    setAim(aimAt(beats, share * endMs, (CATCH_PX / box.width) * endMs));
  };
  return (
    <div class="story-track">
      <div
        ref={track}
        class="story-track-line"
        role="slider"
        tabIndex={0}
        aria-label="Time of the scenario"
        aria-valuemin={0}
        aria-valuemax={Math.round(endMs)}
        aria-valuenow={Math.round(Math.min(shownMs, endMs))}
        aria-valuetext={`${at(shownMs)}${aimed === undefined ? "" : `, ${aimed.name}`}, of ${at(0)} to ${at(endMs)}`}
        aria-disabled={isBusy}
        title={
          isBusy
            ? undefined
            : "Drag: to the right plays to there, to the left shows the past. Keys: arrows, then Enter."
        }
        onPointerDown={(event) => {
          if (event.button !== 0 || isBusy) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          aimByPointer(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) aimByPointer(event);
        }}
        onPointerUp={release}
        onPointerCancel={() => setAim(undefined)}
        onBlur={() => setAim(undefined)}
        onKeyDown={(event) => {
          if (isBusy) return;
          const to = aimByKey(event.key, beats, shownMs, endMs);
          if (to !== undefined) setAim(to);
          else if (event.key === "Enter" && aimMs !== undefined) release();
          else if (event.key === "Escape" && aimMs !== undefined) setAim(undefined);
          else return;
          event.preventDefault();
        }}
      >
        <span class="story-track-done" style={{ inlineSize: percent(placeOf(nowMs, endMs)) }} />
        {view.jump !== null && (
          <span
            class="story-track-jump"
            style={{
              insetInlineStart: percent(placeOf(nowMs, endMs)),
              inlineSize: percent(Math.max(0, placeOf(view.jump.toMs, endMs) - placeOf(nowMs, endMs))),
            }}
          />
        )}
        {view.notes.map(({ atMs, text }, index) => (
          <span
            key={index}
            class="story-track-note"
            style={{ insetInlineStart: percent(placeOf(atMs, endMs)) }}
            title={text}
          />
        ))}
        {beats.map(({ name, place, state, atMs }) => (
          <span
            key={name}
            class={`story-track-beat story-track-beat-${state}`}
            style={{ insetInlineStart: percent(place) }}
            title={`${at(atMs)} ${name}`}
          />
        ))}
        <span
          class={`story-track-head${aimMs === undefined ? "" : " story-track-head-held"}`}
          style={{ insetInlineStart: percent(placeOf(shownMs, endMs)) }}
        >
          {aimMs !== undefined && (
            <span class="story-track-aim design-number">
              {at(aimMs)} {aimed?.name}
            </span>
          )}
        </span>
      </div>
      {hasLabels && (
        // For the pointer: keys and screen readers have the line.
        <div class="story-track-labels" aria-hidden="true">
          {beats.map(({ name, place, state, atMs }, index) => (
            <span
              key={name}
              onClick={() => {
                if (!isBusy) go(atMs, nowMs, name);
              }}
              class={`story-track-label story-track-label-${state}`}
              style={{
                insetInlineStart: percent(place),
                maxInlineSize: percent((beats[index + 1]?.place ?? 1) - place),
              }}
            >
              <span class="design-number">{at(atMs)}</span>
              <span class="story-track-label-name">{name}</span>
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

/** Plays on to an instant, or shows the past at it. */
function go(toMs: number, nowMs: number, beat: string | undefined): void {
  const isInPast = moment.peek() !== undefined;
  if (isInPast && toMs <= (readyPast()?.untilMs ?? 0)) goToMoment(toMs);
  else if (isInPast) return;
  else if (toMs > nowMs) void (beat === undefined ? jumpToTime(toMs) : playBeat(beat));
  else if (lab.peek()?.hasPast === true) lookAtPast(toMs);
}
