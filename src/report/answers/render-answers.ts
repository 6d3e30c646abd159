import { decodeEvent, onOneLine } from "../../wire/index.js";
import { bulleted, heading, indented, type Layout, labelled } from "../layout.js";
import { countOf, formatCount, readableDuration } from "../number-format.js";
import { clockText } from "../life/index.js";
import { plain } from "../terminal-text.js";
import type { AnswerDifference, AnswersResult, Divergence } from "./answers-result.js";
import type { SeenAnswer } from "./seen-answer.js";

/** Differences that the terminal lists; `--json` has all. */
const LISTED_MAX = 20;

/** The names of the two sides. */
export interface SideNames {
  readonly recorded: string;
  readonly now: string;
}

/** The differences as a problem of the run, in one sentence; undefined: there are none. */
export function answersProblem({ compared, differing, first }: AnswersResult): string | undefined {
  if (first === undefined) return undefined;
  return `${formatCount(differing)} of ${countOf(compared, "answer")} differ, the first at ${clockText(first.atMs)}, event ${first.event}`;
}

/** The comparison: counts, the first divergence in detail, then the list. */
export function answerLines(
  answers: AnswersResult,
  differences: readonly AnswerDifference[],
  sheet: Layout,
  sides: SideNames = { recorded: "recorded", now: "now" },
): string[] {
  const { compared, differing, unrecorded, textless, unanswered, busy, first } = answers;
  const counts = [
    `${countOf(compared, "answer")} compared`,
    differing === 0 ? "none differs" : `${formatCount(differing)} differ`,
    ...(unrecorded === 0 ? [] : [`${countOf(unrecorded, "event")} without an answer of ${sides.recorded}`]),
    ...(textless === 0
      ? []
      : [`${countOf(textless, "answer")} by status and time only: the recorded text is not known`]),
    ...(unanswered === 0 ? [] : [`${countOf(unanswered, "event")} without an answer of ${sides.now}`]),
    ...(busy === 0 ? [] : [`${countOf(busy, "slow answer")} not judged, as this machine was busy`]),
  ];
  const lines = labelled("answers", counts.join(" · "), sheet);
  if (first === undefined) return lines;
  return [
    ...lines,
    "",
    heading("First divergence", sheet),
    ...divergenceLines(first, sheet, sides),
    "",
    heading("All differences", sheet),
    ...differences
      .slice(0, LISTED_MAX)
      .flatMap((one) => bulleted(sheet.paint.red("✘"), differenceText(one, sides), sheet)),
    ...(differences.length > LISTED_MAX
      ? indented(`${formatCount(differences.length - LISTED_MAX)} more: --json has all`, 4, sheet.paint.dim, sheet)
      : []),
  ];
}

/** Where two answers part: the event, and each side's answer. */
function divergenceLines(first: Divergence, sheet: Layout, sides: SideNames): string[] {
  const { event, try: tryNumber, atMs, type, body } = first;
  const tries = tryNumber === 1 ? "" : `, attempt ${tryNumber}`;
  return [
    ...labelled("event", `${event} at ${clockText(atMs)}${tries}: ${eventText(type, body)}`, sheet),
    ...labelled(sides.recorded, answerText(first.recorded), sheet),
    ...labelled(sides.now, answerText(first.now), sheet, sheet.paint.yellow),
  ];
}

function answerText({ status, reply, recipients, latencyMs }: SeenAnswer): string {
  const to = recipients.length === 0 ? "" : ` to ${recipients.join(", ")}`;
  const replied = reply === null ? "no reply" : `${quoted(reply)}${to}`;
  return `${status}, ${replied}, after ${readableDuration(latencyMs)}`;
}

function differenceText({ event, atMs, what, recorded, now }: AnswerDifference, sides: SideNames): string {
  const value = (of: number | string | null): string =>
    of === null ? "none" : typeof of === "number" || what === "status" || what === "latency" ? String(of) : quoted(of);
  return `${event} at ${clockText(atMs)}: ${what} ${value(recorded)} (${sides.recorded}), ${value(now)} (${sides.now})`;
}

function quoted(text: string): string {
  return text.startsWith("(") && text.endsWith(")") ? text : `"${plain(onOneLine(text))}"`;
}

/** `mo_sms from +250…: "join"` */
function eventText(type: string, body: string): string {
  const { event } = decodeEvent(body);
  const fields = event as unknown as { readonly phone?: unknown; readonly text?: unknown };
  const way = type.startsWith("mo") ? "from" : "to";
  const phone = typeof fields.phone === "string" ? ` ${way} ${plain(fields.phone)}` : "";
  const text = typeof fields.text === "string" ? `: ${quoted(fields.text)}` : "";
  return `${plain(type)}${phone}${text}`;
}
