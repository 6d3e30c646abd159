import { BeatBar } from "../story/beat-bar.jsx";
import { ClockControl } from "./clock-control.jsx";
import { LiveTotals } from "./live-totals.jsx";
import "./status-bar.css";

/** The page's second line: the clock and what the lab does right now. */
export function StatusBar() {
  return (
    <div class="shell-status">
      <ClockControl />
      <BeatBar />
      <LiveTotals />
    </div>
  );
}
