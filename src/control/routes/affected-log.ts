import { performance } from "node:perf_hooks";
import { detailError } from "../../api/index.js";
import { affectedEvents, type AffectedKind, affectedKinds } from "../../report/index.js";
import type { EventLog } from "../../store/index.js";
import type { Control } from "../control.js";

/** The whole log is read at once, which stops the lab's clock for a second with this many events. */
const EVENTS_MAX = 100_000;
/** Finding the events of a live log takes at most one in this many milliseconds. */
const TIME_SHARE = 10;

interface Found {
  readonly events: ReadonlySet<number>;
  readonly rows: number;
  readonly attempts: number;
  /** Until then it is not found again, though events came. */
  readonly keepUntil: number;
}

/** What was found in a log, by kind. */
const known = new WeakMap<EventLog, Map<AffectedKind, Found>>();

/**
 * The events with which something is wrong, by the same tests as `handset events`.
 *
 * @throws ApiError for an unknown kind, and for a log that is too long
 */
export function affectedIn(control: Control, words: readonly string[]): ReadonlySet<number> | undefined {
  if (words.length === 0) return undefined;
  const kinds = words.map((word) => {
    const kind = affectedKinds.find((one) => one === word);
    if (kind !== undefined) return kind;
    throw detailError(400, `affected must be one of ${affectedKinds.join(", ")}, got '${word.slice(0, 50)}'`);
  });
  if (control.log.lastRow > EVENTS_MAX) {
    throw detailError(
      400,
      `This log has too many events to search it for these while it is shown: handset events RECORDING --${kinds[0]}`,
    );
  }
  const [first, ...others] = kinds.map((kind) => foundIn(control, kind));
  return others.length === 0 ? first : new Set([...(first ?? []), ...others.flatMap((events) => [...events])]);
}

function foundIn(control: Control, kind: AffectedKind): ReadonlySet<number> {
  const { log } = control;
  let ofLog = known.get(log);
  if (ofLog === undefined) known.set(log, (ofLog = new Map()));
  const before = ofLog.get(kind);
  const [rows, attempts] = [log.lastRow, log.lastAttemptRow];
  const beganAt = performance.now();
  const isSame = before?.rows === rows && before.attempts === attempts;
  if (before !== undefined && (isSame || beganAt < before.keepUntil)) return before.events;
  const events = affectedEvents(control.served.recording.reader(), kind);
  const endedAt = performance.now();
  ofLog.set(kind, { events, rows, attempts, keepUntil: endedAt + TIME_SHARE * (endedAt - beganAt) });
  return events;
}
