import type { RecordingReader } from "../../store/index.js";
import { gatherFigures } from "../figures/index.js";
import { resultOf } from "../result-of-recording.js";
import { withVerdict } from "../verdict.js";

/** The result with its verdict and the figures of the report: one JSON object, its form is `Figures`. */
export function renderJson(recording: RecordingReader): string {
  const result = resultOf(recording);
  const figures = gatherFigures(recording);
  return `${JSON.stringify({ ...withVerdict(result), figures })}\n`;
}
