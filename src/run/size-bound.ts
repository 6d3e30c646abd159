import { LabError } from "../base/index.js";
import type { Recording } from "../store/index.js";

/** What a recording may take where nothing else is said: 16 GiB. */
const BYTES_DEFAULT = 16 * 2 ** 30;

/** The least that can be kept to: SQLite's log takes up to 34 MiB before it is moved to its place. */
const BYTES_MIN = 128 * 2 ** 20;

/** What of it a run may take while it plays: the rest is for what is under way at its end, and for readers' indexes. */
const SHARE = 0.7;

/** Between two looks: wall milliseconds. In that time a recording grows by some 20 MiB at most. */
const CHECK_MS = 500;

/**
 * Keeps a recording below a size: a run that comes near has to end, while there is still room for what it leaves.
 *
 * @param most - bytes on disk, at least 128 MiB; default 16 GiB
 * @param reached - told once, with a sentence that says why the run ends
 * @returns ends the watch
 * @throws LabError for less than can be kept to
 */
export function watchSize(
  recording: Recording,
  most: number = BYTES_DEFAULT,
  reached: (why: string) => void,
): () => void {
  if (most < BYTES_MIN) {
    throw new LabError("bad-options", `a recording needs room for 128 MiB at least, got ${inMiB(most)}`);
  }
  const watch = setInterval(() => {
    const bytes = recording.bytesOnDisk;
    if (bytes < most * SHARE) return;
    clearInterval(watch);
    reached(
      `the recording has grown to ${inMiB(bytes)}: the run ended before it took more than the ${inMiB(most)} that it may ` +
        "(--max-size); a third of that is for its indexes and for what was under way",
    );
  }, CHECK_MS);
  return () => clearInterval(watch);
}

function inMiB(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20).toLocaleString("en")} MiB`;
}
