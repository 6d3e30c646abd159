import type { RecordingReader } from "../../store/index.js";
import { gatherFigures } from "../figures/index.js";
import { resultOf } from "../result-of-recording.js";
import { withVerdict } from "../verdict.js";

/** The result with its verdict and, as `figures`, the figures of the report: one JSON object. */
export function renderJson(recording: RecordingReader): string {
  const result = resultOf(recording);
  const figures = gatherFigures(recording);
  return `${JSON.stringify({ ...withVerdict(result), figures })}\n`;
}
