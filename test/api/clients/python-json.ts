import { SerializationError } from "./errors.js";

/** A whole number written with a point or an exponent, which Python reads as a float. */
export class WrittenAsFloat extends Number {}

const MARK = "(written as float)";

/**
 * Parses JSON as Python does: 1.0 and 1 are different things there, and the field types tell them apart.
 *
 * @throws SerializationError when the text is not JSON
 */
export function parseAsPython(text: string): unknown {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^-?\d+[.eE]/.test(token) && Number.isInteger(Number(token)) ? `{"${MARK}":${token}}` : token,
  );
  try {
    return JSON.parse(marked, (_key, value: unknown) =>
      typeof value === "object" && value !== null && MARK in value ? new WrittenAsFloat(value[MARK]) : value,
    ) as unknown;
  } catch {
    throw new SerializationError(`the body is not JSON: ${text.slice(0, 200)}`);
  }
}
