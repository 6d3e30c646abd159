import type { RecordingReader } from "../../store/index.js";
import type { Breakdown } from "./breakdown.js";

/**
 * Of which type each event is, found by channel and number. Most are of one type: only the others are read and kept, since
 * to read a million rows takes seconds.
 */
export class EventTypes {
  /** The number in `Parts` of the type that is most common. */
  readonly #usual: number;
  readonly #others: number[][] = [];

  constructor(recording: RecordingReader, types: Breakdown) {
    const [usual = "other"] = namesByFrequency(recording.eventsByType());
    this.#usual = types.indexOf(usual);
    for (const page of recording.typesExcept(usual))
      for (const [, channel, number, type] of page) (this.#others[channel] ??= [])[number] = types.indexOf(type);
  }

  /** The number of the event's type in `Parts`. */
  indexOf(channel: number, number: number): number {
    return this.#others[channel]?.[number] ?? this.#usual;
  }
}

/** The names that were counted, the most frequent first. */
function namesByFrequency(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}
