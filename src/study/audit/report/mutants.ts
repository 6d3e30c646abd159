import { Chalk } from "chalk";
import { wrap } from "../../../report/index.js";
import type { Mutant, MutantsResult } from "../mutants/mutants.js";
import type { AuditPage } from "./render.js";

/** The mutation score for a terminal. Ends with a newline. */
export function renderMutants(result: MutantsResult, { colour, width }: AuditPage): string {
  const paint = new Chalk({ level: colour ? 1 : 0 });
  const columns = Math.max(40, Math.floor(width));
  const { mutants, score, found, of, falseFindings, seconds } = result;
  const percent = (Math.floor(score * 1000) / 10).toFixed(1);
  const hang = (sign: string, text: string): string[] =>
    wrap(text, columns - 4).map((line, index) => `  ${index === 0 ? sign : " "} ${line}`);
  const list = (title: string, sign: string, all: readonly Mutant[], textOf: (mutant: Mutant) => string): string[] =>
    all.length === 0 ? [] : ["", paint.bold(title), ...all.flatMap((mutant) => hang(sign, textOf(mutant)))];
  const seen = mutants.filter(({ unseen }) => unseen === undefined);
  return [
    (score >= 0.95 ? paint.green : paint.red).bold(
      `Mutation score ${percent} %: ${found} of ${of} built-in bugs found in ${seconds} s`,
    ),
    falseFindings.length === 0
      ? "Without a bug: no finding."
      : paint.red(`Without a bug: ${falseFindings.length} findings, each a false accusation.`),
    ...falseFindings.flatMap((text) => hang("✘", text)),
    ...list(
      "Not found",
      "✘",
      seen.filter(({ isFound }) => !isFound),
      ({ name, story }) => `${name}: ${story}`,
    ),
    ...list(
      "Not to be seen by an audit",
      "·",
      mutants.filter(({ unseen }) => unseen !== undefined),
      ({ name, unseen }) => `${name}: ${unseen}`,
    ),
    ...list(
      "Found",
      "✔",
      seen.filter(({ isFound }) => isFound),
      ({ name, findings }) => `${name}: ${findings.slice(0, 3).join(", ")}${findings.length > 3 ? " …" : ""}`,
    ),
    "",
  ].join("\n");
}
