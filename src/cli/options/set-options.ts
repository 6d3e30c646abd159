import { type Diagnostic, setFile } from "../../scenario/index.js";

/** A named option that is short for a `--set` of a scenario value. */
export interface SetOption {
  /** As the user wrote it: `--lookahead`. */
  readonly option: string;
  /** Its value, as the user wrote it. */
  readonly text: string;
  /** The equivalent argument of `--set`. */
  readonly set: string;
  /** Index in `set` at which the value begins. */
  readonly offset: number;
}

/** @param path - path of the value in the scenario */
export function setOption(option: string, path: string, text: string): SetOption {
  return { option, text, set: `${path}=${text}`, offset: path.length + 1 };
}

/** As `setOption`, for a value that is always a text: without quotes, YAML would read `type: mo_sms` as a map. */
export function setTextOption(option: string, path: string, text: string): SetOption {
  return { option, text, set: `${path}='${text.replaceAll("'", "''")}'`, offset: path.length + 2 };
}

/** As `setOption`, for a value that is a map: its braces may be left out. */
export function setMapOption(option: string, path: string, text: string): SetOption {
  if (/^\s*\{/.test(text)) return setOption(option, path, text);
  return { option, text, set: `${path}={ ${text} }`, offset: path.length + 3 };
}

/**
 * Rewrites diagnostics about the `--set` of a named option so that they point at the option as the user wrote it.
 *
 * @param setCount - number of arguments of `--set` itself, which come first
 */
export function asWritten(
  diagnostics: readonly Diagnostic[],
  setCount: number,
  options: readonly SetOption[],
): Diagnostic[] {
  return diagnostics.map((one) => {
    const index = one.line - 1 - setCount;
    const found = one.file === setFile ? options[index] : undefined;
    if (found === undefined) return one;
    const { option, text, set, offset } = found;
    const plain = (end: number): number => Math.min(text.length, set.slice(offset, end).replaceAll("''", "'").length);
    const start = plain(one.column - 1);
    const length = Math.max(1, plain(one.column - 1 + one.length) - start);
    const line = options.slice(0, index + 1).filter((other) => other.option === option).length;
    return { ...one, file: option, line, column: start + 1, length, text };
  });
}
