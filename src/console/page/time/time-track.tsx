import { useMemo, useRef, useState } from "preact/hooks";
import type { PastMark, ReadyPast } from "../../protocol/index.js";
import { formatInstant, showWithin, type TimeFrame } from "../format/index.js";
import { barsPath, keyStepMs, markUnder, TRACK_HEIGHT, TRACK_WIDTH } from "./track.js";

/** The track with density, marks and handle. */
export function TimeTrack({
  past,
  atMs,
  frame,
  onGo,
}: {
  readonly past: ReadyPast;
  readonly atMs: number;
  readonly frame: TimeFrame;
  readonly onGo: (atMs: number) => void;
}) {
  const { fromMs, untilMs, marks, density } = past;
  const track = useRef<HTMLDivElement>(null);
  const [hoverMs, setHover] = useState<number>();
  const spanMs = Math.max(1, untilMs - fromMs);
  const bars = useMemo(() => {
    const most = Math.max(1, ...density.events);
    return { events: barsPath(density.events, most), failures: barsPath(density.failures, most) };
  }, [density]);
  const share = (ms: number): number => Math.min(1, Math.max(0, (ms - fromMs) / spanMs));
  const instantAt = (event: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return atMs;
    return fromMs + Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * spanMs;
  };
  const markAt = (ms: number): PastMark | undefined => markUnder(past, ms, track.current?.clientWidth ?? 0);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = keyTarget(event, { atMs, fromMs, untilMs });
    if (to === undefined) return;
    event.preventDefault();
    onGo(to);
  };
  const hovered = hoverMs === undefined ? undefined : markAt(hoverMs);
  const prepared = past.isComplete ? 1 : share(past.frames.at(-1) ?? fromMs);
  return (
    <div
      class="time-track"
      ref={track}
      role="slider"
      tabIndex={0}
      aria-label="Moment"
      aria-valuemin={fromMs}
      aria-valuemax={untilMs}
      aria-valuenow={atMs}
      aria-valuetext={formatInstant(atMs, frame, "moment")}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const ms = instantAt(event);
        onGo(markAt(ms)?.atMs ?? ms);
      }}
      onPointerMove={(event) => {
        const ms = instantAt(event);
        setHover(ms);
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onGo(ms);
      }}
      onPointerLeave={() => setHover(undefined)}
    >
      <svg
        class="time-drawing"
        viewBox={`0 0 ${TRACK_WIDTH} ${TRACK_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path class="time-events" d={bars.events} />
        <path class="time-failures" d={bars.failures} />
      </svg>
      {prepared < 1 && <div class="time-prepared" style={{ inlineSize: `${100 * (1 - prepared)}%` }} />}
      {past.differsAtMs !== null && (
        <div class="time-differs" style={{ insetInlineStart: `${100 * share(past.differsAtMs)}%` }} />
      )}
      {marks.map((mark, index) => (
        <span
          key={index}
          class={`time-mark time-mark-${mark.kind}`}
          style={{ insetInlineStart: `${100 * share(mark.atMs)}%` }}
        />
      ))}
      <div class="time-handle" style={{ insetInlineStart: `${100 * share(atMs)}%` }} />
      {hoverMs !== undefined && (
        <div
          class={`time-hover${share(hoverMs) > 0.7 ? " time-hover-left" : ""}`}
          style={{ insetInlineStart: `${100 * share(hovered?.atMs ?? hoverMs)}%` }}
        >
          <span class="design-number">
            {formatInstant(hovered?.atMs ?? hoverMs, frame, showWithin(fromMs, untilMs, frame))}
          </span>
          {hovered !== undefined && <span class="design-cut">{textOf(hovered)}</span>}
        </div>
      )}
    </div>
  );
}

function textOf({ text, count }: PastMark): string {
  return count > 1 ? `${text} and ${count - 1} more` : text;
}

function keyTarget(
  { key, shiftKey }: KeyboardEvent,
  { atMs, fromMs, untilMs }: { readonly atMs: number; readonly fromMs: number; readonly untilMs: number },
): number | undefined {
  const stepMs = shiftKey ? 1000 : keyStepMs(untilMs - fromMs);
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return atMs - stepMs;
    case "ArrowRight":
    case "ArrowUp":
      return atMs + stepMs;
    case "PageDown":
      return atMs - 10 * stepMs;
    case "PageUp":
      return atMs + 10 * stepMs;
    case "Home":
      return fromMs;
    case "End":
      return untilMs;
    default:
      return undefined;
  }
}
