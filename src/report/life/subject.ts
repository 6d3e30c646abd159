import { eventId } from "../../measure/index.js";
import type { TracedEvent, Lookup, RecordedMessage, RecordingReader } from "../../store/index.js";
import { idsPerChannel, idWithin } from "../../wire/index.js";

/** Subject of a life: an event with all others about the same text or call, or an outgoing message with its events. */
export type LifeSubject =
  | {
      readonly kind: "incoming";
      readonly asked: TracedEvent;
      readonly first: TracedEvent;
      readonly copies: TracedEvent[];
    }
  | { readonly kind: "outgoing"; readonly asked: TracedEvent | undefined; readonly message: RecordedMessage }
  /** An event that is about neither a text nor a call: an alarm, a flow step, an event made by hand. */
  | { readonly kind: "alone"; readonly asked: TracedEvent };

/** The recording has nothing with this id. `hint` says which ids exist. */
export class UnknownIdError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = "UnknownIdError";
    this.hint = hint;
  }
}

/**
 * Finds the subject that an id names.
 *
 * @param id - of an event (`3/17`), or the number of a message or call (the event's field sms or call)
 * @throws UnknownIdError
 */
export function findSubject(recording: RecordingReader, id: string): LifeSubject {
  const lives = recording.lookup();
  const [, channel, number] = /^(\d{1,15})\/(\d{1,15})$/.exec(id.trim()) ?? [];
  if (channel !== undefined && number !== undefined) {
    return subjectOf(lives, eventWith(recording, Number(channel), Number(number)));
  }
  if (!/^\d{1,15}$/.test(id.trim())) {
    throw new UnknownIdError(
      `'${id}' is not the id of an event, a message or a call`,
      "write an event's id as `handset events` prints it, such as 3/17, or the number in its field sms or call",
    );
  }
  return subjectWithNumber(recording, Number(id));
}

function eventWith(recording: RecordingReader, channel: number, number: number): TracedEvent {
  const lives = recording.lookup();
  const event = lives.event(channel, number);
  if (event !== undefined) return event;
  const last = lives.lastNumberOf(channel);
  const card = lives.channel(channel);
  if (card === undefined) throw new UnknownIdError(`the recording has no channel ${channel}`, channelsHint(recording));
  const hint = last === 0 ? "it made no events" : `its events are ${channel}/1 to ${channel}/${last}`;
  throw new UnknownIdError(`channel ${channel} (${card.name}) has no event ${number}`, hint);
}

function channelsHint(recording: RecordingReader): string {
  const { channels } = recording.counts();
  return channels === 0 ? "it has no channels" : `its channels are 1 to ${channels}`;
}

function subjectWithNumber(recording: RecordingReader, id: number): LifeSubject {
  const lives = recording.lookup();
  const message = lives.message(id);
  const call = lives.call(id);
  if (message !== undefined && call !== undefined) {
    const about = lives.eventsAbout(id).map((event) => `${eventId(event)} (${event.type})`);
    throw new UnknownIdError(
      `${id} is the number of a message and of a call`,
      about.length === 0 ? "neither made an event" : `name the event: ${about.join(", ")}`,
    );
  }
  if (message?.direction === "O") return { kind: "outgoing", asked: undefined, message };
  const [event] = lives.eventsAbout(id);
  if (event !== undefined) return subjectOf(lives, event);
  const channel = lives.channel(Math.floor(id / idsPerChannel));
  const where =
    channel === undefined
      ? "numbers of messages and calls begin at 1048577: did you mean an event, such as 3/17?"
      : `it would belong to channel ${channel.id} (${channel.name}), whose numbers begin at ${idWithin(channel.id, 1)}`;
  throw new UnknownIdError(`no message or call has the number ${id}`, where);
}

function subjectOf(lives: Lookup, asked: TracedEvent): LifeSubject {
  if (asked.subject === null) return { kind: "alone", asked };
  if (asked.type === "mt_sent" || asked.type === "mt_dlvd" || asked.type === "mt_fail") {
    const message = lives.message(asked.subject);
    return message === undefined ? { kind: "alone", asked } : { kind: "outgoing", asked, message };
  }
  const { channel } = asked;
  const first = asked.copy === null ? asked : (lives.event(channel, asked.copy.of) ?? asked);
  return { kind: "incoming", asked, first, copies: lives.copiesOf(channel, first.number) };
}
