import type { Distribution } from "../../sim/index.js";
import type { AccountData } from "../../wire/index.js";
import type { PhonePattern } from "../../world/index.js";

/** An account as an account file describes it. */
export interface AccountFile extends AccountData {
  /**
   * True for `account: existing`: the file is added to an account, and may refer to parts that only that account has.
   */
  readonly isAddition: boolean;
  /** People to generate, see `generatePeople`. */
  readonly people: readonly PeopleSpec[];
}

/** Contacts to generate. */
export interface PeopleSpec {
  readonly count: number;
  readonly phone: PhonePattern;
  /** Locales of faker: at least one, equally likely. */
  readonly locales: readonly string[];
  /** Absent: a full name of the person's locale. */
  readonly name?: Distribution<string>;
  /** ISO 639-3, equally likely; empty: the language of the person's locale. */
  readonly languages: readonly string[];
  /** Names or UUIDs. */
  readonly groups: readonly string[];
  /** By field key. */
  readonly fields: Readonly<Record<string, FieldValues>>;
}

/** Possible values of a field of generated people. Both ends of ranges are included. */
export type FieldValues =
  | { readonly kind: "texts"; readonly of: Distribution<string> }
  | { readonly kind: "numbers"; readonly min: number; readonly max: number; readonly decimals: number }
  /** Milliseconds since 1970; written as timestamps. */
  | { readonly kind: "instants"; readonly minMs: number; readonly maxMs: number }
  | { readonly kind: "pick"; readonly of: readonly FieldValues[] };
