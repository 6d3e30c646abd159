import type { NamedReference } from "./named-reference.js";

/** States of a contact. Only active ones get messages and are in groups. */
export type ContactStatus = "active" | "blocked" | "stopped" | "archived";

/** A contact field's value in each of its forms. */
export interface FieldValue {
  readonly text: string;
  /** Decimal digits, if the whole text is a number. */
  readonly number?: string;
  /** ISO 8601 with offset, if the text holds a date. */
  readonly datetime?: string;
  /** Location paths such as "Rwanda > Kigali". */
  readonly state?: string;
  readonly district?: string;
  readonly ward?: string;
}

/** The contact of a session, as plain JSON. The engine returns a changed copy. */
export interface SessionContact {
  readonly uuid: string;
  readonly id: number;
  /** Empty: none. */
  readonly name: string;
  /** ISO 639-3; empty: none. */
  readonly language: string;
  /** IANA name; empty: that of the organisation. */
  readonly timezone: string;
  readonly status: ContactStatus;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  readonly lastSeenAtMs?: number;
  /** By priority; may carry the channel of the address: `tel:+250788123123?channel=UUID`. */
  readonly urns: readonly string[];
  readonly groups: readonly NamedReference[];
  readonly fields: Readonly<Record<string, FieldValue>>;
}
