import { mostOther, mostSteps, mostYaml } from "../../scenario/index.js";
import { isE164 } from "../../wire/index.js";
import { isOfSend } from "../causes/day-row.js";
import { median } from "../causes/find-clocks.js";
import type { InferredDay } from "../causes/infer-day.js";
import { castOf, type InferredCast } from "./cast-of-day.js";
import { carrierOf, dayStepsOf, type DayStep, durationOf, quoted } from "./day-steps.js";

const minute = 60_000;

/**
 * Writes the scenario that tells a day by its causes: a step for each text, call and message at its time, and one for
 * each cause, with the evidence as a comment above it.
 */
export function writeScenario(inferred: InferredDay, options: ScenarioParts): string {
  return writeFittingScenario(inferred, options).text;
}

/** What a scenario of a day has. */
interface ScenarioParts {
  /** What the log is called. */
  readonly source: string;
  /** False: without the messages of the service. Default true. */
  readonly sends?: boolean;
}

/** The largest scenario that is written; what is larger does not load. */
export interface LargestScenario {
  readonly steps: number;
  readonly bytes: number;
  /** Entries under `people`. */
  readonly people: number;
}

/** What the scenario language takes at most. */
export const largestScenario: LargestScenario = { steps: mostSteps, bytes: mostYaml, people: mostOther };

/** A scenario, and where the day is cut. */
export interface FittingScenario {
  readonly text: string;
  /** Absent: it has the whole day. */
  readonly untilMs?: number | undefined;
}

/** Writes the scenario of a day, or of its beginning if that is all that fits. */
export function writeFittingScenario(
  whole: InferredDay,
  { source, sends = true, largest }: ScenarioParts & { readonly largest?: LargestScenario },
): FittingScenario {
  const inferred = sends ? whole : withoutSends(whole);
  const { day, causes, unexplained } = inferred;
  const cast = castOf(inferred);
  const { steps: all, deliveries } = dayStepsOf(inferred, cast);
  const steps =
    largest === undefined
      ? all
      : fittingSteps(all, largest, (cast.people.size > largest.people ? 0 : cast.people.size) + cast.handsets.size);
  const untilMs = steps.length === all.length ? undefined : steps.at(-1)?.atMs;
  const startsAtMs =
    Math.floor(Math.min(day.fromMs, ...steps.slice(0, 1).map(({ atMs }) => atMs)) / minute) * minute - minute;
  const lastMs = Math.max(untilMs ?? day.toMs, ...steps.slice(-1).map(({ atMs }) => atMs));
  const lastsMs = Math.ceil((lastMs - startsAtMs) / minute + 15) * minute;
  const rows = day.rows.length;
  const lines = [
    `# The day of ${source}, by its causes: ${rows} events of ${cast.handsets.size} handsets and ${cast.people.size} people.`,
    `# ${causes.length === 0 ? "No trouble of a phone or of the receiver shows." : `Each of the ${causes.length} causes has its evidence above it.`}`,
    `# Rows that no cause explains: ${unexplained.length}.`,
    ...(untilMs === undefined
      ? []
      : [`# It ends at ${new Date(untilMs).toISOString()}: more does not fit a scenario.`]),
    `#`,
    ...(sends
      ? [
          `# Messages of the service are steps 'send'. An application that answers by itself sends them once more: import with`,
          `# --no-sends to play the scenario at it.`,
        ]
      : [`# Messages of the service are left out: the receiver asks for them again.`]),
    ``,
    `name: ${quoted(`The day of ${source}`)}`,
    `starts: ${new Date(startsAtMs).toISOString()}`,
    `lasts: ${durationOf(lastsMs)}`,
    ...serviceLines(inferred),
    `carriers:`,
    ...[...cast.handsets.values()].map(
      (handset) =>
        `  ${carrierOf(handset)}: { delay: 0s, reports-after: ${durationOf(deliveries.afterMs)}, ` +
        `reports-delivery: ${deliveries.isUsual ? "100%" : "0%"} }`,
    ),
    `handsets:`,
    ...handsetLines(inferred, cast),
    ...peopleLines(cast, largest?.people ?? Infinity),
    `story:${steps.length === 0 ? " []" : ""}`,
    ...steps.flatMap((step) => stepLines(step, startsAtMs)),
    ``,
  ];
  return { text: lines.join("\n"), untilMs };
}

/** What a line of the cast takes at most, and a step besides its verb and comment. */
const castLineBytes = 320;
const stepBytes = 64;

