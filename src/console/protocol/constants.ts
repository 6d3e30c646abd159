/** Path of the live stream. */
export const STREAM_PATH = "/console/stream";

/**
 * Header of a request about a moment: any GET of the control API and of the REST API answers with the state at that
 * moment. Its value is virtual milliseconds, then optionally `; viewer=` and a word. A later request of the same viewer
 * for another moment cancels the earlier ones with 409.
 */
export const MOMENT_HEADER = "lab-moment";

/** Time between the end of a repeating scenario and its restart. Wall milliseconds while the clock runs. */
export const REPEAT_AFTER_MS = 3000;

/** A jump to a beat ends this long before it, so that the beat is visible. Virtual milliseconds. */
export const BEFORE_BEAT_MS = 1;
