import { isE164 } from "../../wire/index.js";
import type { Cause } from "../causes/cause.js";
import { type DayRow, isCall } from "../causes/day-row.js";
import { median } from "../causes/find-clocks.js";
import type { PhoneDay, TimedRow } from "../causes/find-outages.js";
import type { InferredDay } from "../causes/infer-day.js";
import type { InferredCast, InferredHandset } from "./cast-of-day.js";

/** A step of the story. */
export interface DayStep {
  readonly atMs: number;
  /** Steps of one instant: causes come before what they befall. */
  readonly isCause: boolean;
  /** `text: { from: …, to: …, body: … }` */
  readonly verb: string;
  /** The evidence, or what the step stands for. */
  readonly comment?: string | undefined;
}

/** What the played phones take from a message that the service queues to its time of sending: push, sync, radio. */
const sendMs = 2_350;
/** A call that nobody answers rings so long, where the log does not tell. */
const ringsMs = 25_000;
/** What a report takes from the phone to the service. */
const syncMs = 100;
/** Of a delivery report that comes later than this, the person's phone was off. */
const slowReportMs = 45_000;
/** A delivery report whose time differs by more from the usual one has its own. */
const otherReportMs = 30_000;

/** How the messages of the service were reported as delivered. */
export interface Deliveries {
  /** Usual time from sending to the report. */
  readonly afterMs: number;
  /** Whether most messages have a report. */
  readonly isUsual: boolean;
  /** Share of the messages that have one. */
  readonly share: number;
}

/** The steps that cause a day's rows, each at its time by the log's clock. */
export function dayStepsOf(inferred: InferredDay, cast: InferredCast): { steps: DayStep[]; deliveries: Deliveries } {
  const deliveries = deliveriesOf(inferred);
  const steps = inferred.causes.flatMap((cause) => causeSteps(cause, inferred, cast));
  for (const phone of inferred.phones.values()) {
    const handset = cast.handsets.get(phone.relayer);
    if (handset !== undefined)
      steps.push(...stepsOfPhone(phone, { handset, cast, deliveries, causes: inferred.causes }));
  }
  for (const row of inferred.day.rows) {
    const handset = cast.handsets.get(row.relayer);
    if (handset !== undefined && (row.type === "flow" || row.type === "mt_fail")) steps.push(asEvent(row, handset));
  }
  // The sort is stable: texts of one instant keep their order.
  steps.sort((one, other) => one.atMs - other.atMs || Number(other.isCause) - Number(one.isCause));
  return { steps, deliveries };
}

/** A value of YAML: JSON's strings are its double-quoted ones. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

function causeSteps(cause: Cause, { phones }: InferredDay, cast: InferredCast): DayStep[] {
  const { verb, relayer, fromMs, toMs, args, evidence } = cause;
  const of = relayer === undefined ? undefined : cast.handsets.get(relayer)?.name;
  const forMs = toMs === undefined ? undefined : Math.max(1, Math.round(toMs - fromMs));
  if (verb === "sync") return syncSteps(cause, of ?? "", phones.get(relayer ?? 0));
  const parts = [
    ...(of === undefined ? [] : [`of: ${of}`]),
    ...Object.entries(args).map(([key, value]) => `${key}: ${value}`),
    ...(forMs === undefined ? [] : [`${verb === "reboot" ? "down" : "for"}: ${durationOf(forMs)}`]),
  ];
  const step = { atMs: fromMs, isCause: true, verb: `${verb}: { ${parts.join(", ")} }`, comment: evidence };
  if (verb !== "power" && verb !== "battery") return [...lastSyncSteps(cause, of ?? ""), step];
  // An alarm needs the level that it told, and a sync that tells it.
  const level = verb === "power" && cause.level !== undefined ? [`battery: { of: ${of}, level: ${cause.level}% }`] : [];
  const more = [...level, `sync: { of: ${of}, now: true }`];
  return [step, ...more.map((text, index) => ({ atMs: fromMs + 1 + index, isCause: true, verb: text }))];
}

/** The time of an alarm of silence depends on the last sync, which the polls of the played phone would put elsewhere. */
function lastSyncSteps({ fromMs, lastSeenMs }: Cause, of: string): DayStep[] {
  if (lastSeenMs === undefined || lastSeenMs > fromMs) return [];
  const sync = { atMs: lastSeenMs, isCause: true, verb: `sync: { of: ${of}, now: true }`, comment: "its last sync" };
  const pauseMs = fromMs - lastSeenMs - 500;
  if (pauseMs < 1_000) return [sync];
  return [sync, { atMs: lastSeenMs + 600, isCause: true, verb: `pause: { of: ${of}, for: ${durationOf(pauseMs)} }` }];
}

