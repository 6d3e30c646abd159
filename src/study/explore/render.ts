import { countOf, labelled, newLayout, plain, readableDuration } from "../../report/index.js";
import type { Explored, ExploredFailure } from "./options.js";

/** What the text needs beside the result. */
export interface ExplorePage {
  readonly colour: boolean;
  readonly width: number;
  /** The command that plays a bug file. */
  readonly play: (bug: string) => string;
}

/** Answers that are listed: the last ones are the deepest. */
const LISTED = 8;

const endings: Readonly<Record<Explored["endedBy"], string>> = {
  time: "its time was over: --for gives it more",
  trials: "the limit of --trials was reached",
  failures: "the limit of --failures was reached",
  stopped: "it was stopped by hand",
  receiver: "the receiver was gone",
};

/** The result for a terminal. Ends with a newline. */
export function renderExplored(result: Explored, page: ExplorePage): string {
  const sheet = newLayout({ ...page, names: ["fails with", "bug file"], counts: [] });
  const { red, yellow, bold } = sheet.paint;
  const line = (name: string, text: string): string[] => labelled(name, plain(text), sheet);
  const { found, trials, seconds, seed, discoveries, endedBy, trouble, isFresh } = result;
  const effort = `${countOf(trials, "trial")} (${readableDuration(Math.round(seconds) * 1000)})`;
  const rows =
    found.length > 0
      ? [red.bold(`✘ ${countOf(found.length, "failure")} found in ${effort}`), ""]
      : [yellow.bold(`– no failure found in ${effort}`), ""];
  for (const [place, failure] of found.entries()) {
    rows.push(bold(`${place + 1}. ${plain(failure.seen)}`), ...failureLines(failure, page, line), "");
  }
  rows.push(
    ...line("ended", trouble === "" ? endings[endedBy] : `the receiver was gone: ${trouble}`),
    ...line("seed", `${seed}: the same seed varies in the same way, as long as the receiver answers the same`),
    ...line("answers", `${countOf(discoveries.length, "different answer")}, the last ones found:`),
    ...discoveries.slice(-LISTED).flatMap(({ trial, what }) => line("", `trial ${trial}: ${what}`)),
  );
  if (!isFresh) {
    rows.push(
      ...line(
        "note",
        "each trial began where the one before had left the receiver, so a failure may come from an earlier one: " +
          '-- COMMAND starts the receiver for each trial, --reset "POST /reset" resets it',
      ),
    );
  }
  if (found.length === 0) {
    rows.push(
      ...line(
        "next",
        "that no failure was found is no proof: explore longer (--for 1h), from another scenario or seed, " +
          "or with --while hears-twice, 'check { http: GET /health, status: 200 }' or what else must never happen",
      ),
    );
  }
  return `${rows.join("\n")}\n`;
}

function failureLines(
  { condition, trial, file, events, minimiseTrials, oneMinimal, note }: ExploredFailure,
  { play }: ExplorePage,
  line: (name: string, text: string) => string[],
): string[] {
  const when = trial === 1 ? "by the scenario as it is" : `in trial ${trial}`;
  const rows = [...line("fails with", condition), ...line("found", when)];
  if (note !== "") return [...rows, ...line("scenario", file), ...line("note", note)];
  const size = `reduced to ${countOf(events ?? 0, "event")} in ${countOf(minimiseTrials, "trial")}`;
  return [
    ...rows,
    ...line("minimal", `${size}${oneMinimal ? ", and no part can go" : "; a smaller one may exist"}`),
    ...line("bug file", file),
    ...line("play", play(file)),
  ];
}
