import type { RecordingReader } from "../../store/index.js";
import type { Parts } from "./parts.js";

/** Types fit below this in what is kept of an event. */
const TYPES = 64;

/**
 * Which type each event is of and in which row it stands, found by channel and number: one number an event, so that a
 * million of them take some megabytes.
 */
export class EventIndex {
  readonly #channels: number[][] = [];

  /** Reads all events. @param seen - told of each, in the order in which they came into being */
  static read(recording: RecordingReader, types: Parts, seen: (atMs: number) => void): EventIndex {
    const index = new EventIndex();
    for (const page of recording.eventFigures()) {
      for (const [row, channel, number, atMs, type] of page) {
        const numbers = (index.#channels[channel] ??= []);
        numbers[number] = row * TYPES + types.indexOf(type);
        seen(atMs);
      }
    }
    return index;
  }

  /** The number of the event's type in `Parts`; undefined: no such event. */
  typeOf(channel: number, number: number): number | undefined {
    const packed = this.#channels[channel]?.[number];
    return packed === undefined ? undefined : packed % TYPES;
  }

  /** The row of the event; undefined: no such event. */
  rowOf(channel: number, number: number): number | undefined {
    const packed = this.#channels[channel]?.[number];
    return packed === undefined ? undefined : Math.floor(packed / TYPES);
  }
}
