import type { EventRow } from "../../gateway/index.js";
import type { AttemptGlimpse, RecordedEvent } from "../recording/rows.js";
import { eventFrom, type EventTuple, type StoredGlimpse } from "./select.js";

/** Events of whole instants, sorted, and the range of their rows. */
export interface EventPiece {
  readonly sorted: readonly EventRow[];
  readonly firstRow: number;
  readonly lastRow: number;
}

/**
 * Events in the order (virtual time, channel, number), in pieces. Rows are ordered by time, so each piece is sorted
 * separately. The last instant of a page may continue in the next page, so its events wait for that.
 *
 * @param pages - none of them empty
 */
export function* eventsInOrder(pages: Iterable<readonly EventTuple[]>): Generator<EventPiece> {
  let waiting: EventRow[] = [];
  for (const page of pages) {
    waiting = waiting.concat(page.map(eventFrom));
    const lastAtMs = waiting.at(-1)?.atMs;
    const whole = waiting.splice(
      0,
      waiting.findIndex((event) => event.atMs === lastAtMs),
    );
    if (whole.length > 0) yield inOrder(whole);
  }
  if (waiting.length > 0) yield inOrder(waiting);
}

/** The events of a piece, each with its attempts. */
export function* withAttempts(events: EventPiece, glimpses: readonly StoredGlimpse[]): Generator<RecordedEvent> {
  const groups = byEvent(glimpses);
  for (const { row, channel, number, atMs, type, body, subject, copy } of events.sorted) {
    // No spread: it costs more than reading the row from the file.
    yield { row, channel, number, atMs, type, body, subject, copy, attempts: groups.get(row) ?? [] };
  }
}

function inOrder(events: EventRow[]): EventPiece {
  const [firstRow, lastRow] = [events[0]?.row ?? 0, events.at(-1)?.row ?? 0];
  events.sort((a, b) => a.atMs - b.atMs || a.channel - b.channel || a.number - b.number);
  return { sorted: events, firstRow, lastRow };
}

function byEvent(glimpses: readonly StoredGlimpse[]): Map<number, AttemptGlimpse[]> {
  const groups = new Map<number, AttemptGlimpse[]>();
  for (const { event, ...glimpse } of glimpses) {
    const group = groups.get(event);
    if (group === undefined) groups.set(event, [glimpse]);
    else group.push(glimpse);
  }
  return groups;
}
