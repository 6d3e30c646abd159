import type { Kernel, Streams } from "../sim/index.js";
import type { ServicePreset } from "../wire/index.js";
import type { Journal } from "./journal.js";
import type { Directory } from "./ports.js";

/** A person as the service knows them. */
export interface Contact {
  /** Row number in the journal; counts from 1. */
  readonly row: number;
  readonly uuid: string;
  /** `tel:` and the number, short code or name. */
  readonly urn: string;
  readonly phone: string;
  readonly name: string | null;
}

/** The address book: a contact comes into being when its number is first met. */
export class Contacts {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #journal: Journal;
  readonly #directory: Directory;
  readonly #byPhone = new Map<string, Contact>();
  readonly #byUuid = new Map<string, Contact>();

  constructor(options: { kernel: Kernel; streams: Streams; journal: Journal; directory: Directory }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#journal = options.journal;
    this.#directory = options.directory;
  }

  /** The contact with this number; a new one where nobody has it. Its UUID follows from the seed and the number. */
  of(phone: string): Contact {
    const known = this.#byPhone.get(phone);
    if (known !== undefined) return known;
    const urn = `tel:${phone}`;
    const entry = this.#directory(phone);
    const contact: Contact = {
      row: this.#byPhone.size + 1,
      uuid: this.#streams.uuid(`contact/${urn}`),
      urn,
      phone,
      name: entry?.name ?? null,
    };
    this.#byPhone.set(phone, contact);
    this.#byUuid.set(contact.uuid, contact);
    this.#journal.contact({
      row: contact.row,
      uuid: contact.uuid,
      urn,
      name: contact.name,
      language: entry?.language ?? null,
      createdAtMs: this.#kernel.now,
    });
    return contact;
  }

  /** The contact with this UUID (lower case), if there is one. */
  byUuid(uuid: string): Contact | undefined {
    return this.#byUuid.get(uuid);
  }
}

/** What the historic spelling says of the contact in each event; nothing in the others (webhook.md 2). */
export function contactFields(
  preset: ServicePreset,
  contact: Contact,
): { contact?: string; contactName?: string; urn?: string } {
  if (preset.spelling !== "historic") return {};
  const fields = { contact: contact.uuid, urn: contact.urn };
  return contact.name === null ? fields : { ...fields, contactName: contact.name };
}
