import type { RecordingReader } from "../../store/index.js";
import { decodeEvent } from "../../wire/index.js";
import type { IdleText } from "./figures.js";

/** Limit of the list. */
const LISTED_MAX = 20;
/** Characters shown of a text. */
const TEXT_MAX = 200;

/**
 * The first texts without effect. Empty if no text had an effect: such a receiver does not answer texts, and a list
 * would not say more.
 *
 * @param handsets - names by channel
 */
export function idleTexts(recording: RecordingReader, handsets: readonly string[]): IdleText[] {
  if (recording.roundTrips().next().done === true) return [];
  return recording.textsWithoutEffect(LISTED_MAX).map(({ channel, number, atMs, body }) => {
    const { event } = decodeEvent(body);
    const { phone = "", text = "" } = event.event === "mo_sms" && "text" in event ? event : {};
    return {
      event: `${channel}/${number}`,
      handset: handsets[channel] ?? String(channel),
      atMs,
      phone,
      text: text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`,
    };
  });
}
