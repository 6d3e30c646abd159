import type { StoryView } from "../../protocol/index.js";
import { lab } from "../connection/state.js";
import { formatElapsed, formatInstant } from "../format/index.js";
import { endOf, placeOf } from "./beats.js";

/** Fraction of the line at each end in which the present's label would cover the end's label. */
const NEAR = 0.08;
/** The same on a narrow screen. */
const NEAR_NARROW = 0.22;

/** The times under the track: start, present, end. */
export function TrackEnds({ view, nowMs }: { readonly view: StoryView; readonly nowMs: number }) {
  const frame = lab.value;
  const at = (ms: number): string => (frame === undefined ? formatElapsed(ms) : formatInstant(ms, frame, "minute"));
  const done = placeOf(nowMs, endOf(view));
  return (
    <div class="story-line-ends design-aside design-number">
      <span class={done > NEAR_NARROW ? "" : "story-line-wide"}>{done > NEAR && at(0)}</span>
      <span class="story-line-now" style={{ left: `${(100 * Math.min(0.97, Math.max(0.03, done))).toFixed(2)}%` }}>
        {at(nowMs)}
      </span>
      <span class={done < 1 - NEAR_NARROW ? "" : "story-line-wide"}>
        {view.lastsMs !== null && done < 1 - NEAR && at(view.lastsMs)}
      </span>
    </div>
  );
}
