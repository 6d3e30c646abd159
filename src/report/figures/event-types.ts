import type { RecordingReader } from "../../store/index.js";
import type { Breakdown } from "./breakdown.js";

/**
 * The type of each event, by channel and number. Most events have one type, so only the others are read and stored:
 * reading a million rows takes seconds. The usual type is that of the first events, which need no pass over the table.
 */
export class EventTypes {
  /** Index in `Breakdown` of the usual type. */
  readonly #usual: number;
  readonly #others: number[][] = [];

  constructor(recording: RecordingReader, types: Breakdown) {
    const usual = recording.usualType() ?? "other";
    this.#usual = types.indexOf(usual);
    for (const page of recording.typesExcept(usual))
      for (const [, channel, number, type] of page) (this.#others[channel] ??= [])[number] = types.indexOf(type);
  }

  /** Index in `Breakdown` of the event's type. */
  indexOf(channel: number, number: number): number {
    return this.#others[channel]?.[number] ?? this.#usual;
  }
}
