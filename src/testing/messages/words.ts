import { isRegExp } from "node:util/types";
import { LabError } from "../../base/index.js";
import type { TextPattern } from "../lab/lab-face.js";

/** Longest quotation of an answer or a text. */
const QUOTED_MAX = 200;

/** The test that a pattern makes of a text. */
export function textTest(pattern: TextPattern): (text: string) => boolean {
  if (isRegExp(pattern)) {
    // A pattern with the flag g or y begins where its last match ended.
    const fresh = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
    return (text) => fresh.test(text);
  }
  if (typeof pattern === "string" && pattern !== "") return (text) => text.includes(pattern);
  throw new LabError("bad-options", `a text must be a regular expression or a part of it, got '${String(pattern)}'`);
}

/** A pattern as a test spells it. */
export function patternText(pattern: TextPattern): string {
  return isRegExp(pattern) ? String(pattern) : JSON.stringify(pattern);
}

/** A virtual instant from the lab's start: `0:05:03`, with days as `2d 0:05:03`. */
export function clockText(atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const two = (count: number): string => String(count).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const clock = `${Math.floor(seconds / 3600) % 24}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return days === 0 ? clock : `${days}d ${clock}`;
}

/** A text in quotes, shortened, on one line. */
export function quoted(text: string): string {
  const short = text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text;
  return JSON.stringify(short);
}

/** A body as it is, shortened, on one line. */
export function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > QUOTED_MAX ? `${line.slice(0, QUOTED_MAX)}…` : line;
}
