import type { EventRow } from "../../gateway/index.js";
import type { AttemptGlimpse, RecordedEvent } from "../recording/rows.js";
import { eventFrom, type EventTuple, type StoredGlimpse } from "./select.js";

/** Events of whole instants in their order, and the rows that they lie between. */
export interface EventPiece {
  readonly sorted: readonly EventRow[];
  readonly firstRow: number;
  readonly lastRow: number;
}

/**
 * Events in the order (virtual time, channel, number), in pieces. Rows are in the order of time already, so it is enough to
 * sort each piece; what came last may go on in the next page, and waits for it.
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

/** The events of a piece with how their attempts went. */
export function* withAttempts(events: EventPiece, glimpses: readonly StoredGlimpse[]): Generator<RecordedEvent> {
  const groups = byEvent(glimpses);
  for (const { row, channel, number, atMs, type, body, subject, copy } of events.sorted) {
    // Spelled out, because spreading an object costs more than reading it from the file did.
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
