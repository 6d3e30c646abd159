import type { Distribution } from "../../sim/index.js";
import type { AccountData } from "../../wire/index.js";
import type { PhonePattern } from "../../world/index.js";

/** An account as an account file describes it. */
export interface AccountFile extends AccountData {
  /**
   * True for `account: existing`: what the file names and does not have may be in the account that it is added to, and
   * must be looked for there.
   */
  readonly isAddition: boolean;
  /** People to be made up, see `generatePeople`. */
  readonly people: readonly PeopleSpec[];
}

/** Contacts to be made up. */
export interface PeopleSpec {
  readonly count: number;
  readonly phone: PhonePattern;
  /** Of faker; at least one, each as likely. */
  readonly locales: readonly string[];
  /** Absent: a full name of the person's locale. */
  readonly name?: Distribution<string>;
  /** ISO 639-3, each as likely; empty: the language of the person's locale. */
  readonly languages: readonly string[];
  /** Names or UUIDs. */
  readonly groups: readonly string[];
  /** By field key. */
  readonly fields: Readonly<Record<string, FieldValues>>;
}

/** What a field of made-up people may hold. Both ends of ranges are included. */
export type FieldValues =
  | { readonly kind: "texts"; readonly of: Distribution<string> }
  | { readonly kind: "numbers"; readonly min: number; readonly max: number; readonly decimals: number }
  /** Milliseconds since 1970; written as timestamps. */
  | { readonly kind: "instants"; readonly minMs: number; readonly maxMs: number }
  | { readonly kind: "pick"; readonly of: readonly FieldValues[] };
