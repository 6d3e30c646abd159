import { LabError } from "../base/index.js";
import { type Life, lifeOf, recordedOutages, UnknownIdError } from "../report/index.js";
import { openRecording } from "../store/index.js";
import { castOf } from "./recorded-cast.js";

/**
 * The life of one event, message or call in a recording.
 *
 * @param id - an event's (`3/17`), or the number of a message or a call
 * @throws LabError `no-such-id`; StoreError if the recording cannot be read
 */
export function explain(path: string, id: string): Life {
  const recording = openRecording(path);
  try {
    const cast = castOf(recording);
    return lifeOf(recording, id, (phone) => cast?.nameOf(phone), { outages: recordedOutages(recording) });
  } catch (error) {
    if (!(error instanceof UnknownIdError)) throw error;
    throw new LabError("no-such-id", error.message, { hint: error.hint });
  } finally {
    recording.close();
  }
}
