import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { LabError } from "../../base/index.js";
import { openRecording } from "../../store/index.js";
import { differenceOf, type RunIdentity } from "./run-identity.js";
import type { SharedFolder } from "./shared-folder.js";

/** Says that a part has begun, so it may have sent events. It is on disk before the first event leaves. */
export interface BegunMarker {
  readonly part: number;
  readonly count: number;
  readonly identity: RunIdentity;
  readonly host: string;
  readonly pid: number;
  /** Absolute path on that host; null: nothing is recorded. */
  readonly recording: string | null;
  /** Milliseconds since 1970, by that host's clock. */
  readonly beganMs: number;
}

export function begunFile(part: number): string {
  return `begun-${part}.json`;
}

/** Path of the marker beside a recording. */
export function markerBeside(recording: string): string {
  return `${recording}.begun`;
}

export function newMarker(
  part: { readonly index: number; readonly count: number },
  identity: RunIdentity,
  recording: string | null,
): BegunMarker {
  return {
    part: part.index,
    count: part.count,
    identity,
    host: hostname(),
    pid: process.pid,
    recording: recording === null ? null : resolve(recording),
    beganMs: Date.now(),
  };
}

/** Writes the marker beside the recording, and waits for the disk. */
export function markBesideRecording(recording: string, marker: BegunMarker): void {
  const path = markerBeside(recording);
  const file = openSync(`${path}.new`, "w");
  try {
    writeSync(file, JSON.stringify(marker));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}

/**
 * Refuses to start a part that has begun before. Engines start again what fails, and its events would reach the
 * receiver twice.
 *
 * @param options - `overwrite`: a recording of another run may be replaced
 * @throws LabError `not-resumable` (exit code 2: another try cannot succeed)
 */
export function refuseBegunPart(
  part: { readonly index: number; readonly count: number },
  {
    recording,
    folder,
    identity,
    overwrite,
  }: {
    readonly recording: string | null;
    readonly folder: SharedFolder | undefined;
    readonly identity: RunIdentity;
    readonly overwrite: boolean;
  },
): void {
  const inFolder = folder?.read<BegunMarker>(begunFile(part.index))?.value;
  if (inFolder !== undefined) refuse(inFolder, folder);
  const beside = recording === null ? undefined : readMarker(markerBeside(recording));
  if (beside === undefined) return;
  if (beside.part === part.index && differenceOf(identity, beside.identity) === undefined) refuse(beside, folder);
  // Of another run: as with a recording that exists.
  if (!overwrite) refuse(beside, folder);
}

function readMarker(path: string): BegunMarker | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as BegunMarker;
  } catch {
    return undefined;
  }
}

function refuse(marker: BegunMarker, folder: SharedFolder | undefined): never {
  const { part, count, host, pid, recording, beganMs } = marker;
  const where = `${new Date(beganMs).toISOString()} on ${host} (process ${pid})`;
  throw new LabError(
    "not-resumable",
    `part ${part} of ${count} has begun already, ${where}: started again, it would send its events twice`,
    { hint: nextStep(recording, { host, folder }) },
  );
}

/** What to do instead: resume the recording, read it, or begin all parts again. */
function nextStep(
  recording: string | null,
  { host, folder }: { readonly host: string; readonly folder: SharedFolder | undefined },
): string {
  const files = [
    ...(folder === undefined ? [] : [`the folder ${folder.path}`]),
    ...(recording === null ? [] : [`${recording} with ${markerBeside(recording)}`]),
  ];
  const again = `to play all parts again, remove ${files.join(" and ")}, and let the receiver forget their events`;
  if (recording === null) return `it kept no recording, so it cannot be resumed; ${again}`;
  if (!existsSync(recording)) {
    return `resume it on ${host}: handset run --resume ${recording} (it is not on this machine); ${again}`;
  }
  if (hasEnded(recording)) return `it has ended: handset report ${recording}; ${again}`;
  return `resume it: handset run --resume ${recording}; ${again}`;
}

function hasEnded(path: string): boolean {
  try {
    const reader = openRecording(path);
    try {
      return reader.end() !== undefined;
    } finally {
      reader.close();
    }
  } catch {
    return false;
  }
}
