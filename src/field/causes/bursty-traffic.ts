import type { Gap, PhoneDay } from "./find-outages.js";

/** Texts that begin within this of one another on several phones have one reason. */
const togetherMs = 10_000;
/** So often at least phones have bursts together, or one phone has bursts, before they are how people write. */
const leastBursts = 4;
/** Share of a phone's texts that come in bursts, where people write in bursts. */
const burstyShare = 0.35;

/**
 * Finds held texts that no carrier held: people write in bursts. A programme on the radio or a round hour makes phones get
 * texts together again and again; and of a phone that has many bursts, each silence is followed by one.
 */
export function burstsOfPeople(
  phones: readonly { readonly phone: PhoneDay; readonly held: readonly Gap[] }[],
): Set<Gap> {
  const all = phones.flatMap(({ held }) => held).sort((one, other) => beginOf(one) - beginOf(other));
  const groups: Gap[][] = [];
  for (const gap of all) {
    const last = groups.at(-1);
    if (last !== undefined && beginOf(gap) - beginOf(last[0] ?? gap) <= togetherMs) last.push(gap);
    else groups.push([gap]);
  }
  const together = groups.filter((group) => new Set(group.map(({ relayer }) => relayer)).size >= 2);
  const bursts = new Set(together.length >= leastBursts ? together.flat() : []);
  for (const { phone, held } of phones) {
    const texts = phone.rows.filter(({ row }) => row.type === "mo_sms").length;
    const inBursts = held.reduce((sum, gap) => sum + gap.held.length, 0);
    if (held.length >= leastBursts && inBursts > texts * burstyShare) for (const gap of held) bursts.add(gap);
    else if (together.length >= leastBursts && held.every((gap) => bursts.has(gap) || held.length >= leastBursts)) {
      for (const gap of held) bursts.add(gap);
    }
  }
  return bursts;
}

/** Whether held texts answer messages that the phone sent shortly before: then people wrote them just now. */
export function areAnswers({ rows }: PhoneDay, { toMs, held }: Gap): boolean {
  const answers = held.filter(({ row, trueMs }) =>
    rows.some(
      (sent) =>
        sent.row.type === "mt_sent" &&
        sent.row.phone === row.phone &&
        sent.trueMs >= toMs - answerMs &&
        sent.trueMs < trueMs,
    ),
  );
  return answers.length * 2 > held.length;
}

/** People answer within this. */
const answerMs = 10 * 60_000;

function beginOf({ held, toMs }: Gap): number {
  return held[0]?.trueMs ?? toMs;
}
