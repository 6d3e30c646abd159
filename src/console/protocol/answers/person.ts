import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime } from "./shared.js";
import { textEntry } from "./texts.js";

const { arrayOf, boolean, described, integer, nullable, number, objectOf, text, timestamp, uuid } = schema;

/** A person of the lab. */
export const foundPerson = objectOf({ selector: text, phone: text, name: nullableText });
export type FoundPerson = ValueOf<typeof foundPerson>;

/** One person, or a number that is nobody's yet; then `selector` is the number. */
export const personDetails = objectOf({
  selector: text,
  phone: text,
  name: nullableText,
  language: nullableText,
  // False: no person has this number yet; the first text or call makes them.
  known: boolean,
  contact: described("null: the service does not know the number", nullable(uuid)),
  home: described("Their own handset", nullableText),
  at: timestamp,
});
export type PersonDetails = ValueOf<typeof personDetails>;

/** A conversation in a person's list. */
export const personConversationHead = objectOf({ handset: text, phone: text, last: textEntry });
export type PersonConversationHead = ValueOf<typeof personConversationHead>;

const answerWay = objectOf({
  entry: textEntry,
  // `reply`: of the receiver's answer; `flow`: of a flow; else where it came from.
  origin: text,
  created_at: timestamp,
  sent_at: nullableTime,
  delivered_at: nullableTime,
  lost_at: described("null: it was not lost", nullableTime),
});
export type AnswerWay = ValueOf<typeof answerWay>;

/** A person's newest text to a handset, and how far it and its answers have come. */
export const textWay = objectOf({
  entry: textEntry,
  // Null: its event has not been made.
  event: nullable(
    objectOf({
      id: text,
      at: timestamp,
      // Null: it goes nowhere.
      url: nullableText,
      // As in the log of deliveries.
      outcome: text,
      tries: integer,
      answered_at: nullableTime,
      status: nullable(integer),
      error: nullableText,
      duration_ms: nullable(number),
      // What the receiver's answer led to: a reply, or why it was ignored.
      reply: nullable(objectOf({ kind: text, reason: nullableText })),
    }),
  ),
  // Messages to the person since, oldest first, at most 3.
  answers: arrayOf(answerWay),
});
export type TextWay = ValueOf<typeof textWay>;

/** A page of the texts that a person's phone shows of a handset. */
export const personConversation = objectOf({
  results: arrayOf(textEntry),
  next: nullableText,
  way: nullable(textWay),
});
export type PersonConversation = ValueOf<typeof personConversation>;
