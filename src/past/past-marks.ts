import type { PastDensity, PastMark } from "../console/index.js";
import {
  beatsOf,
  fakesOf,
  isConditional,
  readHand,
  type Scenario,
  selectMembers,
  type StoryInput,
} from "../scenario/index.js";
import type { RecordedInput, RecordingReader } from "../store/index.js";
import { actPhrase } from "./act-phrase.js";
import type { MarkNames } from "./mark-names.js";
import type { PastPlan } from "./past-plan.js";

/** Most spans of the density. */
const SPANS = 300;
/** Most marks of one kind; beyond that, marks close to each other are merged into one with a count. */
const MARKS_OF_KIND = 200;
/** Most alarms that are read. */
const ALARMS_MAX = 100_000;
/** Longest text of a mark. */
const TEXT_CHARACTERS_MAX = 140;

/** Counts events and failed attempts of a recording in equal spans of virtual time. */
export function densityOf(reader: RecordingReader, untilMs: number): PastDensity {
  const spanMs = Math.max(1, Math.ceil((untilMs + 1) / SPANS));
  const { events, failures } = reader.density(spanMs);
  const count = Math.floor(untilMs / spanMs) + 1;
  const listed = (counts: Map<number, number>): number[] =>
    Array.from({ length: count }, (_, span) => counts.get(span) ?? 0);
  return { spanMs, events: listed(events), failures: listed(failures) };
}

/** A mark whose text is built only if the mark is kept: a recording can have many more marks than the track shows. */
type PossibleMark = Omit<PastMark, "text"> & { readonly text: () => string };

/** The marks of a recording's notable moments, in the order of time. */
export function marksOf(
  reader: RecordingReader,
  { scenario, sessions, untilMs }: PastPlan,
  names: MarkNames,
): PastMark[] {
  const gapMs = untilMs / MARKS_OF_KIND;
  const mark = (kind: PastMark["kind"], atMs: number, text: () => string): PossibleMark => ({
    kind,
    atMs,
    text,
    count: 1,
  });
  const beats = beatsOf(scenario.story);
  const beatTexts = new Set(scenario.story.flatMap(({ input }) => (isBeat(input) ? [input.text] : [])));
  const kinds: PossibleMark[][] = [
    sessions.slice(1).map(({ facts }) => mark("restart", facts.fromMs, () => "The server was started again")),
    beats.map(({ atMs, name }) => mark("beat", atMs, () => name)),
    scenario.story
      .filter((step) => isCause(step.input) && !isConditional(step))
      .map(({ atMs, input }) => mark("cause", atMs, () => actPhrase(input, names))),
    reader
      .alarms(ALARMS_MAX)
      .map(({ channel, atMs }) => mark("alarm", atMs, () => `Alarm of ${names.handset(channel)}`)),
    [...reader.notes()]
      .filter(({ text }) => !beatTexts.has(text))
      .map(({ atMs, text, channel }) =>
        mark("note", atMs, () => (channel === 0 ? text : `${names.handset(channel)}: ${text}`)),
      ),
    [...reader.inputs()].flatMap((input) => {
      const text = handText(input, scenario, names);
      return text === undefined ? [] : [mark("hand", input.atMs, text)];
    }),
  ];
  return kinds
    .flatMap((marks) => joined(marks, gapMs))
    .filter(({ atMs }) => atMs <= untilMs)
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((one) => ({ ...one, text: one.text().slice(0, TEXT_CHARACTERS_MAX) }));
}

function isBeat(input: StoryInput): input is Extract<StoryInput, { to: "log" }> {
  return input.to === "log" && input.beat !== undefined;
}

/**
 * Whether the timeline marks an input as a cause. It does not mark texts, calls and messages of the service; notes have
 * marks of their own.
 */
function isCause(input: StoryInput): boolean {
  if (input.to === "receiver") return true;
  return input.to === "world" && input.input.verb !== "text" && input.input.verb !== "call";
}

/** Merges marks of one instant; with many marks, also those less than `gapMs` apart. */
function joined(marks: readonly PossibleMark[], gapMs: number): PossibleMark[] {
  const sorted = marks.toSorted((a, b) => a.atMs - b.atMs);
  const leastMs = sorted.length > MARKS_OF_KIND ? gapMs : 1;
  const kept: PossibleMark[] = [];
  for (const one of sorted) {
    const last = kept.at(-1);
    if (last !== undefined && one.atMs - last.atMs < leastMs)
      kept[kept.length - 1] = { ...last, count: last.count + 1 };
    else kept.push(one);
  }
  return kept;
}

/**
 * The phrase for a hand; undefined when it has no mark. Changes of the lab's clock have none, because phones do not
 * notice them. Notes have separate marks.
 */
function handText({ kind, json }: RecordedInput, scenario: Scenario, names: MarkNames): (() => string) | undefined {
  const args = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const of = (): string => handsetsOf(args["of"], scenario, names);
  switch (kind) {
    case "hand":
      return args["verb"] === "note" ? undefined : () => verbPhrase(args as unknown as RecordedHand, scenario, names);
    case "alarm":
      return () => `Alarm raised at ${of()}`;
    case "call":
      return () => `Call logged at ${of()}`;
    case "delivery-url":
      return () => (args["url"] === null ? `Delivery URL of ${of()} removed` : `Delivery URL of ${of()} changed`);
    case "resend":
      return () => `Event of ${names.handset(Number.parseInt(String(args["id"]), 10))} sent again`;
    case "resthook":
      return () => `Resthook ${String(args["slug"])} emitted`;
    default:
      return undefined;
  }
}

interface RecordedHand {
  readonly verb: string;
  readonly args: unknown;
}

function verbPhrase({ verb, args }: RecordedHand, scenario: Scenario, names: MarkNames): string {
  const { input } = readHand(verb, args, scenario.cast, fakesOf(scenario));
  return input === undefined ? `${verb} by hand` : actPhrase(input, names);
}

/** @param of - a selector or a phone number; undefined: all */
function handsetsOf(of: unknown, { cast }: Scenario, names: MarkNames): string {
  if (typeof of !== "string") return "all phones";
  const selected = selectMembers(of, "handsets", cast);
  return "selector" in selected ? names.handsets(selected.selector) : of;
}
