import { FileRefusal, filesBeside, readNamedFile } from "../lab/index.js";
import { checkFakes, formatDiagnostics, parseScenario, type Scenario } from "../scenario/index.js";
import { UsageError } from "./failures.js";
import type { Io } from "./terminal/io.js";
import { asWritten, type SetOption } from "./options/set-options.js";

/** @throws UsageError when the file cannot be read */
export function readText(file: string): string {
  try {
    return readNamedFile(file);
  } catch (error) {
    if (error instanceof FileRefusal) throw new UsageError(`cannot read ${file}: ${error.message}`);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT")
      throw new UsageError(`there is no file ${file}`, "handset new FILE writes a scenario to begin with");
    throw new UsageError(`cannot read ${file} (${code})`);
  }
}

/** Changes to a scenario from the command line. */
export interface ReadOptions {
  readonly set?: readonly string[];
  /** Applied after `set`. */
  readonly setOptions?: readonly SetOption[];
  readonly seed?: number;
}

/** Reads a scenario and prints its diagnostics to stderr; undefined when it has errors. */
export function loadScenario(file: string, io: Io, options: ReadOptions = {}): Promise<Scenario | undefined> {
  return readScenario({ file, text: readText(file) }, io, options);
}

/** As `loadScenario`, for a text. */
export async function readScenario(
  { file, text }: { readonly file: string; readonly text: string },
  io: Io,
  options: ReadOptions = {},
): Promise<Scenario | undefined> {
  const { set = [], setOptions = [], ...rest } = options;
  const parsed = parseScenario(text, {
    file,
    nowMs: Date.now(),
    readFile: filesBeside(file),
    readData: filesBeside(file),
    set: [...set, ...setOptions.map((one) => one.set)],
    ...rest,
  });
  const { scenario, diagnostics } = await checkFakes(parsed);
  if (diagnostics.length > 0) {
    io.stderr.write(formatDiagnostics(asWritten(diagnostics, set.length, setOptions), text, set));
  }
  return scenario;
}
