import { countOf, labelled, newLayout, plain, readableDuration } from "../../report/index.js";
import type { ExactRequest } from "../../scenario/index.js";
import { formField, parseForm } from "../../wire/index.js";
import { rightBehaviour } from "../../exact/index.js";
import type { InputCounts, Minimised } from "./options.js";
import { MEASURED_RUNS } from "./target-trials.js";

/** What the text needs beside the result. */
export interface MinimisePage {
  readonly colour: boolean;
  readonly width: number;
  /** The command that writes the result as a bug file, if none was written. */
  readonly next: readonly string[];
}

/** Other failures that are listed. */
const OTHERS_SHOWN = 5;

/** Events that are listed. */
const LISTED = 30;

/** The result for a terminal: what was before, what is left, and why nothing can go. Ends with a newline. */
export function renderMinimised(result: Minimised, page: MinimisePage): string {
  const sheet = newLayout({ ...page, names: ["should be", "fails with"], counts: [] });
  const { red, green, yellow, dim } = sheet.paint;
  const line = (name: string, text: string): string[] => labelled(name, text, sheet);
  const { before, after, events } = result;
  const rows: string[] = [];
  const fails = `${result.condition}${result.took === "" ? "" : ` (--while auto: ${result.took})`}`;
  if (!result.reproduced && !result.contaminated) {
    return [
      yellow.bold(`✘ does not fail: ${result.failed} of ${countOf(result.of, "play")}`),
      "",
      ...line("fails with", fails),
      ...line("played", countsText(before)),
      ...(result.of < MEASURED_RUNS
        ? line(
            "note",
            "the time limit allowed no further play; a failure that does not always show may need more: --time-limit 5m",
          )
        : []),
      ...othersText(result).flatMap((text) => line("others", text)),
      ...line("next", 'if the receiver remembers earlier plays, start it again: -- COMMAND, or --reset "POST /reset"'),
      "",
    ].join("\n");
  }
  if (result.contaminated) {
    return [
      red.bold("✘ not minimised: the receiver remembers earlier plays"),
      "",
      ...line("fails with", fails),
      ...line("seen", plain(result.contamination)),
      ...line("so", "a trial would show what the trials before it left behind, and the result would be wrong"),
      ...line(
        "next",
        'let each trial start fresh: -- COMMAND starts the receiver for each trial, --reset "POST /reset" or --reset "./reset.sh" resets it',
      ),
      "",
    ].join("\n");
  }
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  const { rate } = result;
  const often =
    rate.of === 1
      ? "played once: how often was not measured"
      : rate.times === rate.of
        ? `in each of ${countOf(rate.of, "run")} (so in ${percent(rate.low)} or more of all)`
        : `in ${rate.times} of ${countOf(rate.of, "run")} (${percent(rate.low)} to ${percent(rate.high)} of all): it is flaky, so trials were repeated`;
  rows.push(
    result.oneMinimal
      ? green.bold(`✔ ${countOf(before.events, "event")} reduced to ${after.events}, and none of them can go`)
      : yellow.bold(`! ${reducedText(result)}: ${result.endedBy.replace(/: --.*/s, "")}`),
    "",
    ...line("fails with", fails),
    ...line("how often", often),
    ...line("before", countsText(before)),
    ...line("left", countsText(after)),
    "",
    ...eventLines(events, result.failsAt, sheet.width, { mark: (text) => red(text), dim: (text) => dim(text) }),
    "",
    ...line("answer", answerText(result)),
  );
  const should = shouldBe(result);
  if (should !== "") rows.push(...line("should be", should));
  rows.push(
    ...line("minimal", result.oneMinimal ? provenText(result) : `not proven, ${result.endedBy}`),
    ...result.notes.flatMap((note) => line("note", note)),
    ...othersText(result).flatMap((text) => line("others", text)),
    ...line(
      "search",
      `${countOf(result.trials, "trial")}, ${countOf(result.plays, "play")} in all, ${result.seconds} s`,
    ),
    ...(result.bug === null ? [] : line("bug file", result.bug)),
    ...page.next.flatMap((command) => line("next", command)),
    "",
  );
  return rows.join("\n");
}

function countsText({ events, people, handsets, span }: InputCounts): string {
  const of = [
    people === 0 ? "" : countOf(people, "person", "people"),
    handsets === 0 ? "" : countOf(handsets, "handset"),
  ];
  const named = of.filter((text) => text !== "").join(", ");
  return `${countOf(events, "event")}${named === "" ? "" : ` (${named})`}${events > 1 ? ` in ${readableDuration(span)}` : ""}`;
}

