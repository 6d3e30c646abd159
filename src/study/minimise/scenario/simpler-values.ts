import { durationLiteral, parseDuration } from "../../../scenario/index.js";
import type { PartPath } from "./scenario-parts.js";

/** Durations as a person writes them, from the shortest. */
const plainDurations: readonly string[] =
  "1s 5s 10s 30s 1m 2m 5m 10m 15m 20m 30m 45m 1h 2h 3h 4h 6h 8h 12h 1d 2d 3d 7d 14d 30d".split(" ");

/** Keys whose texts people read or write: their words may be replaced. */
const textKeys: ReadonlySet<string> = new Set(["body", "text"]);

/**
 * Simpler spellings of a value, in the order in which to try them: each is simpler than the ones after it, so that the
 * first with which the failure stays is the one to take. A count becomes 1 or a fraction of itself, a duration a round
 * shorter one, a range its beginning, a share the whole, a text a plain word.
 */
export function simplerValues(path: PartPath, text: string): string[] {
  const key = String(path.findLast((step) => typeof step === "string") ?? "");
  if (textKeys.has(key)) return text === "hello" || /^\w{1,5}$/.test(text) ? [] : ["hello"];
  if (/^[1-9]\d*$/.test(text)) return key === "seed" ? [] : smallerCounts(Number(text));
  if (/^[\d.]+%$/.test(text)) return text === "100%" ? [] : ["100%"];
  const range = /^([\d.]+(?:ms|s|m|h|d|%)?)\.\.[\d.]+(?:ms|s|m|h|d|%)?$/.exec(text);
  if (range?.[1] !== undefined) return [range[1]];
  const rate = /^(\d+(?:\.\d+)?)(\/[smhd])$/.exec(text);
  if (rate?.[1] !== undefined && rate[2] !== undefined) {
    return smallerCounts(Math.ceil(Number(rate[1]))).map((count) => `${count}${rate[2] ?? ""}`);
  }
  const ms = parseDuration(text);
  return ms === undefined || ms === 0 ? [] : shorterDurations(ms);
}

/** 1, then what lies between it and the count, at most five numbers. */
function smallerCounts(count: number): string[] {
  const counts = new Set([1, 2, 3, 5, 10].filter((one) => one < count));
  for (const share of [0.02, 0.1, 0.25, 0.5]) counts.add(Math.max(1, Math.round(count * share)));
  return [...counts]
    .filter((one) => one < count)
    .toSorted((a, b) => a - b)
    .map(String);
}

function shorterDurations(ms: number): string[] {
  const plain = plainDurations.filter((one) => (parseDuration(one) ?? 0) < ms);
  const minute = Math.floor(ms / 60_000) * 60_000;
  const rounded =
    minute > 0 && minute < ms && !plainDurations.includes(durationLiteral(ms)) ? [durationLiteral(minute)] : [];
  return [...plain, ...rounded.filter((one) => !plain.includes(one))];
}
