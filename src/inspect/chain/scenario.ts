import { findSubject } from "../../report/index.js";
import {
  durationLiteral,
  parseDuration,
  parseScenario,
  type WrittenTree,
  writtenTree,
  writtenYaml,
} from "../../scenario/index.js";
import type { RecordingReader, StoredLoss, TracedEvent } from "../../store/index.js";
import { formatTimestamp, formField } from "../../wire/index.js";
import { scenarioOf } from "../recorded-scenario.js";
import { aboutOf, type ChainAbout } from "./about.js";
import { castOf } from "./cast.js";
import { carrierFactsOf, causeSteps, verbArgs } from "./causes.js";
import { boundsOf, type ChainSeen, expectationsOf, isToNobody } from "./expectation.js";
import { involvedIn, noScenario } from "./involved.js";
import { sendSteps, spokenSteps } from "./spoken.js";
import { storyOf, type TimedStep } from "./story.js";

/** A scenario that plays the steps that led to an event or message. */
export interface ChainScenario {
  /** Valid: this version's parser has checked it. */
  readonly yaml: string;
  /** What the scenario does not reproduce exactly, in sentences; the YAML has them as comments, too. */
  readonly notes: readonly string[];
}

/** The wanted events of a channel, newest first. The caller bounds how many events it looks at. */
export type ChainEvents = (
  channel: number,
  isWanted: (event: Pick<TracedEvent, "type" | "atMs" | "body">) => boolean,
) => Iterable<TracedEvent>;

/**
 * Virtual time from the chain's last event to the instant of its judgement, and from there to the end of the scenario.
 */
const MARGIN_MS = 60_000;

const NOBODY_NOTE =
  "In the recording nobody had a number that messages went to; here a person has it, and receives them.";

const BUNDLED_NOTE =
  "Steps `receiver` make the bundled receiver fail as the recorded one did: remove them to play it against another receiver with `-r URL`.";

/**
 * Makes a scenario that reproduces what led to an event or message. It has the handsets and people of the chain, the
 * story's and hands' steps on them, and the recorded texts and calls. Lost syncs, lost and doubled texts and failed
 * answers of the receiver become steps; the recorded result becomes an expectation. It needs no receiver: the bundled
 * one answers like the recorded one.
 *
 * @param source - `reachedMs`: virtual time that the recording has reached
 * @throws UnknownIdError for an unknown id; LabError `bad-options` if no sound scenario can be made
 */
export function chainScenario(
  reader: RecordingReader,
  { id, reachedMs, eventsOf }: { readonly id: string; readonly reachedMs: number; readonly eventsOf: ChainEvents },
): ChainScenario {
  const subject = findSubject(reader, id);
  const meta = reader.meta();
  const scenario = scenarioOf(meta, reader.path);
  const set = JSON.parse(meta.options["set"] ?? "[]") as string[];
  const written = writtenTree(meta.scenario.text, set);
  if (written === undefined) throw noScenario("this version cannot read the scenario of the recording");
  const about = aboutOf(reader, subject);
  const involved = involvedIn(scenario, about);
  const notes: string[] = [];
  const seen = seenUntil(about, { reachedMs, eventsOf });
  const { untilMs } = seen;
  const losses = lossesOf(reader, about, untilMs);
  const told = storyOf({ reader, scenario, written, involved, untilMs, notes });
  const hasFlows = written["data"] !== undefined;
  const said = [
    ...spokenSteps({ events: seen.events, losses, involved, notes }),
    ...sendSteps(about, { involved, hasFlows, notes }),
  ];
  const judgedAtMs = Math.ceil((untilMs + 1) / 1000) * 1000;
  const causes = causeSteps({ reader, about, involved, losses, told });
  const story = [
    ...told.filter((step) => !said.some((one) => isSame(step, one))),
    ...causes,
    ...said,
    ...expectationsOf({ reader, about, seen, involved, judgedAtMs }),
  ].toSorted((a, b) => a.atMs - b.atMs || a.rank - b.rank);
  const endMs = judgedAtMs + MARGIN_MS;
  const bounds = boundsOf(reader, about);
  const tree: WrittenTree = {
    name: `From ${scenario.name}: ${about.title}`,
    seed: String(meta.seed),
    starts: formatTimestamp(meta.startsAtMs),
    lasts: durationLiteral(endMs),
    timezone: scenario.cast.timezone,
    ...castOf(written, involved, { carrier: carrierFactsOf(reader, about), notes }),
    story: story.map(({ atMs, step }) => ({ at: durationLiteral(atMs), ...withinEnd(step, endMs - atMs) })),
    ...(bounds.length > 0 && { expect: bounds }),
  };
  if (about.messages.some((message) => isToNobody(reader, message))) notes.push(NOBODY_NOTE);
  if (causes.some(({ step }) => "receiver" in step)) notes.push(BUNDLED_NOTE);
  const yaml = commented(writtenYaml(tree), { reader, about, notes });
  checkSound(yaml, reader, about);
  return { yaml, notes };
}

