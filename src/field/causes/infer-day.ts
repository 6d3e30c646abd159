import type { FieldEvent } from "../field-event.js";
import type { Cause } from "./cause.js";
import { type Day, type DayRow, isReport, readDay } from "./day-row.js";
import { areAnswers, burstsOfPeople } from "./bursty-traffic.js";
import { commonDelays } from "./common-delays.js";
import { withCommonBeginnings } from "./common-outages.js";
import { clockCauses, type ClockLevel, clockLevels, skewOf } from "./find-clocks.js";
import { deliveryCauses } from "./find-delivery-troubles.js";
import { findRetellings, isHabit, lostAnswers } from "./find-lost-answers.js";
import {
  type Gap,
  heldCause,
  heldTexts,
  isBeyondChance,
  isOneTimeout,
  lateFrom,
  lateRows,
  networkCause,
  type PhoneDay,
  timeoutCause,
  type TimedRow,
} from "./find-outages.js";

import { receiverCauses } from "./find-receiver-troubles.js";
import { powerCauses, silenceCauses } from "./find-power.js";

/** A day as its log tells it, by its causes. */
export interface InferredDay {
  readonly day: Day;
  readonly causes: readonly Cause[];
  /** The rows that happened, without those that a phone repeated, with their times by the log's clock. */
  readonly phones: ReadonlyMap<number, PhoneDay>;
  /** Places of rows that no cause explains. */
  readonly unexplained: readonly { readonly place: number; readonly why: string }[];
}

/**
 * Infers the causes of a day from its events.
 *
 * @param events - in the order of time
 */
export function inferDay(events: Iterable<FieldEvent>): InferredDay {
  const day = readDay(events);
  const causes: Cause[] = [];
  const phones = new Map<number, PhoneDay>();
  const lateness = new Lateness(day);
  for (const [relayer, rows] of day.phones) {
    const retellings = day.lacksPhoneTimes ? [] : findRetellings(relayer, rows);
    const copies = new Set(retellings.flatMap((retelling) => retelling.copies));
    const levels = clockLevels(rows, copies, (fromMs, toMs) => lateness.isElsewhere(relayer, fromMs, toMs));
    const tellsTwice = isHabit(retellings, rows);
    causes.push(...(tellsTwice ? [] : lostAnswers(retellings)), ...clockCauses(relayer, levels, rows, day.toMs));
    phones.set(relayer, {
      relayer,
      rows: rows.filter((row) => isReport(row) && !copies.has(row)).map((row) => timed(row, levels)),
      alarms: rows.filter(({ type }) => type === "alarm"),
      retellings,
      tellsTwice,
      fromMs: day.fromMs,
      toMs: day.toMs,
    });
  }
  const all = [...phones.values()];
  const lateFromMs = lateFrom(all);
  const candidates = all.map((phone) => ({
    phone,
    held: day.lacksPhoneTimes ? [] : heldTexts(phone).filter((gap) => !areAnswers(phone, gap)),
  }));
  const bursts = burstsOfPeople(candidates);
  const late = candidates.map(({ phone, held: found }) => {
    const held = found.filter((gap) => !bursts.has(gap));
    return { phone, held, ...lateRows(phone, lateFromMs, held) };
  });
  const base = {
    lateElsewhere: late.reduce((count, { others }) => count + others.length, 0),
    rows: all.reduce((count, { rows }) => count + rows.length, 0),
    gaps: late.reduce((count, { gaps }) => count + gaps.length, 0),
  };
  const common = commonDelays(
    late.flatMap(({ gaps }) => gaps),
    all,
    lateFromMs,
  );
  const unexplained = day.unread.map((place) => ({ place, why: "no event of a channel" }));
  for (const { phone, held, gaps, others } of late) {
    const outages: Gap[] = [];
    for (const gap of gaps) {
      if (common.has(gap)) {
        unexplained.push(...gap.late.map(({ row }) => ({ place: row.place, why: "late, as those of most phones" })));
      } else if (isBeyondChance(gap.late.length, base)) outages.push(gap);
      else unexplained.push(...gap.late.map(({ row }) => ({ place: row.place, why: "late" })));
    }
    causes.push(...outages.map((gap) => (isOneTimeout(gap) ? timeoutCause(gap) : networkCause(gap, phone.alarms))));
    causes.push(...held.map((gap) => heldCause(gap, phone)));
    unexplained.push(...others.map(({ row }) => ({ place: row.place, why: "late" })));
  }
  for (const phone of all) {
    causes.push(...powerCauses(phone));
    causes.push(...silenceCauses(phone, causes));
  }
  causes.push(...receiverCauses(day), ...deliveryCauses(day));
  const inOrder = withCommonBeginnings(causes).sort((one, other) => one.fromMs - other.fromMs);
  return { day, causes: inOrder, phones, unexplained };
}

function timed(row: DayRow, levels: readonly ClockLevel[]): TimedRow {
  const trueMs = (row.phoneMs ?? row.atMs) - skewOf(levels, row);
  return { row, trueMs, lagMs: row.atMs - trueMs };
}

/** Whether the rows of several phones came late at one time. */
class Lateness {
  readonly #day: Day;

  constructor(day: Day) {
    this.#day = day;
  }

  /** Whether most of the other phones told rows late between two instants. */
  isElsewhere(relayer: number, fromMs: number, toMs: number): boolean {
    let heard = 0;
    let late = 0;
    for (const [other, rows] of this.#day.phones) {
      if (other === relayer) continue;
      const lags = rows
        .filter((row) => isReport(row) && row.duration === undefined && row.atMs >= fromMs && row.atMs <= toMs)
        .map((row) => row.atMs - (row.phoneMs ?? row.atMs));
      if (lags.length === 0) continue;
      heard++;
      if (Math.min(...lags) > 6_000) late++;
    }
    return heard >= 2 && late * 2 > heard;
  }
}
