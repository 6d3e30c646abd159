import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime } from "./shared.js";
import { textEntry } from "./texts.js";

const { arrayOf, boolean, described, integer, nullable, number, objectOf, text, timestamp, uuid } = schema;

/** A person of the lab. */
export const foundPerson = objectOf({ selector: text, phone: text, name: nullableText });
export type FoundPerson = ValueOf<typeof foundPerson>;

/** One person, or a number without a person, which is then also the `selector`. */
export const personDetails = objectOf({
  selector: text,
  phone: text,
  name: nullableText,
  language: nullableText,
  // False: no person has this number yet. The first text or call creates the person.
  known: boolean,
  contact: described("null: the service does not know the number", nullable(uuid)),
  home: described("The person's handset", nullableText),
  suggested: described(
    "What to send: texts that people like this one write in the scenario, their answers to questions, the quick replies of the flow that waits for this person, and keywords that start a flow",
    objectOf({ texts: arrayOf(text), replies: arrayOf(text), quick_replies: arrayOf(text), keywords: arrayOf(text) }),
  ),
  at: timestamp,
});
export type PersonDetails = ValueOf<typeof personDetails>;

/** A conversation in a person's list. */
export const personConversationHead = objectOf({ handset: text, phone: text, last: textEntry });
export type PersonConversationHead = ValueOf<typeof personConversationHead>;

const answerWay = objectOf({
  entry: textEntry,
  // `reply`: from the receiver's answer; `flow`: from a flow; others name the source.
  origin: text,
  created_at: timestamp,
  sent_at: nullableTime,
  delivered_at: nullableTime,
  lost_at: described("null: it was not lost", nullableTime),
});
export type AnswerWay = ValueOf<typeof answerWay>;

/** A person's newest text to a handset, with the progress of the text and its answers. */
export const textWay = objectOf({
  entry: textEntry,
  // Null: there is no event yet.
  event: nullable(
    objectOf({
      id: text,
      at: timestamp,
      // Null: the event is not delivered.
      url: nullableText,
      // As in the log of deliveries.
      outcome: text,
      tries: integer,
      answered_at: nullableTime,
      status: nullable(integer),
      error: nullableText,
      duration_ms: nullable(number),
      // The effect of the receiver's answer: a reply, or the reason why it was ignored.
      reply: nullable(objectOf({ kind: text, reason: nullableText })),
    }),
  ),
  // Later messages to the person, oldest first, at most 3.
  answers: arrayOf(answerWay),
});
export type TextWay = ValueOf<typeof textWay>;

/** A page of the texts between a person and a handset, as the person's phone shows them. */
export const personConversation = objectOf({
  results: arrayOf(textEntry),
  next: nullableText,
  way: nullable(textWay),
});
export type PersonConversation = ValueOf<typeof personConversation>;
