import { realpathSync } from "node:fs";
import { LabError, type OnProgress } from "../base/index.js";
import { resultOf, type RunResult } from "../report/index.js";
import { readPart } from "../run/index.js";
import { joinRecordings, openRecording, type RunMeta } from "../store/index.js";
import { finishJoined, type PlayedPart } from "./joined-result.js";

/** Where the joined recording is written. */
export interface MergeOptions {
  /** File of the joined recording. */
  readonly output: string;
  /** Replaces a file that exists; default false: `mergeRecordings` throws. */
  readonly overwrite?: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/** The result of the whole fleet. */
export interface MergeOutcome {
  readonly result: RunResult;
  /** As for a run: 0: all expectations are met; 1: an expectation failed or the ledger does not close; 3: the environment failed. */
  readonly exitCode: 0 | 1 | 3;
}

interface Source extends PlayedPart {
  readonly path: string;
  readonly meta: RunMeta;
}

/**
 * Joins the recordings of all parts of a fleet into one, equal to that of a single run: the same events in the same
 * order with the same digest, one ledger, latencies of all attempts, and the scenario's expectations evaluated for the
 * whole.
 *
 * @param paths - one for each part, in any order
 * @throws LabError `bad-options` if they are not the parts of one run; StoreError
 */
export function mergeRecordings(
  paths: readonly string[],
  { output, overwrite = false, onProgress }: MergeOptions,
): MergeOutcome {
  const sources = paths.map(sourceOf);
  const [first] = sources;
  if (first === undefined) refuse("no recordings were named");
  for (const source of sources) checkAlike(source, first);
  const parts = sources.toSorted((a, b) => a.record.shard.index - b.record.shard.index);
  checkComplete(parts);
  if (paths.some((path) => isSame(path, output))) refuse(`${output} is one of the recordings to join`);
  const startsMs = commonWallStarts(parts);
  const startedWallMs = Math.round(Math.min(...startsMs));
  joinRecordings(
    parts.map(({ path }, index) => ({ path, wallOffsetMs: (startsMs[index] ?? startedWallMs) - startedWallMs })),
    output,
    { meta: { ...first.meta, startedWallMs, options: optionsOf(parts) }, overwrite, onProgress },
  );
  return finishJoined(output, parts, { onProgress });
}

/** The starts of the recordings by one clock: the shared folder's, where all parts have measured it. */
function commonWallStarts(parts: readonly Source[]): number[] {
  const offsets = parts.map(({ result: { start } }) => {
    if (start === undefined) return undefined;
    return Math.abs(start.clockOffsetMs) > start.clockUncertaintyMs ? start.clockOffsetMs : 0;
  });
  const isMeasured = offsets.every((offset) => offset !== undefined);
  return parts.map(({ meta }, index) => meta.startedWallMs + (isMeasured ? (offsets[index] ?? 0) : 0));
}

function sourceOf(path: string): Source {
  const reader = openRecording(path);
  try {
    const meta = reader.meta();
    const record = readPart(reader);
    const { shard } = meta.options;
    if (shard === undefined) refuse(`${path} is of a whole run, not of a part`, "parts are made with --shard");
    if (record === undefined || reader.end() === undefined) {
      refuse(`${path}: part ${shard} has not ended`, "play this part again: its seed gives the same events");
    }
    return { path, meta, record, result: resultOf(reader) };
  } finally {
    reader.close();
  }
}

/** Checks that two recordings belong to one run. Receivers may differ. */
function checkAlike({ path, meta, record }: Source, first: Source): void {
  const differs = (what: string): never => refuse(`${path} and ${first.path} are not of one run: ${what}`);
  const { meta: other } = first;
  if (meta.version !== other.version) differs(`versions ${meta.version} and ${other.version} of handset-lab made them`);
  if (meta.scenario.text !== other.scenario.text) differs("their scenarios differ");
  if (meta.seed !== other.seed) differs(`their seeds are ${meta.seed} and ${other.seed}`);
  if (meta.startsAtMs !== other.startsAtMs) differs("their scenarios start at different instants");
  for (const option of ["pace", "set", "files"]) {
    const [one = "not given", another = "not given"] = [meta.options[option], other.options[option]];
    if (one !== another) differs(`'${option}' is ${shorten(one)} in one and ${shorten(another)} in the other`);
  }
  if (JSON.stringify(meta.preset) !== JSON.stringify(other.preset)) differs("their service settings differ");
  const { count } = record.shard;
  if (count !== first.record.shard.count) {
    differs(`one is of ${count} parts, the other of ${first.record.shard.count}`);
  }
}

function checkComplete(parts: readonly Source[]): void {
  const count = parts[0]?.record.shard.count ?? 0;
  const paths = new Map<number, string>();
  for (const { path, record } of parts) {
    const earlier = paths.get(record.shard.index);
    if (earlier !== undefined) refuse(`${earlier} and ${path} are both of part ${record.shard.index}/${count}`);
    paths.set(record.shard.index, path);
  }
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !paths.has(index));
  if (missing.length === 0) return;
  const shown = missing.slice(0, 20).join(", ") + (missing.length > 20 ? "…" : "");
  const which = missing.length === 1 ? `part ${shown} of ${count} is` : `of ${count} parts, ${shown} are`;
  refuse(`${which} missing`, "name the recordings of all parts");
}

/** The options of the whole run: the first part's, with the receivers of all parts. */
function optionsOf(parts: readonly Source[]): Record<string, string> {
  const { shard: _shard, ...options } = parts[0]?.meta.options ?? {};
  const receivers = [...new Set(parts.map(({ meta }) => meta.options["receiver"] ?? "none"))];
  return { ...options, receiver: receivers.join(", "), parts: String(parts.length) };
}

function isSame(path: string, output: string): boolean {
  try {
    return realpathSync(path) === realpathSync(output);
  } catch {
    return false; // the output does not exist yet
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function refuse(message: string, hint?: string): never {
  throw new LabError("bad-options", message, hint === undefined ? {} : { hint });
}
