import { type Cause, clockTime } from "./cause.js";
import type { DayRow } from "./day-row.js";
import type { PhoneDay } from "./find-outages.js";

/** What an alarm tells of a phone's power, as it was at the phone's last sync. */
interface Reading {
  readonly alarm: DayRow;
  readonly atMs: number;
  readonly level: number;
  readonly isCharging: boolean;
  /** Whether the alarm is that of a low battery, not of silence. */
  readonly isLowAlarm: boolean;
  /** `12% DIS BAT` */
  readonly said: string;
}

/** A battery that a phone uses and nothing charges loses less than this in an hour, in percent. */
const fastestDrainPerHour = 6;
/** The service raises its alarm below this level. A battery that drains is one percent below it then. */
const alarmLevel = 25;
/** Phones sync at least so often while they can. */
const pollMs = 10 * 60_000;
/** A phone that is silent for longer raises an alarm. */
const silentMs = 35 * 60_000;
/** Alarms of a low battery come as soon as a sync has told it; older values belong to the alarm of a silent phone. */
const freshMs = 25 * 60_000;

/**
 * The mains and batteries that alarms tell of: off the mains where an alarm says so, from its last sync on at the latest;
 * back where a later one says that the phone charges. A battery that falls faster than any phone drains it has jumped:
 * its level was set, or the phone told no level for a while.
 */
export function powerCauses(phone: PhoneDay): Cause[] {
  const causes: Cause[] = [];
  let off: { fromMs: number; toMs: number; rows: number[]; evidence: string; level: number } | undefined;
  let before: Reading | undefined;
  const endMains = (): void => {
    if (off === undefined) return;
    const { fromMs, toMs, rows, evidence, level } = off;
    causes.push({ verb: "power", relayer: phone.relayer, fromMs, toMs, args: { mains: "off" }, level, evidence, rows });
    off = undefined;
  };
  for (const reading of phone.alarms.flatMap(readingOf)) {
    const { alarm, atMs, level, said } = reading;
    if (reading.isCharging) {
      if (off !== undefined) off.evidence += `; it charges by ${clockTime(atMs)}`;
      endMains();
      before = undefined;
      continue;
    }
    const isOfSameSync = before !== undefined && Math.abs(before.atMs - atMs) < 1_000;
    // A second alarm of a low battery needs that the first has ended: the phone was charged in between.
    if (before?.isLowAlarm === true && reading.isLowAlarm && !isOfSameSync) {
      endMains();
      before = undefined;
    }
    if (off === undefined) {
      const fromMs = Math.max(phone.fromMs, atMs - 1_500);
      const evidence = `an alarm at ${clockTime(alarm.atMs)} says ${said}, from the sync at ${clockTime(atMs)}: off by then`;
      off = { fromMs, toMs: alarm.atMs + 60_000, rows: [alarm.place], evidence, level };
    } else {
      off.rows.push(alarm.place);
      off.toMs = Math.max(off.toMs, alarm.atMs + 60_000);
    }
    const jump = isOfSameSync ? undefined : jumpTo(reading, before, phone);
    if (jump !== undefined) {
      causes.push({
        verb: "battery",
        relayer: phone.relayer,
        fromMs: Math.max(phone.fromMs, atMs - 1_000),
        args: { level: `${level}%` },
        evidence: jump,
        rows: [alarm.place],
      });
    }
    before = reading;
  }
  endMains();
  return causes;
}

/** Why a battery cannot have drained to its level; undefined: it can. */
function jumpTo(
  { alarm, atMs, level, said, isLowAlarm }: Reading,
  before: Reading | undefined,
  phone: PhoneDay,
): string | undefined {
  // The first alarm of a battery that drains comes at the first level below the limit.
  const from = before?.level ?? (isLowAlarm ? alarmLevel : level);
  const hours = (before === undefined ? sinceSync(phone, atMs) : atMs - before.atMs) / 3_600_000;
  if (from - level <= 2 + fastestDrainPerHour * hours) return undefined;
  return before === undefined
    ? `the alarm at ${clockTime(alarm.atMs)} says ${said}: a battery that drains raises it at ${alarmLevel - 1}%`
    : `alarms say ${before.level}% at ${clockTime(before.atMs)} and ${said} at ${clockTime(atMs)}: faster than it drains`;
}

/**
 * How long before an instant the phone had last told its level: with a row, or at a poll. Had it told nothing for longer
 * than half an hour, there were an alarm of silence.
 */
function sinceSync({ rows, fromMs, alarms }: PhoneDay, atMs: number): number {
  const last = rows.findLast(({ row }) => row.atMs < atMs - 5_000)?.row.atMs ?? fromMs;
  const isSilent = alarms.some((alarm) => alarm.atMs > last && alarm.atMs < atMs);
  return Math.max(pollMs, isSilent ? atMs - last : Math.min(silentMs, atMs - last));
}

function readingOf(alarm: DayRow): Reading[] {
  const { level, status, source, lastSeenMs } = alarm.power ?? {};
  if (level === undefined || level < 0 || status === undefined) return [];
  const atMs = lastSeenMs ?? alarm.atMs;
  return [
    {
      alarm,
      atMs,
      level,
      isCharging: status === "CHA" || status === "FUL",
      isLowAlarm: level < alarmLevel && alarm.atMs - atMs < freshMs,
      said: `${level}% ${status} ${source ?? ""}`.trim(),
    },
  ];
}

/** Alarms that say that a phone was silent: its last sync was long ago. */
export function silentAlarms({ alarms }: PhoneDay): DayRow[] {
  return alarms.filter(({ atMs, power }) => power?.lastSeenMs !== undefined && atMs - power.lastSeenMs >= freshMs);
}

/**
 * The causes of silences that an alarm tells and no late row shows: nobody wrote, or what they wrote is lost. A battery
 * that was nearly empty has died; else no data link is the simplest that explains it.
 */
export function silenceCauses(phone: PhoneDay, known: readonly Cause[]): Cause[] {
  return silentAlarms(phone).flatMap((alarm): Cause[] => {
    const lastSeenMs = alarm.power?.lastSeenMs ?? alarm.atMs;
    const isKnown = known.some(
      ({ relayer, verb, knownMs, fromMs, toMs }) =>
        relayer === phone.relayer &&
        ["network", "coverage", "reboot"].includes(verb) &&
        (knownMs ?? fromMs) <= alarm.atMs &&
        (toMs ?? fromMs) >= lastSeenMs,
    );
    if (isKnown) return [];
    const next = phone.rows.find(({ row }) => row.atMs > alarm.atMs)?.row.atMs;
    const { level = -1, status = "" } = alarm.power ?? {};
    const isEmpty = level >= 0 && level <= 5 && status !== "CHA" && status !== "FUL";
    const until = next === undefined ? "nothing came after it" : `the next row came at ${clockTime(next)}`;
    const said = `an alarm at ${clockTime(alarm.atMs)} says last seen ${clockTime(lastSeenMs)}`;
    const common = { relayer: phone.relayer, fromMs: lastSeenMs + 1_000, lastSeenMs, rows: [alarm.place] };
    if (isEmpty) {
      return [
        { ...common, verb: "battery", args: { level: "0%" }, evidence: `${said} with ${level}% ${status}; ${until}` },
      ];
    }
    return [
      {
        ...common,
        verb: "network",
        knownMs: lastSeenMs,
        toMs: Math.max(alarm.atMs + 1_000, (next ?? phone.toMs) - 2_500),
        args: { type: "none" },
        evidence: `${said}; ${until}`,
      },
    ];
  });
}
