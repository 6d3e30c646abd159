import type { Outage } from "../measure/index.js";

/**
 * Joins the outages that the parts of a fleet measured, each by its own clock. Those of one receiver that lasted until
 * the end become one.
 *
 * @param parts - the outages of each part
 * @param answersOf - how many answers a receiver gave to all parts
 */
export function joinOutages(
  parts: readonly (readonly Outage[])[],
  answersOf: (receiver: string) => number,
): readonly Outage[] {
  const all = parts.flat();
  const receivers = [...new Set(all.map(({ receiver }) => receiver))];
  return receivers.flatMap((receiver) => {
    const own = all.filter((outage) => outage.receiver === receiver).toSorted((a, b) => a.fromMs - b.fromMs);
    const closed = own.filter(({ untilMs }) => untilMs !== null);
    const [first, ...others] = own.filter(({ untilMs }) => untilMs === null);
    if (first === undefined) return closed;
    return [...closed, { ...others.reduce(joined, first), answers: answersOf(receiver) }];
  });
}

/** Joins two measurements of one outage. */
function joined(a: Outage, b: Outage): Outage {
  const errors: Record<string, number> = { ...a.errors };
  for (const [code, count] of Object.entries(b.errors)) errors[code] = (errors[code] ?? 0) + count;
  return {
    ...a,
    lastAnswerMs: Math.max(a.lastAnswerMs, b.lastAnswerMs),
    fromMs: Math.min(a.fromMs, b.fromMs),
    isAbsent: a.isAbsent || b.isAbsent,
    errors,
    underWay: [...a.underWay, ...b.underWay].toSorted((x, y) => Number(y.isRead) - Number(x.isRead)),
    underWayCount: a.underWayCount + b.underWayCount,
  };
}