/** A result that is not known to be the smallest. */
function reducedText({ before, after }: Minimised): string {
  return after.events < before.events
    ? `${countOf(before.events, "event")} reduced to ${after.events} so far`
    : `${countOf(before.events, "event")}, not reduced`;
}

function provenText({ events, rate }: Minimised): string {
  if (events.length === 1) return "this one event alone fails";
  const often = rate.times === rate.of ? "" : ", as far as repeated trials show";
  return `each of the ${events.length} events was removed by itself, and the failure went away${often}`;
}

function othersText({ others }: Minimised): string[] {
  const shown = others.slice(0, OTHERS_SHOWN).map(({ condition, events, oneMinimal, bug }) => {
    const met = `${plain(condition)} was met, too`;
    const size = oneMinimal
      ? `${countOf(events, "event")} ${events === 1 ? "shows" : "show"} it`
      : `after ${countOf(events, "event")}, which were not minimised`;
    const next = bug === null ? `--while '${plain(condition)}'` : bug;
    return `${met}: ${size}: ${next}`;
  });
  const more = others.length - shown.length;
  return more > 0 ? [...shown, `${countOf(more, "further one")}`] : shown;
}

function answerText({ answer, seen }: Minimised): string {
  if (seen !== undefined) return plain(seen);
  if (answer === undefined) return "";
  if (answer.status === null) return answer.error === "ETIMEDOUT" ? "none in time" : `none: ${answer.error}`;
  const body = plain(answer.body).slice(0, 160);
  return `${answer.status}${body === "" ? ", without a body" : ` ${body}`}`;
}

/** The right behaviour, as far as the condition tells. */
function shouldBe({ failure, events, failsAt }: Minimised): string {
  const { words, ofRequest } = rightBehaviour(failure, 5000);
  const isAtEvent = failsAt !== null && events.length > 1 && ofRequest !== undefined;
  return isAtEvent ? `${words}, at event ${failsAt}` : words;
}

function eventLines(
  events: readonly ExactRequest[],
  failsAt: number | null,
  width: number,
  paint: { readonly mark: (text: string) => string; readonly dim: (text: string) => string },
): string[] {
  const shown = events.length <= LISTED ? events : [...events.slice(0, LISTED - 5), ...events.slice(-5)];
  const digits = String(events.length).length;
  let beforeMs = 0;
  const lines = shown.flatMap((request, place) => {
    const number =
      place < LISTED - 5 || events.length <= LISTED ? place + 1 : events.length - (shown.length - place) + 1;
    const gapMs = request.atMs - beforeMs;
    beforeMs = request.atMs;
    const when = number === 1 ? "" : request.with === "previous" ? "at the same moment" : `+${readableDuration(gapMs)}`;
    const isLast = number === failsAt;
    const head = `${isLast ? "✘" : " "} ${String(number).padStart(digits)}  ${(request.type === "" ? "event" : request.type).padEnd(7)} `;
    const text = `${describe(request.body)}${when === "" ? "" : `  ${when}`}`;
    const cut = head.length + text.length > width ? `${text.slice(0, width - head.length - 1)}…` : text;
    const whole = `${head}${cut}`;
    const gap =
      events.length > LISTED && place === LISTED - 5 ? [paint.dim(`    … ${events.length - LISTED} more`)] : [];
    return [...gap, isLast ? paint.mark(whole) : whole];
  });
  return lines;
}

/** The person, the words and the rest of a body that is not usual. */
function describe(body: string): string {
  const phone = formField(body, "phone");
  const text = formField(body, "text");
  const other = parseForm(body).filter(
    ([key]) =>
      ![
        "event",
        "phone",
        "text",
        "relayer",
        "channel",
        "relayer_phone",
        "channel_phone",
        "contact",
        "contact_name",
        "urn",
        "time",
        "status",
        "direction",
      ].includes(key),
  );
  const parts = [
    ...(phone === undefined ? [] : [plain(phone)]),
    ...(text === undefined ? [] : [`"${plain(text)}"`]),
    ...(text === undefined
      ? other.slice(0, 4).map(([key, value]) => `${plain(key)}=${plain(value).slice(0, 24)}`)
      : []),
  ];
  return parts.length === 0 ? plain(body).slice(0, 200) : parts.join("  ");
}
