import type { Unit } from "./data.js";

/** A value with its unit, short: `1.2 k/s`, `350 ms`, `2.5 s`. */
export function formatValue(value: number, unit: Unit): string {
  if (unit === "ms") return formatMs(value);
  if (unit === "%") return `${digits(value)} %`;
  return `${digits(value)}${unit}`;
}

/** `0.4 ms`, `350 ms`, `2.5 s`, `3 min`. */
function formatMs(ms: number): string {
  if (ms < 1000) return `${digits(ms)} ms`;
  if (ms < 60_000) return `${digits(ms / 1000)} s`;
  return `${digits(ms / 60_000)} min`;
}

function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${roundDigits(value / 1e6)} M`;
  if (size >= 1e4) return `${roundDigits(value / 1e3)} k`;
  return roundDigits(value);
}

function roundDigits(value: number): string {
  const size = Math.abs(value);
  return String(Number(value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)));
}

/** Time on the axis: `7.5 s`, `1:05` (minutes and seconds), `2:05 h`, `1 d 2:05 h`. */
export function formatAxisTime(ms: number, untilMs: number): string {
  const seconds = ms / 1000;
  if (untilMs < 120_000) return `${Number(seconds.toFixed(untilMs < 2000 ? 2 : 1))} s`;
  const whole = Math.floor(seconds);
  const two = (value: number): string => String(value).padStart(2, "0");
  if (untilMs < 7_200_000) return `${Math.floor(whole / 60)}:${two(whole % 60)}`;
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor(whole / 3600) % 24;
  const time = `${hours}:${two(Math.floor(whole / 60) % 60)}`;
  return days > 0 ? `${days} d ${time}` : time;
}

/** The unit that `formatAxisTime` uses. */
export function axisTimeUnit(untilMs: number): string {
  return untilMs < 120_000 ? "seconds" : untilMs < 7_200_000 ? "min:s" : "h:min";
}

/** Distances between ticks of the axis, in milliseconds. */
export const tickSteps: number[] = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 240, 480].map((hours) => hours * 3_600_000),
];
