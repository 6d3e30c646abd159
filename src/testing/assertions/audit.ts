import { AssertionError } from "node:assert";
import type { AuditFinding, AuditOptions, AuditResult } from "../../study/index.js";
import { callersStack } from "../messages/callers-stack.js";
import { excerpt } from "../messages/words.js";

/** Most requests that a message lists for each finding. */
const SENT_MAX = 4;

/**
 * Audits a running receiver, as `handset audit` does, and asserts that nothing is proven against it.
 *
 * @param url - absolute http or https URL where it takes events
 * @returns the whole result, with what was observed and what was not tested
 * @throws AssertionError with each finding: what was sent, what came, and why it matters; LabError `no-receiver` when
 *   nothing listens or no ordinary event is accepted, `bad-options`, `host-not-allowed`
 */
export async function expectAudit(url: string, options: AuditOptions = {}): Promise<AuditResult> {
  const origin = callersStack(expectAudit);
  // Loaded when it is needed, as it is large.
  const { auditReceiver } = await import("../../study/index.js");
  const result = await auditReceiver(url, options);
  if (result.findings.length === 0) return result;
  throw origin.put(new AssertionError({ message: auditText(result), operator: "expectAudit" }));
}

function auditText({ url, grade, findings }: AuditResult): string {
  const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
  return [`The audit of ${url} has ${count} (grade ${grade}):`, ...findings.flatMap(findingLines)].join("\n");
}

function findingLines({ severity, title, seen, sent, got, why, play }: AuditFinding, index: number): string[] {
  const requests = sent.slice(0, SENT_MAX).flatMap(({ body, note }, place) => {
    const answer = got[place];
    return [
      `   sent: ${excerpt(body)}${note === undefined ? "" : ` (${note})`}`,
      ...(answer === undefined ? [] : [`   came: ${answer.status ?? "no answer"} ${excerpt(answer.answer)}`.trimEnd()]),
    ];
  });
  const rest = sent.length - SENT_MAX;
  return [
    "",
    `${index + 1}. ${title} (${severity})`,
    `   ${seen}`,
    ...requests,
    ...(rest > 0 ? [`   and ${rest} more`] : []),
    `   why: ${why}`,
    `   to play it: npx ${play}`,
  ];
}
