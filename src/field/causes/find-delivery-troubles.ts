import { type Cause, clockTime, counted, shortSpan } from "./cause.js";
import { type Attempt, type Day, type DayRow, shortestRetryWaitMs } from "./day-row.js";

/** An accepted request that the service made again nevertheless. */
interface Again {
  readonly row: DayRow;
  readonly accepted: Attempt;
  readonly next: Attempt;
  readonly isCopy: boolean;
}

/** Requests that are further apart belong to different troubles. */
const sameTroubleMs = 10 * 60_000;
/** From this share of the requests on a trouble concerns all. */
const allShare = 0.9;

/**
 * Troubles on the way that a receiver's log shows: an event with one id that was posted again although the answer accepted
 * it. Minutes later, the service has never got that answer; at once, the request was copied. A text or call that the phone
 * tells again has another id, so nothing else makes such rows, and one is enough.
 */
export function deliveryCauses({ rows }: Day): Cause[] {
  const again = rows.flatMap((row) =>
    row.attempts.slice(1).flatMap((next, index): Again[] => {
      const accepted = row.attempts[index];
      if (accepted === undefined || !isAccepted(accepted)) return [];
      return [{ row, accepted, next, isCopy: next.atMs - accepted.atMs <= shortestRetryWaitMs }];
    }),
  );
  again.sort((one, other) => one.accepted.atMs - other.accepted.atMs);
  return [false, true].flatMap((isCopy) =>
    troublesOf(again.filter((one) => one.isCopy === isCopy)).map((trouble) => causeOf(trouble, rows)),
  );
}

export function isAccepted({ answer }: Attempt): boolean {
  const { status } = answer ?? {};
  return status !== undefined && status >= 200 && status <= 299;
}

function troublesOf(again: readonly Again[]): Again[][] {
  const troubles: Again[][] = [];
  for (const one of again) {
    const last = troubles.at(-1);
    if (last !== undefined && one.accepted.atMs - (last.at(-1)?.accepted.atMs ?? 0) <= sameTroubleMs) last.push(one);
    else troubles.push([one]);
  }
  return troubles;
}

function causeOf(trouble: readonly Again[], rows: readonly DayRow[]): Cause {
  const isCopy = trouble[0]?.isCopy === true;
  const types = [...new Set(trouble.map(({ row }) => row.type))].sort();
  const firstMs = trouble[0]?.accepted.atMs ?? 0;
  const lastMs = trouble.at(-1)?.accepted.atMs ?? firstMs;
  const all = rows
    .filter(({ type }) => types.includes(type))
    .reduce((sum, { attempts }) => sum + attempts.filter(({ atMs }) => atMs >= firstMs && atMs <= lastMs).length, 0);
  const share = trouble.length / Math.max(trouble.length, isCopy ? all - trouble.length : all);
  const waits = trouble.map(({ accepted, next }) => next.atMs - accepted.atMs).sort((one, other) => one - other);
  const waitMs = waits[Math.floor(waits.length / 2)] ?? 0;
  const said = counted(trouble.length, "accepted request");
  const percent = `${Math.max(1, Math.round(share * 100))}%`;
  return {
    verb: "delivery",
    fromMs: firstMs - 1,
    toMs: lastMs + 1_000,
    args: {
      types: `[${types.join(", ")}]`,
      ...(isCopy ? { copies: "2" } : { "answers-lost": share >= allShare ? "true" : percent }),
      ...(isCopy && share < allShare && { share: percent }),
    },
    evidence:
      `${said} from ${clockTime(firstMs)} to ${clockTime(lastMs)} came again with the same id` +
      (isCopy ? " at once" : `, ${shortSpan(waitMs)} later: the service had no answer`),
    rows: trouble.map(({ next }) => next.place),
  };
}
