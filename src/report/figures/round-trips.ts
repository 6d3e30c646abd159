import type { RecordingReader } from "../../store/index.js";
import type { Figures } from "./figures.js";
import { spreadOf } from "./parts.js";
import { SpanCounts } from "./spans.js";

/** From incoming texts to what the receiver did about them: how long that took on the wall's clock. */
export function roundTripsOf(recording: RecordingReader): Figures["roundTrips"] {
  const spans = new SpanCounts(1);
  let count = 0;
  for (const { wallMs } of recording.roundTrips()) {
    count++;
    if (wallMs !== null) spans.add(0, wallMs);
  }
  return { count, wallMs: spreadOf(spans, 0) };
}
