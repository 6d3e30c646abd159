import { type Diagnostic, mostListed, setFile } from "./diagnostic.js";
import type { Path, Problem, Span } from "./raw-value.js";

/** A problem; `needs`: the path of the key that it reports as missing. */
interface FoundProblem {
  readonly diagnostic: Diagnostic;
  readonly needs: Path | undefined;
}

/** Limit of remembered problems: a problem that equals a remembered one is ignored. */
const mostCompared = 100_000;

/**
 * Collects problems as diagnostics.
 *
 * It lists the first 200 and counts the rest, because computing suggestions is expensive. So the time to check a file
 * is proportional to its size, whatever the number of problems.
 */
export class Problems {
  readonly #listed: FoundProblem[] = [];
  readonly #seen = new Set<string>();
  readonly #excused = new Set<string>();
  #unlisted: { readonly first: Diagnostic; errors: number; warnings: number } | undefined;

  /**
   * @param problem - its message is a whole sentence
   * @param needs - the problem is a missing key at this path: it is dropped if another problem excuses the key
   */
  add(span: Span, problem: Pick<Problem, "code" | "message" | "hint" | "severity">, needs?: Path): void {
    const { file, line, column, length } = positionOf(span);
    const key = `${file} ${line} ${column} ${problem.code} ${problem.message}`;
    if (this.#seen.has(key)) return;
    if (this.#seen.size < mostCompared) this.#seen.add(key);
    const severity = problem.severity ?? "error";
    const location = { file, line, column, length };
    if (this.#listed.length >= mostListed) {
      this.#countUnlisted(severity, location);
      return;
    }
    const hint = typeof problem.hint === "function" ? problem.hint() : problem.hint;
    const diagnostic: Diagnostic = {
      severity,
      code: problem.code,
      ...location,
      message: problem.message,
      hint,
      text: span.source.isNamed === true ? (span.source.text.split(/\r?\n/)[line - 1] ?? "") : undefined,
    };
    this.#listed.push({ diagnostic, needs });
  }

  #countUnlisted(
    severity: Diagnostic["severity"],
    location: Pick<Diagnostic, "file" | "line" | "column" | "length">,
  ): void {
    const first: Diagnostic = { severity, code: "too-many", ...location, message: "" };
    this.#unlisted ??= { first, errors: 0, warnings: 0 };
    this.#unlisted[severity === "error" ? "errors" : "warnings"]++;
  }

  /** One diagnostic for all unlisted problems, at the place of the first of them. */
  #summariseUnlisted(): Diagnostic[] {
    if (this.#unlisted === undefined) return [];
    const { first, errors, warnings } = this.#unlisted;
    return [summaryOfUnlisted(first, errors, warnings)];
  }

  /** Suppresses reports that a key is missing, because another problem explains it. */
  excuse(path: Path): void {
    this.#excused.add(keyOf(path));
  }

  /** Whether the key at a path is excused. */
  isExcused(path: Path): boolean {
    return this.#excused.has(keyOf(path));
  }

  get hasErrors(): boolean {
    const isError = ({ diagnostic }: FoundProblem): boolean => diagnostic.severity === "error";
    return (this.#unlisted?.errors ?? 0) > 0 || this.#listed.some(isError);
  }

  /** The diagnostics in the order of the file, then those of `--set`, then the summary of unlisted ones. */
  inFileOrder(): Diagnostic[] {
    return inFileOrder(this.inDiscoveryOrder().map(({ diagnostic }) => diagnostic));
  }

  /** The listed problems in the order in which they were found. */
  inDiscoveryOrder(): readonly FoundProblem[] {
    const listed = this.#listed.filter(({ needs }) => needs === undefined || !this.isExcused(needs));
    return [...listed, ...this.#summariseUnlisted().map((diagnostic) => ({ diagnostic, needs: undefined }))];
  }
}

function keyOf(path: Path): string {
  return JSON.stringify(path.map(String));
}

/** The diagnostic that summarises unlisted problems. @param first - place of the first of them */
export function summaryOfUnlisted(first: Omit<Diagnostic, "message">, errors: number, warnings: number): Diagnostic {
  const { file, line, column, length } = first;
  const count = errors + warnings;
  return {
    severity: errors > 0 ? "error" : "warning",
    code: "too-many",
    file,
    line,
    column,
    length,
    message: `and ${count.toLocaleString("en")} more ${count === 1 ? "problem" : "problems"} from here on`,
    hint: `fix the first ${mostListed}, then check again`,
    more: count,
  };
}

/** Sorts by place, then those of `--set`, then the summary of unlisted ones. */
export function inFileOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const rank = (one: Diagnostic): number => (one.code === "too-many" ? 2 : one.file === setFile ? 1 : 0);
  return diagnostics.toSorted((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
}

/** The position of a diagnostic on a span; of a span over several lines only the first line is underlined. */
export function positionOf({ source, start, end }: Span): Pick<Diagnostic, "file" | "line" | "column" | "length"> {
  const text = source.text.slice(start, Math.max(start, end));
  const firstLine = text.split(/[\r\n]/, 1)[0] ?? "";
  return { file: source.file, ...source.positionAt(start), length: Math.max(1, firstLine.trimEnd().length) };
}
