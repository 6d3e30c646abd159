/** The part of a contact that every text and call needs; cached by number until the contact changes. */
export interface Contact {
  /** Counts from 1. */
  readonly row: number;
  readonly uuid: string;
  /** `tel:` and `phone`: a contact with several numbers has one entry for each. */
  readonly urn: string;
  /** The number, short code or name by which it was found. */
  readonly phone: string;
  readonly name: string | null;
  /** Its texts are archived as soon as they are stored. */
  readonly isBlocked: boolean;
  /** True when the contact has opted out. */
  readonly isStopped: boolean;
  /** True when the contact is blocked or has opted out. */
  readonly getsNothing: boolean;
}

/** The contacts as texts, calls and replies need them. The account implements it (`account/contacts.ts`). */
export interface ContactBook {
  /** The contact with this number; adds one when the number is unknown. */
  withPhone(phone: string): Contact;
  /** The contact with this number; undefined when the number is unknown. */
  findByPhone(phone: string): Contact | undefined;
  /**
   * The contact who texts from this number. One who had opted out becomes active again
   * (docs/reference/flows.md#incoming-messages).
   */
  senderWithPhone(phone: string): Contact;
  /** Records that a text or call of this contact arrived through a channel. */
  noteSeen(contact: Contact, channel: number): void;
  /**
   * The number of the contact with this UUID (any letter case); undefined when there is none, or it has no number.
   */
  phoneOf(uuid: string): string | undefined;
}

/**
 * The contact's fields in the body of an event; only the historic spelling has them
 * (docs/reference/webhook.md#message-events).
 */
export function contactFields(contact: Contact | undefined): { contact?: string; contactName?: string; urn?: string } {
  if (contact === undefined) return {};
  const fields = { contact: contact.uuid, urn: contact.urn };
  return contact.name === null ? fields : { ...fields, contactName: contact.name };
}
