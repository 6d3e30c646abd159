import type { RecordingReader } from "../store/index.js";
import { Streams } from "../sim/index.js";
import { Parts } from "../world/index.js";
import { LabError } from "./errors.js";
import { scenarioOf } from "./read-again.js";

/** The handsets and people of a recording, by the names that its scenario gives them. */
export class RecordedCast {
  readonly #parts: Parts;

  /** @throws LabError when this version does not understand the recording's scenario any more */
  constructor(recording: RecordingReader) {
    const { cast, seed } = scenarioOf(recording.meta(), recording.path);
    this.#parts = new Parts({ cast, count: 1, streams: new Streams(seed) });
  }

  /** `workers/2`; undefined: nobody in the cast has the number. */
  nameOf(phone: string): string | undefined {
    const { people, handsets } = this.#parts;
    for (const roster of [people, handsets]) {
      const place = roster.placeOf(phone);
      if (place !== undefined) return roster.nameAt(place);
    }
    return undefined;
  }
}

/** The cast of a recording; undefined where its scenario cannot be read, as of one that another version made. */
export function castOf(recording: RecordingReader): RecordedCast | undefined {
  try {
    return new RecordedCast(recording);
  } catch (error) {
    if (error instanceof LabError) return undefined;
    throw error;
  }
}
