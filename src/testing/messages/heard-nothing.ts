import { AssertionError } from "node:assert";
import type { TextPattern } from "../lab/lab-face.js";
import type { Span } from "../lab/spans.js";
import { spanMs } from "../lab/spans.js";
import type { LabFace } from "../lab/lab-face.js";
import { durationLiteral } from "../../scenario/index.js";
import type { callersStack } from "./callers-stack.js";
import { diagnosisOf } from "./diagnosis.js";
import { receiverLines } from "./receiver-lines.js";
import { clockText, patternText, quoted } from "./words.js";

/** The wait for a text that did not come. */
export interface MissedText {
  readonly who: string;
  readonly pattern: TextPattern;
  readonly within: Span;
  readonly origin: ReturnType<typeof callersStack>;
}

/** The error of a text that a person did not hear: what was sent and answered, what was heard instead, and why. */
export function heardNothing(lab: LabFace, missed: MissedText): AssertionError {
  const message = missedText(lab, missed);
  return missed.origin.put(new AssertionError({ message, operator: "hears" }));
}

/** The words of `heardNothing`. */
export function missedText(lab: LabFace, { who, pattern, within }: Omit<MissedText, "origin">): string {
  const heard = lab.heardBy(who);
  const { timeoutMs } = lab.scenario.service;
  const waited = durationLiteral(spanMs(within, "within"));
  return [
    `${who} did not hear ${patternText(pattern)} within ${waited} (until ${clockText(lab.nowMs)} of lab time)`,
    "",
    ...(heard.length === 0
      ? ["Heard instead: nothing"]
      : [
          "Heard instead:",
          ...heard.map(({ atMs, text, handset }) => `  ${clockText(atMs)}  ${quoted(text)} from ${handset}`),
        ]),
    "",
    `Sent to your receiver${lab.receiver.url === undefined ? "" : ` (${lab.receiver.url})`}:`,
    ...receiverLines(lab.events(), { timeoutMs }),
    ...diagnosisOf(lab, who).flatMap((line) => ["", line]),
  ].join("\n");
}
