import { schema, type Schema, type ValueOf } from "../../../schema/index.js";

const { arrayOf, described, nullable, objectOf, text, timestamp } = schema;

/** Shared parts of answers. */

export const nullableText: Schema<string | null> = nullable(text);
export const nullableTime: Schema<string | null> = nullable(timestamp);

/** The result of an operation. */
export const done = objectOf({
  at: described("Virtual time at which it was done", timestamp),
  done: described("What was done", text),
});
export type Done = ValueOf<typeof done>;

/** The owner of a phone number. */
export const personName = objectOf({
  selector: described("`farmers/3`; null: the lab has no such person", nullableText),
  phone: text,
  // The contact's name, else the person's; for a handset's number, the handset's selector.
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
