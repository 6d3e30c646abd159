import { setFile, type Diagnostic } from "./diagnostic.js";
import type { Path, Problem, Spot } from "./written.js";

/** A problem, and where it is that nothing stands at a path: that path. */
interface Told {
  readonly diagnostic: Diagnostic;
  readonly needs: Path | undefined;
}

/** Takes down problems as diagnostics; a bound keeps a hopeless file from filling the memory. */
export class Problems {
  readonly #all: Told[] = [];
  readonly #seen = new Set<string>();
  readonly #meant = new Set<string>();

  /**
   * @param problem - its message a whole sentence
   * @param needs - the problem is that nothing stands at this path: it is dropped where a key was misspelled for it
   */
  add(spot: Spot, problem: Pick<Problem, "code" | "message" | "hint" | "severity">, needs?: Path): void {
    const { file, line, column, length } = placeOf(spot);
    const key = `${file} ${line} ${column} ${problem.code} ${problem.message}`;
    if (this.#seen.has(key) || this.#all.length >= 1000) return;
    this.#seen.add(key);
    const diagnostic: Diagnostic = {
      severity: problem.severity ?? "error",
      code: problem.code,
      file,
      line,
      column,
      length,
      message: problem.message,
      ...(problem.hint !== undefined && { hint: problem.hint }),
      ...(spot.source.isNamed === true && { text: spot.source.text.split(/\r?\n/)[line - 1] ?? "" }),
    };
    this.#all.push({ diagnostic, needs });
  }

  /** A key that was told to be unknown was most likely meant to be this one: it is not missed any more. */
  meant(path: Path): void {
    this.#meant.add(keyOf(path));
  }

  /** Whether a key was misspelled for the one at a path. */
  isMeant(path: Path): boolean {
    return this.#meant.has(keyOf(path));
  }

  get hasErrors(): boolean {
    return this.#all.some(({ diagnostic }) => diagnostic.severity === "error");
  }

  /** In the order of the file, those of `--set` last. */
  inOrder(): Diagnostic[] {
    return inFileOrder(this.told().map(({ diagnostic }) => diagnostic));
  }

  /** In the order in which they were found. */
  told(): readonly Told[] {
    return this.#all.filter(({ needs }) => needs === undefined || !this.isMeant(needs));
  }
}

function keyOf(path: Path): string {
  return JSON.stringify(path.map(String));
}

/** Sorts by place, those of `--set` last. */
export function inFileOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const rank = (one: Diagnostic): number => (one.file === setFile ? 1 : 0);
  return diagnostics.toSorted((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
}

/** Where a diagnostic on a span points; a span that goes over lines is underlined up to the end of its first one. */
export function placeOf({ source, start, end }: Spot): Pick<Diagnostic, "file" | "line" | "column" | "length"> {
  const text = source.text.slice(start, Math.max(start, end));
  const firstLine = text.split(/[\r\n]/, 1)[0] ?? "";
  return { file: source.file, ...source.positionAt(start), length: Math.max(1, firstLine.trimEnd().length) };
}
