import { importLog, recogniseFormat } from "../../field/index.js";
import { ReceivedTable } from "../../report/index.js";
import type { OnProgress } from "../../base/index.js";
import type { ReceivedLog } from "./received-log.js";

/** Formats of field logs that are no table of a receiver's own. */
const fieldOnly: ReadonlySet<string> = new Set(["access-log", "har", "gor", "messages", "events"]);

/** Whether a log has requests (an access log, HAR, GoReplay…) and no table of the receiver. gzip is such a log, too. */
export function hasRequests(head: string, name: string): boolean {
  if (head.startsWith("\u001F")) return true;
  try {
    return fieldOnly.has(recogniseFormat(head, name));
  } catch {
    return false;
  }
}

/**
 * Reads a log as `handset import` does: a row for each body that the receiver accepted.
 *
 * @param options - `key`: of the pseudonyms that the recording has; absent: the log is read as it is
 * @throws LabError `bad-options`, `not-read`; StoreError
 */
export async function readFieldRows(
  path: string,
  options: {
    readonly query?: string | undefined;
    readonly timezone: string | undefined;
    readonly key?: string | undefined;
    readonly onProgress: OnProgress | undefined;
  },
): Promise<ReceivedLog> {
  const { query, timezone, key, onProgress } = options;
  const log = await importLog([path], {
    query,
    timezone,
    key,
    pseudonyms: key === undefined ? "off" : "on",
    onProgress,
  });
  try {
    const table = new ReceivedTable(["body"]);
    let refused = 0;
    for (const { body, answer } of log.events()) {
      const { status } = answer ?? {};
      if (status !== undefined && (status < 200 || status > 299)) refused++;
      else table.addValues([body]);
    }
    const { lines, events } = log.summary;
    const warnings = [
      ...(lines === events
        ? []
        : [`${lines - events} of ${lines} lines are no events: handset import ${path} lists them`]),
      ...(refused === 0
        ? []
        : [`${refused} lines with another status than 2xx are left out: the receiver did not accept them`]),
    ];
    return { table, warnings };
  } finally {
    log.close();
  }
}
