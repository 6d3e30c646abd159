import { type Diagnostic, setFile } from "../../scenario/index.js";

/** An option that sets a value of the scenario under a name of its own. */
export interface SetOption {
  /** As the user wrote it: `--lookahead`. */
  readonly option: string;
  /** Its value, as the user wrote it. */
  readonly text: string;
  /** The `--set` that it stands for. */
  readonly set: string;
  /** Where the value begins in that. */
  readonly offset: number;
}

/** @param path - of the value in the scenario */
export function setOption(option: string, path: string, text: string): SetOption {
  return { option, text, set: `${path}=${text}`, offset: path.length + 1 };
}

/** The same for a value that is a text whatever it looks like: YAML takes `type: mo_sms` in a tag for a map. */
export function setTextOption(option: string, path: string, text: string): SetOption {
  return { option, text, set: `${path}='${text.replaceAll("'", "''")}'`, offset: path.length + 2 };
}

/**
 * Tells what is wrong with an option in its own name, not in that of the `--set` that it stands for.
 *
 * @param setCount - how many arguments of `--set` itself come before
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
