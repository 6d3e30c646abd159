import { InvalidArgumentError } from "commander";
import { parseDuration } from "../../scenario/index.js";
import { readPublicUrl } from "../../servers/index.js";

/** A whole number >= 0. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new InvalidArgumentError(`it must be a whole number, got '${text}'.`);
  }
  return Number(text);
}

/** A port: 0 to 65535. */
export function port(text: string): number {
  const number = wholeNumber(text);
  if (number > 65_535) throw new InvalidArgumentError(`it must be a port 0..65535, got ${number}.`);
  return number;
}

/** A duration such as `90s` or `1h30m`, in milliseconds. */
export function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined)
    throw new InvalidArgumentError(`it must be a duration such as 500ms, 90s or 1h30m, got '${text}'.`);
  return ms;
}

/** `lockstep`, `max`, or a speed in virtual milliseconds per wall millisecond: `1x`, `60x`. */
export function pace(text: string): "lockstep" | "max" | number {
  if (text === "lockstep" || text === "max") return text;
  const speed = /^(\d+(?:\.\d+)?)x$/.exec(text)?.[1];
  if (speed === undefined || !(Number(speed) > 0)) {
    throw new InvalidArgumentError(`it must be lockstep, max, or a speed such as 1x or 60x, got '${text}'.`);
  }
  return Number(speed);
}

/** An instant of the wall clock, such as `2026-03-04T06:00:00Z`, or `+30s` from now. Milliseconds since 1970. */
export function instant(text: string): number {
  const afterMs = text.startsWith("+") ? parseDuration(text.slice(1)) : undefined;
  if (afterMs !== undefined) return Date.now() + afterMs;
  const isTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isTimestamp ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError(
      `it must be a timestamp with its zone such as 2026-03-04T06:00:00Z, or a span such as +30s, got '${text}'.`,
    );
  }
  return ms;
}

/** Virtual milliseconds per wall millisecond: `60x` or 60. */
export function speed(text: string): number {
  const number = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text)?.[1]);
  if (!(number > 0 && number <= 10_000)) {
    throw new InvalidArgumentError(`it must be a speed such as 1x or 60x, at most 10000x, got '${text}'.`);
  }
  return number;
}

/** Where clients reach a server through a proxy: `https://lab.example/handset`. */
export function publicUrl(text: string): string {
  const read = readPublicUrl(text);
  if ("fault" in read) throw new InvalidArgumentError(`${read.fault}.`);
  return read.url;
}

/** Collects the names of hosts. */
export function hostNames(text: string, earlier: readonly string[]): readonly string[] {
  const name = text.trim().toLowerCase();
  if (!/^(?:[a-z\d_](?:[\w-]*[a-z\d_])?)(?:\.[a-z\d_](?:[\w-]*[a-z\d_])?)*$/.test(name)) {
    throw new InvalidArgumentError(`it must be the name of a host without scheme and port, got '${text}'.`);
  }
  return [...earlier, name];
}

/** Collects the values of a repeatable option. */
export function list(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

/** Bytes, as `512MiB`, `2GiB` or `4GB`. */
export function size(text: string): number {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*(MiB|GiB|TiB|MB|GB|TB)$/.exec(text) ?? [];
  const bytes = Number(number) * (bytesOf[unit] ?? NaN);
  if (!(bytes > 0)) throw new InvalidArgumentError(`it must be a size such as 512MiB or 2GiB, got '${text}'.`);
  return Math.floor(bytes);
}

const bytesOf: Readonly<Record<string, number>> = {
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
};
