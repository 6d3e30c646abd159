import { answerLines, countOf, labelled, newLayout } from "../report/index.js";
import { type DiffResult, isDifferent } from "./diff.js";

/** Names of the two receivers in texts. */
const sides = { recorded: "A", now: "B" } as const;

/** The comparison for a terminal: the first divergence in detail, then all. Ends with a newline. */
export function renderDiff(
  { receivers, answers, differences, consequences }: DiffResult,
  page: { readonly colour: boolean; readonly width: number },
): string {
  const sheet = newLayout({ ...page, names: ["answers", "consequences"], counts: [] });
  const { onlyFirst, onlySecond, answers: again } = consequences;
  const follows = [
    ...(again === 0 ? [] : [`${countOf(again, "further answer")} to people who were answered otherwise before`]),
    ...(onlyFirst === 0 ? [] : [`${countOf(onlyFirst, "event")} only with A`]),
    ...(onlySecond === 0 ? [] : [`${countOf(onlySecond, "event")} only with B`]),
  ];
  const headline =
    answers.differing > 0
      ? "✘ the two receivers answer differently"
      : isDifferent({ answers, consequences })
        ? "✘ no answer differs, but the events do: what is ignored led to other events"
        : "✔ no difference";
  const { red, green } = sheet.paint;
  return [
    `A  ${receivers[0]}`,
    `B  ${receivers[1]}`,
    (headline.startsWith("✘") ? red : green).bold(headline),
    "",
    ...answerLines(answers, differences, sheet, sides),
    ...(follows.length === 0 ? [] : ["", ...labelled("consequences", follows.join(" · "), sheet)]),
    "",
  ].join("\n");
}