function syncSteps({ fromMs, args, evidence }: Cause, of: string, phone: PhoneDay | undefined): DayStep[] {
  const step = { isCause: true, verb: `sync: { of: ${of}, loses: ${args["loses"]} }`, comment: evidence };
  if (args["loses"] === "request") {
    return [
      { atMs: fromMs, ...step },
      { atMs: fromMs, isCause: true, verb: `sync: { of: ${of}, now: true }` },
    ];
  }
  // The loss must wait for the sync that told these rows, so it comes right before what made the phone sync.
  const told = phone?.rows.filter(({ row }) => Math.abs(row.atMs - fromMs) < 1_000) ?? [];
  const newest = told.toSorted((one, other) => other.trueMs - one.trueMs)[0];
  if (newest === undefined || newest.lagMs > 5_000) return [{ atMs: fromMs - 1_000, ...step }];
  const isSent = newest.row.type === "mt_sent";
  return [{ atMs: newest.trueMs - (isSent ? 1_000 : 1), ...step }];
}

function deliveriesOf({ phones }: InferredDay): Deliveries {
  const afterMs: number[] = [];
  let sent = 0;
  let unsent = 0;
  for (const { rows } of phones.values()) {
    const delivered = firstOfMessages(rows, "mt_dlvd");
    const sentRows = firstOfMessages(rows, "mt_sent");
    const withoutSent = [...delivered.keys()].filter((id) => !sentRows.has(id)).length;
    sent += withoutSent;
    unsent += withoutSent;
    for (const [id, { trueMs }] of sentRows) {
      sent++;
      const report = delivered.get(id);
      if (report !== undefined) afterMs.push(Math.max(0, report.trueMs - trueMs));
    }
  }
  return {
    afterMs: median(afterMs),
    isUsual: (afterMs.length + unsent) * 2 >= sent,
    share: sent === 0 ? 1 : (afterMs.length + unsent) / sent,
  };
}

function firstOfMessages(rows: readonly TimedRow[], type: string): Map<number, TimedRow> {
  const found = new Map<number, TimedRow>();
  for (const timed of rows) {
    const { id } = timed.row;
    if (timed.row.type === type && id !== undefined && !found.has(id)) found.set(id, timed);
  }
  return found;
}

/** The messages that a phone sent. A log that shows only the last state of each has the delivery without the sending. */
function sentMessages(
  rows: readonly TimedRow[],
  delivered: ReadonlyMap<number, TimedRow>,
  { afterMs }: Deliveries,
): [number, Pick<TimedRow, "row" | "trueMs">][] {
  const sent = firstOfMessages(rows, "mt_sent");
  const unsent = [...delivered].filter(([id]) => !sent.has(id));
  return [...sent, ...unsent.map(([id, { row, trueMs }]) => [id, { row, trueMs: trueMs - afterMs }] as const)].map(
    ([id, timed]) => [id, timed],
  );
}

interface PhoneParts {
  readonly handset: InferredHandset;
  readonly cast: InferredCast;
  readonly deliveries: Deliveries;
  readonly causes: readonly Cause[];
}

