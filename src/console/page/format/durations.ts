/** Formats spans of time, given in milliseconds. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The two largest units: `350 ms`, `2.4 s`, `3 min 20 s`, `1 h 5 min`, `2 d 3 h`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < SECOND) return `${ms < 10 && ms > 0 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
  if (ms < 9.95 * SECOND) return `${Number((ms / SECOND).toFixed(1))} s`;
  const rounded = Math.round(ms / SECOND) * SECOND;
  if (rounded < MINUTE) return `${rounded / SECOND} s`;
  if (rounded < HOUR) return pair([Math.floor(rounded / MINUTE), "min"], [(rounded % MINUTE) / SECOND, "s"]);
  const minutes = Math.round(ms / MINUTE) * MINUTE;
  if (minutes < DAY) return pair([Math.floor(minutes / HOUR), "h"], [(minutes % HOUR) / MINUTE, "min"]);
  const hours = Math.round(ms / HOUR) * HOUR;
  return pair([Math.floor(hours / DAY), "d"], [(hours % DAY) / HOUR, "h"]);
}

/** `5 min ago`, `in 20 s`, `now`. @param ms - until then; negative: since then */
export function formatDistance(ms: number): string {
  if (Math.abs(ms) < SECOND) return "now";
  const words = formatDuration(Math.floor(Math.abs(ms) / SECOND) * SECOND);
  return ms < 0 ? `${words} ago` : `in ${words}`;
}

/** Time since the start, like a clock: `0:00:00`, `26:05:09`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(ms / SECOND);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function pair([first, unit]: readonly [number, string], [second, lesser]: readonly [number, string]): string {
  return second === 0 ? `${first} ${unit}` : `${first} ${unit} ${second} ${lesser}`;
}
