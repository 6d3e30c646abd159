import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LabError } from "../base/index.js";
import { FleetFolder, type FleetView, isLive, type PartView } from "./fleet-view.js";
import { type MissingPart, partsMissing, whyNotEnded } from "./missing-parts.js";

/** Interval of reading. Wall milliseconds. */
const POLL_MS = 500;

/** Default time without a sign of life of the missing parts: an engine may start one again. Wall milliseconds. */
export const PARTS_WAIT_MS = 60_000;

/** How `awaitParts` waits. */
export interface AwaitPartsOptions {
  /** How long to wait while no missing part gives a sign of life. Wall milliseconds, default 60,000. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets the parts after each reading, with those that are awaited. */
  readonly onView?: ((view: FleetView, awaited: readonly AwaitedPart[]) => void) | undefined;
}

/** A part whose recording is not there yet. */
export interface AwaitedPart extends MissingPart {
  /** Whether it will still change by itself. */
  readonly isLive: boolean;
}

/**
 * Waits until all parts of a fleet have ended and their recordings can be read.
 *
 * @param path - the folder of `--start-when-all-ready`
 * @returns the recordings, in the order of the parts
 * @throws LabError `parts-missing` with the missing parts, `bad-options` for a folder of no fleet
 */
export async function awaitParts(
  path: string,
  { waitMs = PARTS_WAIT_MS, signal, onView }: AwaitPartsOptions = {},
): Promise<string[]> {
  const folder = new FleetFolder(path);
  let lifeAt = performance.now();
  for (;;) {
    const view = folder.view();
    const found = view.parts.map((part) => recordingOf(part, path));
    const awaited = found.filter((one) => typeof one !== "string");
    onView?.(view, awaited);
    if (awaited.length === 0) return found.filter((one) => typeof one === "string");
    const now = performance.now();
    if (awaited.some((one) => one.isLive)) lifeAt = now;
    if (now - lifeAt > waitMs) {
      throw partsMissing(awaited, {
        said: `${awaited.length} of ${view.count} parts ${awaited.length === 1 ? "is" : "are"} missing`,
        hint: "nothing was joined; call it again when they have ended",
      });
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    if (signal?.aborted === true) {
      throw new LabError(
        "not-started",
        `stopped while waiting for ${awaited.length} of ${view.count} parts; nothing was joined`,
      );
    }
  }
}

/** The recording of a part that has ended: where it was written, or its whole copy in the folder. */
function recordingOf(view: PartView, folder: string): string | AwaitedPart {
  const { part, status } = view;
  if (view.state !== "ended" || status === undefined) return { part, why: whyNotEnded(view), isLive: isLive(view) };
  const { recording, bytes } = status;
  if (recording === null) return { part, why: "it kept no recording", isLive: false };
  const places = [recording, join(folder, basename(recording)), join(folder, `part-${part}.db`)];
  const sizes = places.map((place) => statSync(place, { throwIfNoEntry: false })?.size);
  const found = places.find(
    (_, index) => sizes[index] !== undefined && (bytes === undefined || sizes[index] === bytes),
  );
  if (found !== undefined) return found;
  const isCopied = sizes.some((size) => size !== undefined);
  const why = isCopied
    ? `its recording is being copied to ${folder}`
    : `its recording ${recording} is on ${status.host}: copy it to ${folder}`;
  return { part, why, isLive: false };
}
