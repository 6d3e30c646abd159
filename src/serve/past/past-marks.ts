import type { PastDensity, PastMark } from "../../console/index.js";
import { storyOutlineOf } from "../../report/index.js";
import { beatsOf } from "../../scenario/index.js";
import type { RecordedInput, RecordingReader } from "../../store/index.js";
import type { PastPlan } from "./past-plan.js";

/** Spans of the density, at most. */
const SPANS = 300;
/** Marks of one kind, at most; nearer ones are counted together. */
const MARKS_OF_KIND = 200;
/** Alarms that are read, at most. */
const ALARMS_MAX = 100_000;
/** Longest text of a mark. */
const TEXT_CHARACTERS_MAX = 140;

/** Counts events and failed attempts of a recording by spans of its time. */
export function densityOf(reader: RecordingReader, untilMs: number): PastDensity {
  const spanMs = Math.max(1, Math.ceil((untilMs + 1) / SPANS));
  const { events, failures } = reader.density(spanMs);
  const count = Math.floor(untilMs / spanMs) + 1;
  const listed = (counts: Map<number, number>): number[] =>
    Array.from({ length: count }, (_, span) => counts.get(span) ?? 0);
  return { spanMs, events: listed(events), failures: listed(failures) };
}

/** What stands out in a recording, in the order of time. @param nameOf - the name of a channel's handset */
export function marksOf(
  reader: RecordingReader,
  { scenario, untilMs }: PastPlan,
  nameOf: (channel: number) => string,
): PastMark[] {
  const gapMs = untilMs / MARKS_OF_KIND;
  const mark = (kind: PastMark["kind"], atMs: number, text: string): PastMark => ({
    kind,
    atMs,
    text: text.slice(0, TEXT_CHARACTERS_MAX),
    count: 1,
  });
  const beats = beatsOf(scenario.story).map(({ atMs, name }) => mark("beat", atMs, name));
  const isBeat = (text: string): boolean => beats.some((beat) => beat.text === text);
  const kinds: PastMark[][] = [
    beats,
    storyOutlineOf(reader)
      .steps.filter(([, text, kind]) => kind === "cause" && !isBeat(text))
      .map(([atMs, text]) => mark("cause", atMs, text)),
    reader.alarms(ALARMS_MAX).map(({ channel, atMs }) => mark("alarm", atMs, `Alarm of ${nameOf(channel)}`)),
    [...reader.notes()]
      .filter(({ text }) => !isBeat(text))
      .map(({ atMs, text, channel }) => mark("note", atMs, channel === 0 ? text : `${nameOf(channel)}: ${text}`)),
    [...reader.inputs()].flatMap((input) => {
      const text = handText(input);
      return text === undefined ? [] : mark("hand", input.atMs, text);
    }),
  ];
  return kinds
    .flatMap((marks) => joined(marks, gapMs))
    .filter(({ atMs }) => atMs <= untilMs)
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** Counts marks of one instant together; those nearer than `gapMs`, too, if there are many. */
function joined(marks: readonly PastMark[], gapMs: number): PastMark[] {
  const sorted = marks.toSorted((a, b) => a.atMs - b.atMs);
  const leastMs = sorted.length > MARKS_OF_KIND ? gapMs : 1;
  const kept: PastMark[] = [];
  for (const one of sorted) {
    const last = kept.at(-1);
    if (last !== undefined && one.atMs - last.atMs < leastMs)
      kept[kept.length - 1] = { ...last, count: last.count + 1 };
    else kept.push(one);
  }
  return kept;
}

/**
 * A hand in the words of the scenario language, as steps of a story have them: `power: of clinic/0, mains off`. undefined:
 * not shown. Changes of the lab's clock are not: the phones do not notice them.
 */
function handText({ kind, json }: RecordedInput): string | undefined {
  const args = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const word = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
  const of = word(args["of"] ?? "all handsets");
  switch (kind) {
    case "hand": {
      const given = (args["args"] ?? {}) as Readonly<Record<string, unknown>>;
      const words = Object.entries(given).map(([name, value]) => `${name} ${word(value)}`);
      return `${word(args["verb"])}: ${words.join(", ")}`;
    }
    case "alarm":
      return `alarm of ${of}`;
    case "call":
      return `call logged at ${of}`;
    case "delivery-url":
      return args["url"] === null ? `delivery URL of ${of} removed` : `delivery URL of ${of} changed`;
    default:
      return undefined;
  }
}
