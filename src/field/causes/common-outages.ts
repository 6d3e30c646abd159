import { type Cause, clockTime } from "./cause.js";

/** Phones of one mast are back within this time of one another: each tells what it kept as soon as it has a link. */
const togetherMs = 60_000;
/** By chance two phones may come back at one time. */
const leastPhones = 3;
/** A phone that has a link polls within this time: it lost the link so soon after it was last seen. */
const pollMs = 10 * 60_000;

/**
 * Gives outages of several phones that end together one beginning: that of the phone whose late rows show it first. A
 * phone that was heard after that instant keeps its own. A phone of which only an alarm of silence tells, with its last
 * sync within one poll before that instant, lost the same network.
 */
export function withCommonBeginnings(causes: readonly Cause[]): Cause[] {
  const shared = new Map<Cause, Cause>();
  const outages = causes.filter(({ verb, toMs }) => verb === "network" && toMs !== undefined);
  for (const group of groupsByEnd(outages.filter((cause) => !isOfAlarmOnly(cause)))) {
    const fromMs = Math.min(...group.map((cause) => cause.fromMs));
    const toMs = Math.max(...group.map((cause) => cause.toMs ?? 0));
    for (const cause of outages) {
      const isMember = group.includes(cause) || isSilentFrom(cause, fromMs, toMs);
      const beginsMs = isMember && (cause.knownMs ?? -Infinity) < fromMs ? fromMs : undefined;
      if (beginsMs === undefined || beginsMs === cause.fromMs) continue;
      const evidence = `${cause.evidence}; ${group.length} phones were back together, the first lost it at ${clockTime(fromMs)}`;
      shared.set(cause, { ...cause, fromMs: beginsMs, evidence });
    }
  }
  return causes.map((cause) => shared.get(cause) ?? cause);
}

function groupsByEnd(outages: readonly Cause[]): Cause[][] {
  const groups: Cause[][] = [];
  for (const cause of outages.toSorted((one, other) => (one.toMs ?? 0) - (other.toMs ?? 0))) {
    const last = groups.at(-1);
    if (last !== undefined && (cause.toMs ?? 0) - (last.at(-1)?.toMs ?? 0) <= togetherMs) last.push(cause);
    else groups.push([cause]);
  }
  return groups.filter((group) => new Set(group.map(({ relayer }) => relayer)).size >= leastPhones);
}

function isOfAlarmOnly({ fromMs, knownMs, lastSeenMs }: Cause): boolean {
  return lastSeenMs !== undefined && knownMs === lastSeenMs && fromMs === lastSeenMs + 1_000;
}

function isSilentFrom(cause: Cause, fromMs: number, toMs: number): boolean {
  const { lastSeenMs = 0, toMs: endMs = 0 } = cause;
  return isOfAlarmOnly(cause) && lastSeenMs < fromMs && fromMs - lastSeenMs <= pollMs && endMs >= toMs - togetherMs;
}
