import type { Minimised } from "./options.js";

/** The result as `handset minimise --json` prints it. */
export function minimisedJson(result: Minimised): object {
  const { answer, seen, events, rate, ...rest } = result;
  const { reproduced, failed, of, condition, took, trials, cached, plays, seconds, before, after, oneMinimal } = rest;
  return {
    reproduced,
    failed,
    of,
    interval: [round(rate.low), round(rate.high)],
    condition,
    ...(took !== "" && { took }),
    trials,
    cached,
    plays,
    seconds,
    before,
    after,
    oneMinimal,
    ...(rest.endedBy !== "" && { endedBy: rest.endedBy }),
    events: events.map(({ atMs, type, body, path, contentType, with: together }) => ({
      at: atMs,
      type,
      body,
      ...(path !== undefined && { path }),
      ...(contentType !== undefined && { contentType }),
      ...(together !== undefined && { with: together }),
    })),
    same: rest.same,
    ...(answer !== undefined && {
      answer: { status: answer.status, error: answer.error, body: answer.body.slice(0, 1000) },
    }),
    ...(seen !== undefined && { seen }),
    others: rest.others.map(({ condition: other, events: size, oneMinimal: isMinimal, bug }) => ({
      condition: other,
      events: size,
      oneMinimal: isMinimal,
      bug,
    })),
    contaminated: rest.contaminated,
    ...(rest.contamination !== "" && { contamination: rest.contamination }),
    ...(rest.notes.length > 0 && { notes: rest.notes }),
    scenario: rest.scenario,
    bug: rest.bug,
  };
}

function round(share: number): number {
  return Math.round(1000 * share) / 1000;
}
