import { existsSync, writeFileSync } from "node:fs";
import { LabError } from "../../../base/index.js";
import type { Minimised, OtherFailure } from "../options.js";
import { exactBugText, type FoundBug, scenarioBugText } from "./bug-text.js";

/** Bytes of a bug file at most: it is mailed and read. */
const BUG_MAX = 10 * 1024;

/** How bug files are written. */
export interface WriteBugsOptions {
  /** `percent.bug.yaml`; other failures get its name with a number. */
  readonly file: string;
  readonly overwrite: boolean;
  readonly seed: number;
  /** What the receiver had for an answer: milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Writes the bug file of a minimised failure, and one for each other failure that was met on the way and fits into one.
 *
 * @returns the result with the names of the files
 * @throws LabError `bad-options` for a file that exists
 */
export function writeBugs(result: Minimised, options: WriteBugsOptions): Minimised {
  if (!result.reproduced || result.contaminated) return result;
  const about = {
    before: result.before,
    seed: options.seed,
    timeoutMs: options.timeoutMs,
    atMs: Date.now(),
  };
  const text = bugTextOf(result, { ...about, file: options.file });
  write(options.file, text, options);
  const others = result.others.map((other, place): OtherFailure => {
    const file = options.file.replace(/(\.bug)?\.ya?ml$|$/i, `.other-${place + 1}.bug.yaml`);
    const otherText = textOfOther(other, { ...about, file });
    if (Buffer.byteLength(otherText) > BUG_MAX) return other;
    write(file, otherText, options);
    return { ...other, bug: file };
  });
  const isLarge = Buffer.byteLength(text) > BUG_MAX;
  const notes = isLarge ? [...result.notes, `${options.file} has more than 10 KB`] : result.notes;
  return { ...result, notes, others, bug: options.file };
}

/** The bug file of a minimised failure. */
export function bugTextOf(
  result: Minimised,
  about: Pick<FoundBug, "before" | "seed" | "timeoutMs" | "atMs" | "file">,
): string {
  const bug: FoundBug = {
    ...about,
    condition: result.failure,
    answer: result.answer,
    seen: result.seen,
    type: result.type,
    isOneMinimal: result.oneMinimal,
    failed: result.failed,
    of: result.of,
  };
  return result.smallest === undefined
    ? exactBugText(result.events, result.failsAt ?? undefined, bug)
    : scenarioBugText(result.smallest, bug);
}

function textOfOther(
  { found, oneMinimal }: OtherFailure,
  about: Pick<FoundBug, "before" | "seed" | "timeoutMs" | "atMs" | "file">,
): string {
  const { condition, requests = [], scenario, answer, seen, failed = 1, of = 1 } = found;
  const bug: FoundBug = { ...about, condition, answer, seen, isOneMinimal: oneMinimal, failed, of };
  return scenario === undefined ? exactBugText(requests, requests.length, bug) : scenarioBugText(scenario, bug);
}

/** Refuses a bug file that exists, before the work begins. @throws LabError `bad-options` */
export function requireNewBugFile(file: string, overwrite: boolean): void {
  if (overwrite || !existsSync(file)) return;
  throw new LabError("bad-options", `${file} exists`, { hint: "name another file, or add --overwrite" });
}

function write(file: string, text: string, { overwrite }: WriteBugsOptions): void {
  try {
    writeFileSync(file, text, { flag: overwrite ? "w" : "wx" });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "EEXIST") requireNewBugFile(file, overwrite);
    throw new LabError("bad-options", `${file} cannot be written (${code})`, { cause: error });
  }
}
