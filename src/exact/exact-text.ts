import { countOf, expectationLines, newLayout, plain, readableDuration, wrap } from "../report/index.js";
import type { ExactInput, ExactRequest, SeenFailure } from "../scenario/index.js";
import { parseForm } from "../wire/index.js";
import type { ExactAnswer } from "./exact-answer.js";
import { answerText } from "./judge-exact.js";
import type { ExactOutcome } from "./play-at.js";

/** The outcome of a bug file for a terminal: the requests with their answers, what is right, the verdict. */
export function renderExact(
  input: ExactInput,
  outcome: ExactOutcome,
  page: { readonly colour: boolean; readonly width: number },
): string {
  const sheet = newLayout({ ...page, names: ["1"], counts: [0] });
  const { paint, width } = sheet;
  const broken = new Set(
    input.expect.filter((_, place) => outcome.expectations[place]?.held === false).map(({ request }) => request),
  );
  const lines = input.requests.flatMap((request, place) => {
    const number = place + 1;
    const head = `  ${number}  ${requestText(request)}${momentOf(request, input.requests[place - 1])}`;
    const answer = outcome.answers[place];
    const came = `→ ${answer === undefined ? "not sent" : plain(answerText(answer))}`;
    const colour = broken.has(number) ? paint.red : paint.dim;
    return [
      ...wrap(head.trim(), width - 7).map((line, row) => (row === 0 ? `  ${line}` : `     ${line}`)),
      ...wrap(came, width - 7).map((line, row) => colour(`     ${row === 0 ? "" : "  "}${line}`)),
    ];
  });
  return [
    ...wrap(plain(input.about ?? input.name), width).map((line) => paint.bold(line)),
    "",
    ...lines,
    "",
    ...expectationLines(outcome.expectations, sheet),
    "",
    ...wrap(verdictText(input, outcome), width).map((line) =>
      outcome.exitCode === 0 ? paint.green.bold(line) : paint.red.bold(line),
    ),
    "",
  ].join("\n");
}

/** The verdict in one sentence. */
export function verdictText(
  { seen, requests }: ExactInput,
  { exitCode, expectations, problem, plays, wanted }: ExactOutcome,
): string {
  if (exitCode === 3) return `✘ not judged: ${problem ?? "the receiver did not answer"}`;
  const before = seenText(seen, requests.length);
  if (exitCode === 0) {
    return expectations.length === 0
      ? "✔ all requests were answered; the file says nothing about what is right"
      : `✔ the bug is not there${before === "" ? "" : ` (it was: ${before})`}${playsText(plays, wanted)}`;
  }
  const broken = expectations.filter(({ held }) => !held).length;
  return `✘ the bug is there: ${broken} of ${countOf(expectations.length, "expectation")} broken${before === "" ? "" : `; seen before: ${before}`}`;
}

/** How far a pass of a bug that does not always show can be trusted. */
function playsText(plays: number, wanted: number): string {
  if (plays >= wanted) return plays === 1 ? "" : `, in ${plays} plays`;
  return `, in one play; it does not show each time, so start the receiver with -- COMMAND, which plays it up to ${wanted} times`;
}

function seenText(seen: SeenFailure | undefined, requests: number): string {
  const { condition, request, runs } = seen ?? {};
  return [
    ...(condition === undefined ? [] : [condition]),
    ...(request === undefined || requests === 1 ? [] : [`at request ${request}`]),
    ...(runs === undefined ? [] : [runs === "1 of 1" ? "once" : `in ${runs} runs`]),
  ].join(" ");
}

/** When a request is sent, after the one before. */
function momentOf({ atMs, with: together }: ExactRequest, before: ExactRequest | undefined): string {
  if (before === undefined) return "";
  if (together !== undefined) return ", at the same moment";
  return atMs === before.atMs ? "" : `, ${readableDuration(atMs - before.atMs)} later`;
}

/** The request in a few words: its type, its person and its text. */
export function requestText({ body, type, path }: Pick<ExactRequest, "body" | "type" | "path">): string {
  const fields = new Map(parseForm(body).toReversed());
  const { phone, text } = { phone: fields.get("phone"), text: fields.get("text") };
  const words = [
    type === "" ? "(no event type)" : type,
    ...(phone === undefined ? [] : [phone === "" ? "(no number)" : phone]),
    ...(text === undefined ? [] : [`“${text.length > 60 ? `${Array.from(text).slice(0, 60).join("")}…` : text}”`]),
    ...(path === undefined ? [] : [path]),
  ];
  return plain(words.join(" "));
}

/** The outcome as one JSON object. */
export function exactJson(input: ExactInput, outcome: ExactOutcome): object {
  const { answers, expectations, receiver, exitCode, problem } = outcome;
  return {
    bug: input.name,
    ...(input.about !== undefined && { about: input.about }),
    receiver,
    verdict: exitCode === 3 ? "not-judged" : exitCode === 1 ? "there" : "not-there",
    requests: input.requests.map((request, place) => ({
      at: request.atMs,
      type: request.type,
      body: request.body,
      ...(request.with !== undefined && { with: request.with }),
      answer: answerJson(answers[place]),
    })),
    expectations,
    ...(input.seen !== undefined && { seen: input.seen }),
    problems: problem === undefined ? [] : [problem],
  };
}

function answerJson(answer: ExactAnswer | undefined): object | null {
  if (answer === undefined) return null;
  const { status, error, body, tookMs, reply } = answer;
  return { status, error, body, ms: Math.round(tookMs * 10) / 10, ...(reply !== undefined && { reply }) };
}
