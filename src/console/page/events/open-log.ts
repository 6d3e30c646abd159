import type { EventLog } from "./event-log.js";
import { isEmpty, type LogFilter } from "./log-filter.js";
import { SearchedLog } from "./searched-log.js";
import { WholeLog } from "./whole-log.js";

/**
 * Opens the log. Without filters any place is reached at once; with filters it is searched from the newest on.
 *
 * @param ofMs - the moment of the past about which requests ask: nothing is added to its log. Undefined: now
 */
export function openLog(filter: LogFilter, ofMs: number | undefined): EventLog {
  return isEmpty(filter) ? new WholeLog(ofMs) : new SearchedLog(filter, ofMs);
}
