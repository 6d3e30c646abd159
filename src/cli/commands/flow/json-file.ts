import { UsageError } from "../../failures.js";
import type { ExitCode, Io } from "../../terminal/io.js";
import { readText } from "../../scenario-file.js";

/** Reads each file in turn. One that cannot be read, or is no JSON, is named, and ends the command with exit code 2. */
export function forEachJsonFile(
  files: readonly string[],
  { io, end }: { readonly io: Io; readonly end: (code: ExitCode) => void },
  act: (file: string, json: unknown, text: string) => void,
): void {
  for (const file of files) {
    let read: JsonFile;
    try {
      read = readFile(file);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      io.stderr.write(`handset: ${error.message}\n`);
      end(2);
      continue;
    }
    act(file, read.json, read.text);
  }
}

/** @throws UsageError when the file cannot be read or is no JSON */
export function readJsonFile(file: string): unknown {
  return readFile(file).json;
}

interface JsonFile {
  /** Without a byte order mark. */
  readonly text: string;
  readonly json: unknown;
}

function readFile(file: string): JsonFile {
  try {
    const text = readText(file).replace(/^\uFEFF/, "");
    return { text, json: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file}: not JSON: ${error.message}`);
    throw error;
  }
}
