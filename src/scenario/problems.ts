import { setFile, type Diagnostic } from "./diagnostic.js";
import type { Problem, Spot } from "./written.js";

/** Takes down problems as diagnostics; a bound keeps a hopeless file from filling the screen. */
export class Problems {
  readonly #all: Diagnostic[] = [];
  readonly #seen = new Set<string>();

  /** @param problem - its message a whole sentence */
  add(spot: Spot, problem: Pick<Problem, "code" | "message" | "hint" | "severity">): void {
    const { line, column } = spot.source.positionAt(spot.start);
    const key = `${spot.source.file} ${line} ${column} ${problem.code} ${problem.message}`;
    if (this.#seen.has(key) || this.#all.length >= 1000) return;
    this.#seen.add(key);
    this.#all.push({
      severity: problem.severity ?? "error",
      code: problem.code,
      file: spot.source.file,
      line,
      column,
      length: spanLength(spot),
      message: problem.message,
      ...(problem.hint !== undefined && { hint: problem.hint }),
    });
  }

  get hasErrors(): boolean {
    return this.#all.some((one) => one.severity === "error");
  }

  /** In the order of the file, those of `--set` last. */
  inOrder(): Diagnostic[] {
    const rank = (one: Diagnostic): number => (one.file === setFile ? 1 : 0);
    return this.#all.toSorted((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
  }
}

/** A span that goes over lines is underlined up to the end of its first one. */
function spanLength({ source, start, end }: Spot): number {
  const text = source.text.slice(start, Math.max(start, end));
  const firstLine = text.split(/[\r\n]/, 1)[0] ?? "";
  return Math.max(1, firstLine.trimEnd().length);
}