/** The first steps, as many as fit. Steps of one instant stay together. */
function fittingSteps(
  steps: readonly DayStep[],
  { steps: most, bytes }: LargestScenario,
  castLines: number,
): DayStep[] {
  let left = bytes - castLines * castLineBytes;
  let count = 0;
  for (const { verb, comment = "" } of steps) {
    left -= Buffer.byteLength(verb) + Buffer.byteLength(comment) + stepBytes;
    if (left < 0 || count === most) break;
    count++;
  }
  if (count === steps.length) return [...steps];
  while (count > 0 && steps[count - 1]?.atMs === steps[count]?.atMs) count--;
  return steps.slice(0, count);
}

/** A day without the messages of the service and their reports. */
function withoutSends(inferred: InferredDay): InferredDay {
  const { day, phones } = inferred;
  const kept = Array.from(phones, ([relayer, phone]) => {
    const rows = phone.rows.filter(({ row }) => !isOfSend(row));
    return [relayer, { ...phone, rows }] as const;
  });
  return { ...inferred, day: { ...day, rows: day.rows.filter((row) => !isOfSend(row)) }, phones: new Map(kept) };
}

function serviceLines({ causes }: InferredDay): string[] {
  const most = Math.max(
    0,
    ...causes
      .filter(({ verb }) => verb === "clock")
      .map(
        ({ args }) =>
          Math.abs(Number.parseInt(args["skew"] ?? "0", 10)) * (args["skew"]?.endsWith("ms") === true ? 1 : 1000),
      ),
  );
  // The documented service refuses such phones; the one of the log did not.
  return most > 15 * minute
    ? [`service: { preset: documented, clock-window: ${durationOf(Math.ceil(most / minute + 1) * minute)} }`]
    : [];
}

/** A phone whose chance does not disturb the times of the log. */
function handsetLines({ phones }: InferredDay, cast: InferredCast): string[] {
  return [...cast.handsets.values()].map((handset) => {
    const { rows = [], tellsTwice = false } = phones.get(handset.relayer) ?? {};
    const answersCalls = rows.some(({ row }) => row.type === "mt_call" && row.duration === 0);
    const names = [...(answersCalls ? ["no-mt-miss"] : []), ...(tellsTwice ? ["answer-late"] : [])];
    const faults = names.length === 0 ? "" : `, faults: [${names.join(", ")}]`;
    const said = handset.saidPhone === undefined ? "" : ` # the log says ${JSON.stringify(handset.saidPhone)}`;
    const profile =
      `{ preset: plain, push-after: 0s, push-loses: 0%, rejoin-after: 2s, held-gap: ${heldGapOf(rows)}, sent-after: 2s, ` +
      `call-waiting: true }`;
    return `  ${handset.name}: { phone: ${quoted(handset.phone)}, carrier: ${carrierOf(handset)}, profile: ${profile}${faults} }${said}`;
  });
}

function heldGapOf(rows: readonly { readonly trueMs: number; readonly row: { readonly type: string } }[]): string {
  const texts = rows
    .filter(({ row }) => row.type === "mo_sms")
    .map(({ trueMs }) => trueMs)
    .sort((one, other) => one - other);
  const gaps = texts
    .slice(1)
    .map((trueMs, index) => trueMs - (texts[index] ?? trueMs))
    .filter((gap) => gap > 0 && gap < 1_000);
  return durationOf(gaps.length < 5 ? 200 : median(gaps));
}

/** Of too many people those without a number are listed: a step makes a person of each other number that it names. */
function peopleLines({ people }: InferredCast, most: number): string[] {
  const all = [...people.values()];
  const listed = all.length <= most ? all : all.filter(({ phone }) => !isE164(phone)).slice(0, most);
  if (listed.length === 0) return [];
  return [
    `people:`,
    ...listed.map(({ name, phone, home }) => {
      const who = isE164(phone) ? `phone: ${quoted(phone)}` : `sender: ${quoted(phone)}`;
      return `  ${name}: { ${who}, of: ${home.name} }`;
    }),
  ];
}

function stepLines({ atMs, verb, comment, isCause }: DayStep, startsAtMs: number): string[] {
  const at = new Date(Math.max(startsAtMs, Math.round(atMs))).toISOString();
  const line = `  - { at: ${at}, ${verb} }`;
  if (comment === undefined) return [line];
  return isCause ? ["", `  # ${comment}`, line] : [`${line} # ${comment}`];
}
