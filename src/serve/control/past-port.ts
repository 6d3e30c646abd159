import type { PastFrame, PastView } from "../../console/index.js";

/** The past of the recording: see `Past`. */
export interface PastReader {
  view(): PastView;
  refresh(): Promise<PastView>;
  /** @throws ControlRefusal */
  frame(atMs: number): PastFrame;
  /** @throws ControlRefusal */
  moment(atMs: number, viewer: string): Promise<PastFrame>;
  /** @throws ControlRefusal */
  get(
    atMs: number,
    url: string,
    viewer: string,
  ): Promise<{ readonly status: number; readonly contentType: string; readonly text: string }>;
}
