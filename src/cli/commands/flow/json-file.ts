import { UsageError } from "../../failures.js";
import { readText } from "../../scenario-file.js";

/** @throws UsageError when the file cannot be read or is no JSON */
export function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readText(file).replace(/^\uFEFF/, "")) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file}: not JSON: ${error.message}`);
    throw error;
  }
}
