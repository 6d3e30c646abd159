import type { RecordingReader } from "../../store/index.js";
import type { Figures } from "./figures.js";
import { percentilesOf } from "./breakdown.js";
import { DurationHistograms } from "./duration-histograms.js";

/** Wall time from incoming texts to the receiver's messages to these persons. */
export function roundTripsOf(recording: RecordingReader): Figures["roundTrips"] {
  const spans = new DurationHistograms(1);
  let count = 0;
  for (const { wallMs } of recording.roundTrips()) {
    count++;
    if (wallMs !== null) spans.add(0, wallMs);
  }
  return { count, wallMs: percentilesOf(spans, 0) };
}
