import { durationLiteral, parseDuration, selectorKeys, type WrittenTree } from "../../../scenario/index.js";
import { type PartPath, scalarsOf, withValue } from "./scenario-parts.js";

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
  const [, group, member] =
    /^(?:[\d.]+% of )?([\p{L}_][\p{L}\p{N}_-]*)(?:\/(\d+)(?:\.\.\d+)?)?(?: each time)?$/u.exec(text) ?? [];
  if (selectorKeys.some((one) => one === key) && group !== undefined) {
    return member === "0" && !text.includes("..") ? [] : [`${group}/0`];
  }
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

/** Round durations from the shortest, then the next round ones below and above: a failure may need the whole time. */
function shorterDurations(ms: number): string[] {
  if (plainDurations.includes(durationLiteral(ms))) return plainDurations.filter((one) => plainMs(one) < ms);
  const around = [60_000, 1000]
    .filter((unit) => ms > unit && ms % unit !== 0)
    .flatMap((unit) => [Math.floor(ms / unit) * unit, Math.ceil(ms / unit) * unit])
    .filter((one) => one > 0)
    .map(durationLiteral);
  return [...new Set([...plainDurations.filter((one) => plainMs(one) < ms), ...around])];
}

function plainMs(duration: string): number {
  return parseDuration(duration) ?? 0;
}

/** The scenario with all its instants moved by one span, after which the first one is a minute after the start. */
export function withEarlierTimes(tree: WrittenTree): WrittenTree {
  const instants = [...scalarsOf(tree)].filter(({ path }) => path.at(-1) === "at" && path[0] !== "people");
  const earliestMs = Math.min(...instants.map(({ text }) => parseDuration(text) ?? 0));
  const shiftMs = earliestMs - 60_000;
  if (!Number.isFinite(shiftMs) || shiftMs <= 0) return tree;
  const { lasts } = tree;
  const lastsMs = typeof lasts === "string" ? parseDuration(lasts) : undefined;
  let earlier = lastsMs === undefined ? tree : withValue(tree, ["lasts"], durationLiteral(lastsMs - shiftMs));
  for (const { path, text } of instants) {
    earlier = withValue(earlier, path, durationLiteral(plainMs(text) - shiftMs));
  }
  return earlier;
}

/** The scenario with instants since its start instead of timestamps, in whole seconds: `at: 1h33m1s`. */
export function withRelativeTimes(tree: WrittenTree): WrittenTree {
  const startsMs =
    typeof tree["starts"] === "string" ? Date.parse(tree["starts"]) : Date.parse("2026-01-01T00:00:00.000Z");
  let relative = tree;
  for (const { path, text } of scalarsOf(tree)) {
    if (path.at(-1) !== "at" || !/^\d{4}-\d\d-\d\dT/.test(text)) continue;
    const sinceMs = Math.round((Date.parse(text) - startsMs) / 1000) * 1000;
    if (sinceMs >= 0) relative = withValue(relative, path, durationLiteral(sinceMs));
  }
  return relative;
}
