/** Path of the live stream. */
export const STREAM_PATH = "/console/stream";

/**
 * Header of a request about a moment: any GET of the control API and of the REST API answers as it did then. Its value
 * is virtual milliseconds, then optionally `; viewer=` and a word. A later request of the same viewer for another moment
 * refuses the earlier ones with 409.
 */
export const MOMENT_HEADER = "lab-moment";

/** How long the end of a repeating scenario stands before it begins again. Wall milliseconds of a clock that runs. */
export const REPEAT_AFTER_MS = 3000;

/** A jump to a beat ends so long before it that one sees it happen. Virtual milliseconds. */
export const BEFORE_BEAT_MS = 1;
