import { setImmediate as nextTurn } from "node:timers/promises";
import { detailError } from "../../api/index.js";
import { answers } from "../../console/index.js";
import type { LoggedEvent, LogScan } from "../../store/index.js";
import { type FoundPage, type LogRequest } from "./log-search.js";
import type { Control } from "../control.js";

/** Reads the events at places, whatever the filters, so that a list can update the state of their delivery. */
export function readPlaces(control: Control, places: readonly number[]): FoundPage {
  const { log } = control;
  const [total, attempts] = [log.lastRow, log.lastAttemptRow];
  const rows = places.flatMap((row) => log.at(row) ?? []).sort((a, b) => b.row - a.row);
  return { rows, next: null, previous: null, searched: rows.length, reached: rows.at(-1), total, attempts };
}

/**
 * Reads the matching events with attempts since an earlier page: a later attempt can change whether a filter by outcome
 * or status matches. `attempts` of the answer is the number of attempts read so far.
 */
export async function readAttempted(control: Control, request: LogRequest, after: number): Promise<FoundPage> {
  const { log } = control;
  const { limit } = request;
  const tests = [testOfScan(request.scan), ...request.tests];
  const [total, last] = [log.lastRow, log.lastAttemptRow];
  const found = new Map<number, LoggedEvent>();
  let searched = 0;
  let attempts = after;
  while (attempts < last && searched < answers.SEARCHED_MAX && found.size < limit) {
    const batch = log.attemptedAfter(attempts, request.scan.selection);
    for (const event of batch) {
      searched++;
      attempts = event.attemptRow;
      if (tests.every((test) => test(event))) found.set(event.row, event);
      if (found.size === limit) break;
    }
    if (batch.length === 0) attempts = last;
    await nextTurn();
    if (control.log !== log) throw detailError(409, "The account was replaced meanwhile: ask again.");
  }
  const rows = [...found.values()].sort((a, b) => b.row - a.row);
  return { rows, next: null, previous: null, searched, reached: rows.at(-1), total, attempts };
}

/** The test that is equivalent to a scan's index. */
function testOfScan({ by, value, above, below }: LogScan): (event: LoggedEvent) => boolean {
  return (event) => event.row > above && event.row < below && (by === "all" || event[by] === value);
}
