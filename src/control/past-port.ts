import type { PastFrame, PastView } from "../console/index.js";

/** A GET of the APIs of a lab of the past. */
export interface PastGet {
  /** Path and query. */
  readonly path: string;
  /** Where the client reaches the lab, without a slash at the end. */
  readonly publicUrl: string;
}

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
    get: PastGet,
    viewer: string,
  ): Promise<{ readonly status: number; readonly contentType: string; readonly text: string }>;
}
