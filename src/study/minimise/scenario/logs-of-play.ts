import type { FailureCondition, FailureTerm } from "../../../expect/index.js";
import { LogJudge } from "../../../exact/index.js";
import { hasLog, reconcileLog } from "../../../inspect/index.js";
import type { ExpectationResult } from "../../../measure/index.js";

type LogTerm = Extract<FailureTerm, { readonly kind: "reconcile" }>;

/** How a log is called among the expectations of a play. */
export function logText({ file, query }: LogTerm): string {
  return `reconcile ${file}${query === undefined ? "" : ` --query "${query}"`}`;
}

/** The receiver's logs that conditions are about, compared with the recording of a play. */
export class LogsOfPlay {
  readonly #terms: readonly LogTerm[];
  readonly #type: string | undefined;
  readonly #url: string;

  constructor(conditions: readonly FailureCondition[], url: string | undefined) {
    this.#terms = conditions.flatMap(({ terms }) => terms.filter((term) => term.kind === "reconcile"));
    this.#type = conditions[0]?.type;
    this.#url = url ?? "http://127.0.0.1/";
  }

  /** What a log has before the play, a clause; empty: nothing. */
  async rowsBefore(): Promise<string> {
    for (const term of this.#terms) {
      const left = await new LogJudge(term).rowsBefore(this.#url);
      if (left !== "") return left;
    }
    return "";
  }

  /** Whether each log has each accepted event once. @throws LabError */
  async compared(recording: string): Promise<ExpectationResult[]> {
    const results: ExpectationResult[] = [];
    for (const term of this.#terms) {
      const { port } = new URL(this.#url);
      const file = term.file.replaceAll("{port}", port);
      const query = term.query?.replaceAll("{port}", port);
      const text = logText(term);
      if (!hasLog({ file })) {
        results.push({ text, held: false, seen: `${file} does not exist` });
        continue;
      }
      const types = this.#type === undefined ? undefined : [this.#type];
      const { listed } = await reconcileLog(recording, file, { query, types });
      const first = listed.missing[0] ?? listed.doubled[0];
      results.push({ text, held: first === undefined, seen: first?.text ?? "it has each accepted event once" });
    }
    return results;
  }
}
