import { type EventName, eventKey } from "../measure/index.js";
import type { RecordingReader } from "../store/index.js";
import { parseUrn, readReply, type Reply } from "../wire/index.js";
import type { ToldTwice } from "./twice.js";

/** The people whom a reply names, by number or contact; the sender of the event, if it names nobody. */
export function recipientsOf({ urns, contacts }: Reply, sender: string): string[] {
  const named = [...urns.map((urn) => parseUrn(urn)?.path ?? urn), ...contacts];
  return named.length === 0 ? [sender] : named;
}

/** Whether a recording is of a replay, which sends no messages. */
export function isReplay(recording: RecordingReader): boolean {
  return recording.meta().options["replayOf"] !== undefined;
}

/**
 * As `toldTwice`, for a replay: what the answers ask for, which nobody hears. In the order of the attempts.
 *
 * @param options - `replyToSender`: see `ServicePreset`; default false
 */
export function* answeredTwice(
  recording: RecordingReader,
  { replyToSender = false }: { readonly replyToSender?: boolean } = {},
): Generator<ToldTwice> {
  const originals = new Map<number, number>();
  for (const { channel, number, copy } of recording.eventRows())
    if (copy !== null) originals.set(eventKey({ channel, number }), copy.of);
  const firsts = new Map<string, ToldTwice["first"]>();
  const lookup = recording.lookup();
  for (const { channel, number, outcome, body, bodyBytes, effectAtMs: atMs } of recording.attempts()) {
    if (outcome !== "accepted" || body === null) continue;
    const reading = readReply(body, { replyToSender, bodyBytes });
    if (reading.kind !== "reply") continue;
    const event: EventName = { channel, number };
    const family = { channel, number: originals.get(eventKey(event)) ?? number };
    const asked = { text: reading.reply.text, atMs, event, isHeard: undefined };
    for (const phone of recipientsOf(reading.reply, "its sender")) {
      const key = `${eventKey(family)} ${phone}`;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, asked);
      else yield { event: family, type: lookup.event(channel, family.number)?.type, phone, first, second: asked };
    }
  }
}
