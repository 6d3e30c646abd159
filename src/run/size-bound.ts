import { LabError } from "../base/index.js";
import type { Recording } from "../store/index.js";

/** Default bound: 16 GiB. */
const BYTES_DEFAULT = 16 * 2 ** 30;

/** Lowest bound: 128 MiB, because SQLite's WAL takes up to 34 MiB before its checkpoint. */
const BYTES_MIN = 128 * 2 ** 20;

/** Share of the bound at which the run ends: the rest is for attempts in flight then, and for readers' indexes. */
const SHARE = 0.7;

/** Interval of checks: wall milliseconds. A recording grows by about 20 MiB in it at most. */
const CHECK_MS = 500;

/**
 * Watches a recording's size on disk, so that a run ends before it reaches a bound.
 *
 * @param most - bytes on disk, at least 128 MiB; default 16 GiB
 * @param reached - called once when the run must end, with the reason as a sentence
 * @returns stops the watch
 * @throws LabError `bad-options` for less than 128 MiB
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
