import { schema, type Schema, type ValueOf } from "../../../schema/index.js";

const { arrayOf, described, nullable, objectOf, text, timestamp } = schema;

/** Parts of answers that several operations share. */

export const nullableText: Schema<string | null> = nullable(text);
export const nullableTime: Schema<string | null> = nullable(timestamp);

/** What an operation has done. */
export const done = objectOf({
  at: described("Virtual time at which it was done", timestamp),
  done: described("What was done", text),
});
export type Done = ValueOf<typeof done>;

/** Somebody with a phone number. */
export const personName = objectOf({
  selector: described("`farmers/3`; null: the lab has no such person", nullableText),
  phone: text,
  // The contact's or the person's; a handset's selector, where the number is a handset's.
  name: nullableText,
});
export type PersonName = ValueOf<typeof personName>;

/** A page of a list, newest first. A page may have fewer results than asked for. */
export interface Listed<T> {
  readonly results: readonly T[];
  /** For `behind`; null: there is no further page. */
  readonly next: string | null;
}

/** A page of a list. */
export function listOf<T>(item: Schema<T>): Schema<Listed<T>> {
  return objectOf({
    results: arrayOf(item),
    next: described("For `behind`; null: there is no further page", nullableText),
  }) as Schema<Listed<T>>;
}