function stepsOfPhone(phone: PhoneDay, { handset, cast, deliveries, causes }: PhoneParts): DayStep[] {
  const steps: DayStep[] = [];
  const delivered = firstOfMessages(phone.rows, "mt_dlvd");
  const heldAt = heldTimes(phone, causes);
  for (const timed of phone.rows) {
    const { row, trueMs } = timed;
    if (row.type === "mo_sms") {
      const from = quoted(row.phone ?? "");
      const who =
        row.phone !== undefined && isE164(row.phone) ? from : (cast.people.get(row.phone ?? "")?.name ?? "withheld");
      const atMs = heldAt.get(row) ?? trueMs;
      steps.push({
        atMs,
        isCause: false,
        verb: `text: { from: ${who}, to: ${handset.name}, body: ${quoted(row.text ?? "")} }`,
      });
    } else if (isCall(row)) steps.push(...callSteps(timed, handset));
  }
  for (const [id, { row, trueMs }] of sentMessages(phone.rows, delivered, deliveries)) {
    if (row.phone === undefined || !isE164(row.phone)) continue;
    const to = quoted(row.phone);
    const report = delivered.get(id);
    steps.push({
      atMs: trueMs - sendMs,
      isCause: false,
      verb: `send: { via: ${handset.name}, to: ${to}, body: ${quoted(row.text ?? "")} }`,
    });
    const lateMs = report === undefined ? deliveries.afterMs : Math.max(0, report.trueMs - trueMs);
    const isOff =
      lateMs > deliveries.afterMs + slowReportMs && !wroteBetween(phone, row.phone, trueMs, trueMs + lateMs);
    const carries = [
      ...((report !== undefined) === deliveries.isUsual
        ? []
        : [`reports-delivery: ${report === undefined ? "0%" : "100%"}`]),
      ...(isOff || Math.abs(lateMs - deliveries.afterMs) < otherReportMs
        ? []
        : [`reports-after: ${durationOf(lateMs)}`]),
    ];
    if (carries.length > 0) {
      steps.push({
        atMs: trueMs - 1_000,
        isCause: false,
        verb: `carrier: { of: ${carrierOf(handset)}, ${carries.join(", ")}, for: 2s }`,
        comment: report === undefined ? "no delivery report" : `a delivery report after ${Math.round(lateMs / 1000)}s`,
      });
    }
    if (isOff) {
      steps.push({
        atMs: trueMs - 1_000,
        isCause: false,
        verb: `unreachable: { person: ${to}, for: ${durationOf(Math.max(1_000, lateMs - deliveries.afterMs + 1_000))} }`,
        comment: `delivered ${Math.round(lateMs / 60_000)}m after it was sent`,
      });
    }
  }
  return steps;
}

/** The name of a handset's own carrier: what befalls one phone's messages befalls no other's. */
export function carrierOf({ name }: InferredHandset): string {
  return `net-${name}`;
}

function wroteBetween({ rows }: PhoneDay, person: string, fromMs: number, toMs: number): boolean {
  return rows.some(
    ({ row, trueMs }) =>
      row.phone === person && row.type.startsWith("mo_") && trueMs > fromMs - 5_000 && trueMs < toMs + 5_000,
  );
}

/** When texts were sent that the carrier held: nobody knows; they are spread over the time in which it did. */
function heldTimes({ relayer, rows }: PhoneDay, causes: readonly Cause[]): Map<DayRow, number> {
  const times = new Map<DayRow, number>();
  for (const { verb, relayer: of, fromMs, toMs, rows: places } of causes) {
    if (of !== relayer || (verb !== "coverage" && verb !== "reboot") || toMs === undefined) continue;
    const ofCause = new Set(places);
    const held = rows.filter(({ row }) => ofCause.has(row.place)).sort((one, other) => one.trueMs - other.trueMs);
    held.forEach(({ row }, index) => {
      times.set(row, fromMs + Math.floor(((index + 1) * (toMs - fromMs)) / (held.length + 1)));
    });
  }
  return times;
}

function callSteps({ row, trueMs, lagMs }: TimedRow, handset: InferredHandset): DayStep[] {
  const person = row.phone !== undefined && isE164(row.phone) ? quoted(row.phone) : undefined;
  if (person === undefined) return [];
  const [from, to] = row.type.startsWith("mo_") ? [person, handset.name] : [handset.name, person];
  const isMissed = row.type.endsWith("_miss") || (row.duration ?? 0) === 0;
  const rings = lagMs > 1_000 && lagMs < 120_000 ? lagMs - syncMs : ringsMs;
  const how = isMissed ? `rings: ${durationOf(rings)}` : `talks: ${row.duration}s`;
  return [{ atMs: trueMs, isCause: false, verb: `call: { from: ${from}, to: ${to}, ${how} }` }];
}

/** An event that no phone causes, as the service told it. */
function asEvent(row: DayRow, handset: InferredHandset): DayStep {
  const fields = row.pairs.filter(
    ([key]) => !["event", "relayer", "channel", "relayer_phone", "channel_phone"].includes(key),
  );
  const parts = fields.map(([key, value]) => `${quoted(key)}: ${quoted(value)}`);
  return {
    atMs: row.atMs,
    isCause: false,
    verb: `event: { of: ${handset.name}, type: ${row.type}, fields: { ${parts.join(", ")} } }`,
  };
}

/** A duration in the scenario language. */
export function durationOf(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole % 1000 !== 0) return `${whole}ms`;
  const seconds = whole / 1000;
  return seconds % 60 === 0 && seconds > 0 ? `${seconds / 60}m` : `${seconds}s`;
}
