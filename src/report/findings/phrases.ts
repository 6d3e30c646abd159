import { troubleOfCode } from "../../measure/index.js";
import { formatCount } from "../number-format.js";

/** Time since the begin of the run: `0:00:05`, `1:02:05`. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}

/** `from 0:00:03 to 0:00:06`. */
export function timeRangeText(fromMs: number, untilMs: number): string {
  const [from, until] = [clockText(fromMs), clockText(untilMs)];
  return from === until ? `at ${from}` : `from ${from} to ${until}`;
}

/** `200/s`, `3.3/s`. */
export function rateText(perSecond: number): string {
  return `${perSecond < 9.95 ? Number(perSecond.toPrecision(2)) : formatCount(Math.round(perSecond))}/s`;
}

/** A share as percent with two or three significant digits: `3.2 %`, `0.004 %`. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent === 0 || percent >= 99.95) return `${Math.round(percent)} %`;
  return `${Number(percent.toPrecision(percent >= 10 ? 3 : 2))} %`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listText(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

const meanings: Readonly<Record<string, string>> = {
  timeout: "had no answer in time",
  ECONNREFUSED: "had the connection refused",
  ECONNRESET: "had the connection reset",
  EPIPE: "had the connection closed while the request was written",
  "no-answer": "had the connection closed before any answer",
  "incomplete-answer": "had the connection closed in the middle of the answer",
  "body-too-large": "were answered with too large a body",
};

/** How attempts of a failure kind ended, as the predicate of a sentence. */
export function failureMeaning(kind: string): string {
  if (/^\d+$/.test(kind)) return `answered with status ${kind}`;
  const trouble = troubleOfCode(kind);
  if (trouble !== undefined) return `met trouble on the way that the scenario puts there: ${trouble}`;
  return meanings[kind] ?? `ended with ${kind}`;
}