function seenUntil(
  { atMs, ends, events }: ChainAbout,
  { reachedMs, eventsOf }: { readonly reachedMs: number; readonly eventsOf: ChainEvents },
): ChainSeen {
  const untilMs = atMs + MARGIN_MS;
  const types = new Set(events.map(({ type }) => type));
  const found = [...new Set(ends.map(({ channel }) => channel))].flatMap((channel) => {
    const phones = ends.flatMap((end) => (end.channel === channel ? [end.phone] : []));
    const isWanted = ({ type, body }: Pick<TracedEvent, "type" | "body">): boolean =>
      phones.some((phone) => (phone === undefined ? types.has(type) : formField(body, "phone") === phone));
    return [...eventsOf(channel, (event) => event.atMs <= untilMs && isWanted(event))];
  });
  return { events: found, untilMs, isFinal: reachedMs > untilMs + 1000 };
}

function lossesOf(reader: RecordingReader, { ends }: ChainAbout, untilMs: number): StoredLoss[] {
  return ends.flatMap(({ channel, phone }) =>
    phone === undefined ? [] : reader.lookup().lossesBetween({ channel, phone }, untilMs),
  );
}

/**
 * Whether a story step and a recorded text are the same text. The recorded one replaces the story's, whose text may
 * vary.
 */
function isSame(told: TimedStep, said: TimedStep): boolean {
  return (["text", "call", "send"] as const).some((verb) => {
    const [one, other] = [verbArgs(told.step, verb), verbArgs(said.step, verb)];
    if (one === undefined || other === undefined || told.atMs !== said.atMs) return false;
    return ["from", "to", "via"].every((key) => one[key] === other[key]);
  });
}

/** Removes the duration of a change that outlasts the scenario. */
function withinEnd(step: WrittenTree, leftMs: number): WrittenTree {
  return Object.fromEntries(
    Object.entries(step).map(([verb, args]) => {
      const span = verbArgs(step, verb)?.["for"];
      if (typeof span !== "string" || (parseDuration(span) ?? 0) <= leftMs) return [verb, args];
      const { for: _, ...rest } = verbArgs(step, verb) ?? {};
      return [verb, rest];
    }),
  );
}

/** @throws LabError `bad-options` if the parser refuses it */
function checkSound(yaml: string, reader: RecordingReader, { title }: ChainAbout): void {
  const meta = reader.meta();
  const files = JSON.parse(meta.options["files"] ?? "{}") as Record<string, string>;
  const { scenario: made, diagnostics } = parseScenario(yaml, {
    file: "chain.yaml",
    nowMs: meta.startsAtMs,
    readFile(name) {
      const text = files[name];
      if (text === undefined) throw new Error("it is not in the recording");
      return text;
    },
  });
  if (made !== undefined) return;
  const [first] = diagnostics;
  throw noScenario(`what led to ${title} gives no valid scenario: ${first?.message ?? "unknown"}`);
}

function commented(
  yaml: string,
  { reader, about, notes }: { reader: RecordingReader; about: ChainAbout; notes: readonly string[] },
): string {
  const { name, scenario } = reader.meta();
  const lines = [
    `Made from ${about.title} of a recording of '${name}' (${scenario.file}).`,
    "It has the handsets and people involved, the changes by story, hands and chance, and the texts and calls.",
    ...(notes.length > 0 ? ["What to know:", ...notes.map((note) => `- ${note}`)] : []),
  ];
  return `${lines.map((line) => `# ${line.replaceAll(/[\r\n]+/g, " ")}`).join("\n")}\n${yaml}`;
}
