import type { RecordingReader } from "../../store/index.js";
import { gatherFigures } from "../figures/index.js";
import { findingsOf } from "../findings.js";
import { resultOf } from "../result.js";

/** The result with the figures of the report: one JSON object, its form is `Figures`. */
export function renderJson(recording: RecordingReader): string {
  const figures = gatherFigures(recording);
  return `${JSON.stringify({ ...resultOf(recording), findings: findingsOf(figures), figures })}\n`;
}
