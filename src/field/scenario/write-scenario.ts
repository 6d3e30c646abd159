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
 *
 * @param options - `source`: what the log is called; `sends` false: without the messages of the service
 */
export function writeScenario(
  whole: InferredDay,
  { source, sends = true }: { readonly source: string; readonly sends?: boolean },
): string {
  const inferred = sends ? whole : withoutSends(whole);
  const { day, causes, unexplained } = inferred;
  const cast = castOf(inferred);
  const { steps, deliveries } = dayStepsOf(inferred, cast);
  const startsAtMs =
    Math.floor(Math.min(day.fromMs, ...steps.slice(0, 1).map(({ atMs }) => atMs)) / minute) * minute - minute;
  const lastMs = Math.max(day.toMs, ...steps.slice(-1).map(({ atMs }) => atMs));
  const lastsMs = Math.ceil((lastMs - startsAtMs) / minute + 15) * minute;
  const rows = day.rows.length;
  return [
    `# The day of ${source}, by its causes: ${rows} events of ${cast.handsets.size} handsets and ${cast.people.size} people.`,
    `# ${causes.length === 0 ? "No trouble of a phone or of the receiver shows." : `Each of the ${causes.length} causes has its evidence above it.`}`,
    `# Rows that no cause explains: ${unexplained.length}.`,
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
    ...peopleLines(cast),
    `story:${steps.length === 0 ? " []" : ""}`,
    ...steps.flatMap((step) => stepLines(step, startsAtMs)),
    ``,
  ].join("\n");
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
    const rows = phones.get(handset.relayer)?.rows ?? [];
    const answersCalls = rows.some(({ row }) => row.type === "mt_call" && row.duration === 0);
    const faults = answersCalls ? ", faults: [no-mt-miss]" : "";
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

function peopleLines({ people }: InferredCast): string[] {
  if (people.size === 0) return [];
  return [
    `people:`,
    ...[...people.values()].map(({ name, phone, home }) => {
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
