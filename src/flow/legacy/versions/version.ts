import { textOf } from "../json.js";

/** A version as one comparable number: 1,000 for each major, 1 for each minor. 11.10 is 11,010. */
export type Version = number;

/**
 * Reads a version: a number, or text such as `11.10`. Exports write 11.10 as text, because the number 11.10 equals
 * 11.1.
 *
 * @returns undefined when there is none
 */
export function readVersion(value: unknown): Version | undefined {
  const match = /^\s*(\d{1,4})(?:\.(\d{1,3}))?/.exec(textOf(value));
  return match === null ? undefined : version(Number(match[1]), Number(match[2] ?? 0));
}

export function version(major: number, minor = 0): Version {
  return major * 1000 + minor;
}
